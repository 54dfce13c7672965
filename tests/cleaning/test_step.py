import pytest

from obsirag.cleaning import CleaningStep, clean
from obsirag.errors import PluginError, ServiceError
from obsirag.records import Edit, EmbedSpan, RenderedNote, Segment, SourceLocation

SECRET = "the text of the note"


def run(find, text=SECRET, origin="the plugin 'acme' of acme-rag 1.0"):
    return clean(RenderedNote("n.md", text), more_steps=[CleaningStep("shout", find, origin)]).text


def raising(error):
    def find(text):
        raise error

    return find


def failing_late(text):
    yield Edit(0, 1, "T")
    raise KeyError(text)


@pytest.mark.parametrize(
    ("find", "reason"),
    [
        (raising(ValueError(SECRET)), "ValueError"),
        (raising(SystemExit(1)), "SystemExit"),
        (raising(RecursionError()), "RecursionError"),
        (raising(ServiceError("the model server is away")), "the model server is away"),
        (failing_late, "KeyError"),
        (lambda text: None, "TypeError"),
        (lambda text, more: (), "TypeError"),
        (lambda text: [Edit(4, 6), Edit(0, 1)], r"0\.\.1 begins before the one before it ends \(6\)"),
        (lambda text: [Edit(0, 4), Edit(3, 5)], r"3\.\.5 begins before"),
        (lambda text: [Edit(-2, 1)], r"-2\.\.1 is outside the text of 20 characters"),
        (lambda text: [Edit(3, 2)], r"3\.\.2 is outside"),
        (lambda text: [Edit(19, 21)], r"19\.\.21 is outside"),
        (lambda text: [Edit(0, 1), (1, 2, "")], "item 1 .* is not an Edit"),
        (lambda text: [Edit("0", 1)], "item 0 .* is not an Edit"),
        (lambda text: [Edit(0.0, 1)], "item 0 .* is not an Edit"),
        (lambda text: [Edit(0, 1, None)], "item 0 .* is not an Edit"),
        (lambda text: SECRET, "item 0 .* is not an Edit"),
    ],
)
def test_a_step_that_fails_is_named_with_who_brought_it_and_tells_nothing_of_the_note(find, reason):
    with pytest.raises(PluginError, match=f"'shout' of the plugin 'acme' of acme-rag 1.0 failed: .*{reason}") as caught:
        run(find)
    assert SECRET not in str(caught.value)
    with pytest.raises(PluginError, match="'shout' failed"):
        run(find, origin="")


@pytest.mark.parametrize("many", [list, tuple, iter])
def test_edits_may_come_in_any_iterable_and_touch_one_another(many):
    assert (
        run(lambda text: many([Edit(0, 0, ">"), Edit(0, 4), Edit(4, 8, "x"), Edit(20, 20, "!")])) == ">x of the note!"
    )


def test_what_a_step_puts_in_keeps_its_source_and_its_embed():
    note = RenderedNote(
        "n.md",
        "a\nsecret\nb",
        segments=(Segment(0, "n.md", 1), Segment(2, "e.md", 7), Segment(9, "n.md", 3)),
        embeds=(EmbedSpan(2, 8, "e.md", 2, permissions=("leads",)),),
    )
    step = CleaningStep("widen", lambda text: [Edit(0, 0, "new "), Edit(3, 5, "long words"), Edit(9, 10, "c")])
    result = clean(note, more_steps=[step])
    (embed,) = result.embeds
    assert result.text[embed.start : embed.end] == "slong wordsret"
    assert embed.permissions == ("leads",)
    assert result.locate(result.text.index("words")) == SourceLocation("e.md", 7)
    assert result.locate(result.text.index("c", embed.end)) == SourceLocation("n.md", 3)


def test_a_wish_to_stop_the_program_is_no_fault_of_a_step():
    with pytest.raises(KeyboardInterrupt):
        run(raising(KeyboardInterrupt()))

"""How checks are told and run, whatever they check."""

import json
import time
from unittest import SkipTest

import pytest

import obsirag.testing
from obsirag.errors import ConfigError, ServiceError
from obsirag.plugins import KINDS, Registry
from obsirag.plugins.memory import MemoryVectorStore
from obsirag.testing import (
    Capability,
    Conformance,
    ConformanceError,
    KeywordIndexConformance,
    VectorStoreConformance,
    check,
    choose_kind,
    expect,
    kit_for_plugin,
    run_conformance,
)
from obsirag.testing.checks import checks_of
from obsirag.testing.kinds import KITS, kit_of
from sample_parts import MemoryKeywords

SWIMS = Capability("swimming", "it stays ashore", lambda kit: kit.swims)
SINGS = Capability("singing", "it is quiet", lambda kit: kit.no_such_attribute)


class Duck(Conformance):
    kind = "duck"
    swims = True
    weight = 3

    def reach(self):
        pass

    @check(harm="it sinks", of=SWIMS)
    def test_it_floats(self):
        expect(self.weight < 5, "less than 5", self.weight)

    @check(harm="nobody eats")
    def test_it_weighs_something(self):
        expect(self.weight > 0, "more than 0", self.weight)

    @check(harm="nobody listens", of=SINGS)
    def test_it_sings(self):
        raise AssertionError("not reached")


def ducks(**members):
    return type("Duck", (Duck,), members)


def outcomes(kit, **options):
    return {each.check.name: each.outcome for each in run_conformance(kit, **options).results}


def test_requirements_come_first_and_what_is_absent_is_no_failure():
    assert outcomes(Duck) == {
        "test_it_weighs_something": "passed",
        "test_it_floats": "passed",
        "test_it_sings": "absent",
    }
    report = run_conformance(Duck, name="Donald")
    assert report.conforms
    assert report.capabilities == {"swimming": "passed", "singing": "absent"}
    assert str(report).splitlines() == [
        "duck 'Donald'",
        "required: 1 of 1 passed",
        "  + it weighs something",
        "capabilities:",
        "  + swimming",
        "  - singing - not there: it is quiet",
        "It conforms.",
    ]


def test_a_capability_that_is_there_has_to_work():
    report = run_conformance(ducks(weight=7))
    assert not report.conforms
    assert [each.message for each in report.failures] == ["expected less than 5; came 7; so it sinks"]
    assert str(report).endswith("It does not conform: 1 check failed.")
    assert outcomes(ducks(weight=7, swims=False))["test_it_floats"] == "absent"


def test_a_report_is_plain_data():
    told = json.loads(json.dumps(run_conformance(ducks(weight=7)).to_json()))
    assert told["conforms"] is False
    assert told["required"] == [{"check": "it weighs something", "outcome": "passed", "message": ""}]
    assert [each["outcome"] for each in told["capabilities"]] == ["failed", "absent"]


def test_what_a_part_raises_is_a_failure_that_names_it():
    class Heavy(Duck):
        @property
        def weight(self):
            raise OverflowError("too heavy")

    with pytest.raises(ConformanceError) as caught:
        Heavy().test_it_weighs_something()
    assert str(caught.value) == "expected that it weighs something; came OverflowError: too heavy; so nobody eats"
    assert isinstance(caught.value.__cause__, OverflowError)


@pytest.mark.parametrize("given", [SkipTest("not today"), SystemExit(0)])
def test_a_part_can_neither_skip_a_check_nor_leave_the_program(given):
    def refuse(_):
        raise given

    assert outcomes(ducks(weight=property(refuse))) == {
        "test_it_weighs_something": "failed",
        "test_it_floats": "failed",
        "test_it_sings": "absent",
    }
    with pytest.raises(ServiceError, match="failed when it was made"):
        run_conformance(ducks(reach=refuse))
    assert outcomes(ducks(swims=property(refuse)))["test_it_floats"] == "absent"


def test_as_a_test_what_is_absent_is_skipped():
    with pytest.raises(SkipTest, match="without singing: it is quiet"):
        Duck().test_it_sings()


def test_a_subclass_may_add_checks_and_change_them():
    class Mine(Duck):
        @check(harm="it is no duck")
        def test_it_weighs_something(self):
            expect(False, "a duck", "a goose")

        @check(harm="it is hungry")
        def test_it_eats(self):
            pass

    assert [each.name for each in checks_of(Mine)][:2] == ["test_it_weighs_something", "test_it_eats"]
    assert outcomes(Mine)["test_it_weighs_something"] == "failed"


def test_a_check_that_does_not_end_has_failed():
    slow = ducks(weight=property(lambda _: time.sleep(5) or 1))
    assert outcomes(slow, timeout=0.1)["test_it_weighs_something"] == "failed"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ServiceError("the server at x is down"), "^the server at x is down$"),
        (ConfigError("`url` is missing"), "^`url` is missing$"),
        (ConnectionRefusedError(111, "Connection refused"), "duck 'Donald' failed .*Connection refused.*look whether"),
    ],
)
def test_what_cannot_be_reached_is_told_before_any_check(error, words):
    def reach(self):
        raise error

    with pytest.raises((ServiceError, ConfigError), match=words):
        run_conformance(ducks(reach=reach), name="Donald")


def test_what_does_not_answer_is_told_before_any_check():
    with pytest.raises(ServiceError, match=r"gave no answer within 0\.1 seconds"):
        run_conformance(ducks(reach=lambda _: time.sleep(5)), timeout=0.1)


def test_nothing_is_written_where_somebody_else_has_written(tmp_path):
    used = MemoryKeywords()
    used.add(["theirs"], ["text"], [{"access": "", "source": "a.md"}])
    kit = type("Used", (KeywordIndexConformance,), {"make": lambda *_: used})
    with pytest.raises(ConfigError, match=r"isn't empty: it holds .*theirs"):
        run_conformance(kit)
    assert used.ids() == ["theirs"]

    class Shared(VectorStoreConformance):
        store = None

        def make(self, embeddings, folder):
            if Shared.store is None:
                Shared.store = MemoryVectorStore(embeddings)
                Shared.store.add_texts(["text"], [{"access": "", "source": "a.md"}], ids=["theirs"])
            return Shared.store

    with pytest.raises(ConfigError, match=r"isn't empty: it holds .*theirs"):
        run_conformance(Shared)
    assert Shared.store.ids() == ["theirs"]


def test_what_is_written_is_deleted_again():
    stores = {}

    class OnAServer(VectorStoreConformance):
        """Keeps its vectors in one place, whatever the folder."""

        def make(self, embeddings, folder):
            return stores.setdefault("collection", MemoryVectorStore(embeddings))

    assert run_conformance(OnAServer).conforms
    assert stores["collection"].ids() == []


def test_there_are_checks_for_every_kind_of_part():
    assert {*KINDS} - {"observer"} <= {*KITS}  # an observer is called and gives nothing
    for kind in KITS:
        assert kit_of(kind).kind == kind


def test_every_check_says_what_the_harm_is_and_reads_as_a_sentence():
    for kind in KITS:
        titles = [each.title for each in checks_of(kit_of(kind))]
        assert len(titles) == len(set(titles)) >= 6
        for each in checks_of(kit_of(kind)):
            assert each.harm.strip()
            assert not each.harm.endswith(".")


def test_public_names_are_sorted_and_there():
    assert obsirag.testing.__all__ == sorted(obsirag.testing.__all__, key=lambda name: (not name[0].isupper(), name))
    assert set(obsirag.testing._MODULE_OF) == set(obsirag.testing.__all__)
    for name in obsirag.testing.__all__:
        assert getattr(obsirag.testing, name).__doc__
    with pytest.raises(AttributeError, match="nonsense"):
        _ = obsirag.testing.nonsense


def test_the_kind_of_a_plugin_is_chosen_or_has_to_be():
    plugins = Registry()
    assert choose_kind(plugins, "hashing", None) == "embeddings"
    assert choose_kind(plugins, "openai", "chat_model") == "chat_model"
    with pytest.raises(ConfigError, match="makes chat_model, embeddings; say which with --kind"):
        choose_kind(plugins, "openai", None)
    with pytest.raises(ConfigError, match="did you mean 'embeddings'"):
        choose_kind(plugins, "openai", "embedings")
    with pytest.raises(ConfigError, match="give them with --file"):
        kit_for_plugin(plugins, "loader", "any", {})

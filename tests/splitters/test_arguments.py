from __future__ import annotations

import pytest
from langchain_text_splitters import TextSplitter

from obsirag.splitters import ObsidianSplitter
from obsirag.splitters.arguments import LangChainArguments

TEXT = "# Tea\n\n" + "Leaves and water. " * 300


@pytest.mark.parametrize(
    "options",
    [
        {name: value}
        for name in ("chunk_size", "max_chunk_size", "min_chunk_size", "parent_chunk_size", "input_limit")
        for value in (0, "100", 10.5, float("nan"), True)
    ]
    + [{"chunk_size": None}],
)
def test_a_size_that_is_none_is_refused_by_name_and_value(options: dict[str, object]) -> None:
    [(name, value)] = options.items()
    with pytest.raises(ValueError, match=f"{name} must be an integer of at least 1, not {value!r}"):
        ObsidianSplitter(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [-1, -0.1, 0.5, 15.0, float("nan"), "10%", True, None])
def test_an_overlap_that_is_neither_length_nor_share_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=f"chunk_overlap must be an integer of at least 0, or a share.*not {value!r}"):
        ObsidianSplitter(chunk_overlap=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["length_function", "input_length"])
@pytest.mark.parametrize("value", [5, "len", 10.5])
def test_a_length_that_is_no_function_is_refused(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=f"{name} must be a function that returns a text's length.*not {value!r}"):
        ObsidianSplitter(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [None, 5, ["-"]])
def test_a_separator_that_is_no_string_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="heading_separator must be a string, not"):
        ObsidianSplitter(heading_separator=value)  # type: ignore[arg-type]


@pytest.mark.parametrize(("share", "length"), [(0.0, 0), (0.1, 60), (0.15, 90), (0.29, 174), (0.4999, 299)])
def test_a_share_as_overlap_is_that_part_of_a_chunk(share: float, length: int) -> None:
    by_share = ObsidianSplitter(chunk_size=600, chunk_overlap=share).create_documents([TEXT])
    assert by_share == ObsidianSplitter(chunk_size=600, chunk_overlap=length).create_documents([TEXT])


def test_sizes_may_be_given_by_position_in_the_order_of_langchain() -> None:
    def words(text: str) -> int:
        return len(text.split())

    named = ObsidianSplitter(chunk_size=30, chunk_overlap=5, length_function=words)
    assert ObsidianSplitter(30, 5, words).create_documents([TEXT]) == named.create_documents([TEXT])


@pytest.mark.parametrize("name", LangChainArguments.__annotations__)
@pytest.mark.parametrize("value", [True, False])
def test_arguments_of_langchain_without_a_meaning_change_nothing(name: str, value: bool) -> None:
    if name == "strip_whitespace" and not value:
        with pytest.raises(TypeError, match="strip_whitespace=False: chunks never begin or end with blanks"):
            ObsidianSplitter(strip_whitespace=False)
        return
    given = ObsidianSplitter(**{name: value})  # type: ignore[arg-type]
    assert given.create_documents([TEXT]) == ObsidianSplitter().create_documents([TEXT])


def test_every_argument_of_langchains_base_class_is_known() -> None:
    code = TextSplitter.__init__.__code__
    names = set(code.co_varnames[1 : code.co_argcount])
    assert names <= {"chunk_size", "chunk_overlap", "length_function", *LangChainArguments.__annotations__}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("separators", "takes no `separators`: it cuts along headings"),
        ("separator", "takes no `separator`: it cuts along headings"),
        ("headers_to_split_on", "`headings`"),
        ("encoding_name", "from_tiktoken_encoder"),
        ("tokenizer", "from_huggingface_tokenizer"),
        ("chunk_sise", "unexpected argument `chunk_sise`; did you mean `chunk_size`"),
        ("add_startindex", "did you mean `add_start_index`"),
        ("qqqqqqqq", "unexpected argument `qqqqqqqq`$"),
    ],
)
def test_an_argument_that_cannot_be_followed_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        ObsidianSplitter(**{name: ["\n"]})  # type: ignore[arg-type]

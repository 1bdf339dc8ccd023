"""Sizes in the names of benchmarks, in every way in which the tools write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment.foreign._names import Name, number_of, taken_apart, templated


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1024", 1024),
        ("1_024", 1024),
        ("2^10", 1024),
        ("2**10", 1024),
        ("10^3", 1000),
        ("1Ki", 1024),
        ("4 KiB", 4096),
        ("2Mi", 2**21),
        ("1e6", 10**6),
        ("2.5", 2.5),
        (".5", 0.5),
        ("-3", -3),
        ("1e400", float("inf")),
    ],
)
def test_numbers_are_read_in_their_usual_forms(text: str, number: float) -> None:
    found = number_of(text)
    assert found == number
    assert type(found) is type(number)


@pytest.mark.parametrize(
    "text",
    ["", "x", "8k", "1M", "0x10", "1__0", "int32", "2^9999999", "٣", "1" * 200, "nan", "1-2"],
)
def test_what_is_no_number_or_is_ambiguous_stays_a_text(text: str) -> None:
    assert number_of(text) is None


@pytest.mark.parametrize(
    ("text", "family", "parameters"),
    [
        ("sort", "sort", []),
        ("sort/1024", "sort", [("#1", "1024")]),
        ("sort/1024/8", "sort", [("#1", "1024"), ("#2", "8")]),
        ("sort/n:1024/threads:4/real_time", "sort", [("n", "1024"), ("threads", "4")]),
        ("BM_sort<std::vector<int>>/64", "BM_sort<std::vector<int>>", [("#1", "64")]),
        ("group/quick/1024", "group/quick", [("#1", "1024")]),
        ("sort[n=1024]", "sort", [("n", "1024")]),
        ("sort[n=2^10, kind=stable]", "sort", [("n", "2^10"), ("kind", "stable")]),
        ("test_sort[1024-int32]", "test_sort", [("#1", "1024"), ("#2", "int32")]),
        ("sort(1024)", "sort", [("#1", "1024")]),
        ("sort size=2^10", "sort", [("size", "2^10")]),
        ("sort --n=16 fast", "sort fast", [("n", "16")]),
        ("sort: n = 16", "sort", [("n", "16")]),
        ("[1024]", "[1024]", []),
        ("sha_256", "sha_256", []),
        ("utf8 1", "utf8 1", []),
    ],
)
def test_names_are_taken_apart(text: str, family: str, parameters: list[tuple[str, str]]) -> None:
    assert taken_apart(text) == Name(family, tuple(parameters))


@given(st.text(max_size=30))
def test_no_name_is_too_strange(text: str) -> None:
    found = taken_apart(text)
    assert all(name for name, _ in found.parameters)


def test_commands_get_the_names_of_their_parameters_back() -> None:
    assert templated("seq 100", (("n", "100"),)) == "seq {n}"
    assert templated("f 1 10 100", (("a", "1"), ("b", "10"))) == "f {a} {b} 100"
    assert templated("f a.b a+b", (("x", "a.b"),)) == "f {x} a+b"
    assert templated("f1 1", (("n", "1"),)) == "f1 {n}"
    assert templated("f", (("n", ""),)) == "f"

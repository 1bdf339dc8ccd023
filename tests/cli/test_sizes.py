"""Sizes on the command line: single ones, powers, ranges, lists; all else is refused by name."""

import pytest

from lunaflow.cli._sizes import sizes_from


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("100", (100,)),
        ("0", (0,)),
        ("2^10", (1024,)),
        ("2**10, 10", (10, 1024)),
        ("1_000", (1000,)),
        ("2^8..2^11", (256, 512, 1024, 2048)),
        ("10^1..10^3", (10, 100, 1000)),
        ("100..1000", (100, 200, 400, 800)),
        ("3^2..100", (9, 18, 36, 72)),
        ("5..5", (5,)),
        ("1..4,3,2^2", (1, 2, 3, 4)),
        ("2^62", (2**62,)),
    ],
)
def test_sizes_are_those_that_are_named_ascending(text: str, sizes: tuple[int, ...]) -> None:
    assert sizes_from(text) == sizes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no size"),
        ("ten", "'ten' is no size; write 100, 2\\^10 or 2\\^8..2\\^20"),
        ("-3", "'-3' is no size"),
        ("1.5", "is no size"),
        ("1,,2", "'' is no size"),
        ("8..4", r"8\.\.4 must ascend from above 0"),
        ("0..4", r"0\.\.4 must ascend from above 0"),
        ("4..", "'' is no size"),
        ("2^64", "above 9223372036854775807"),
        ("2^63", "names a size above 9223372036854775807"),
        ("9" * 30, "is no size"),
        ("²", "is no size"),
    ],
)
def test_what_is_no_size_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sizes_from(text)

"""F5: ASCII decimal literals, and nothing else; far ones are told before they are computed."""

import math
import re
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.arithmetic.kit import CONTEXTS, FLOATS, Kind, bits, decimals, kind_of, rounded

from lunaflow.arithmetic import ArithmeticContext, Err, Ok, RoundingMode, parse_checked

TYPES: list[Any] = [float, int, Fraction, Decimal]
DIGITS = st.text("0123456789", max_size=25)
SPACES = st.text(" \t\n\r\f\v", max_size=2)


@st.composite
def literals(draw: st.DrawFn, exponents: st.SearchStrategy[int] | None = None) -> str:
    whole, fraction = draw(DIGITS), draw(DIGITS)
    point = draw(st.sampled_from([".", ""])) if whole and not fraction else "."
    if not whole + fraction:
        whole = "0"
    text = draw(st.sampled_from(["", "+", "-"])) + whole + point + fraction
    if draw(st.booleans()):
        exponent = draw(exponents or st.integers(-400, 400))
        text += draw(st.sampled_from("eE")) + draw(st.sampled_from(["", "+"])) * (exponent >= 0)
        text += str(exponent)
    return draw(SPACES) + text + draw(SPACES)


def exact(text: str) -> Fraction:
    mantissa, _, exponent = text.strip().lower().partition("e")
    whole, _, fraction = mantissa.partition(".")
    size = Fraction(int(whole.lstrip("+-") + fraction or "0"), 10 ** len(fraction))
    value = size * Fraction(10) ** int(exponent or "0")
    return -value if mantissa.startswith("-") else value


@settings(max_examples=300)
@given(literals())
def test_f5_literals_of_exact_types(text: str) -> None:
    value = exact(text)
    assert parse_checked(text, Fraction) == Ok(value)
    found = parse_checked(text, int)
    assert found == Ok(value) if value.denominator == 1 else kind_of(found) is Kind.PARSE_ERROR
    assert type(found.unwrap_or(0)) is int


@settings(max_examples=300)
@example("1e400")
@example("-1.7976931348623159e308")
@example("1e-400")
@given(literals())
def test_f5_literals_of_floats(text: str) -> None:
    found = parse_checked(text, float)
    if math.isinf(float(text)):
        assert kind_of(found) is Kind.OVERFLOW
    else:
        assert bits(found.unwrap()) == bits(float(text))


@settings(max_examples=300)
@given(literals(), CONTEXTS)
def test_f5_literals_of_decimals_are_rounded_once(text: str, ctx: ArithmeticContext) -> None:
    found = parse_checked(text, Decimal, ctx)
    expected = rounded(exact(text), ctx)
    if expected is None:
        assert kind_of(found) is Kind.OVERFLOW
    else:
        assert Fraction(found.unwrap()) == expected


@given(FLOATS, decimals(), st.integers())
def test_f5_what_python_writes_is_read_back(x: float, d: Decimal, n: int) -> None:
    assert bits(parse_checked(repr(x), float).unwrap()) == bits(x)
    assert parse_checked(str(d), Decimal) == Ok(d)
    assert parse_checked(str(n), int) == Ok(n)
    assert parse_checked(np.str_(n), int) == Ok(n)


@pytest.mark.parametrize("text", ["inf", "-INF", "+Infinity", " iNfInItY\n", "nan", "-NaN", "+nan"])
def test_f5_infinity_and_nan_in_any_case(text: str) -> None:
    assert bits(parse_checked(text, float).unwrap()) == bits(float(text))
    assert parse_checked(text, Decimal) == Ok(Decimal(text.strip()))
    for exact_type in (int, Fraction):
        assert kind_of(parse_checked(text, exact_type)) is Kind.PARSE_ERROR


MALFORMED = [
    "", " ", ".", "+", "e5", "1e", "1e+", "1_000", "1__0", "0x10", "1/3", "1,5", "1 2", "--1",
    "+-1", "1.2.3", "1e5.0", "one", "infinit", "in f", "nan(1)", "nan5", "sNaN", "1f", "1j", "(1)",
    "1e1e1", "\N{ARABIC-INDIC DIGIT ONE}", "\N{FULLWIDTH DIGIT ONE}", "1\N{NO-BREAK SPACE}",
    "\N{EM SPACE}1", "\N{LATIN SMALL LETTER DOTLESS I}nf", "\N{MINUS SIGN}1", "1\x00", "\ud800",
    "\N{VULGAR FRACTION ONE HALF}", "\N{SUPERSCRIPT TWO}", "1\x1c",
]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED, ids=ascii)
@pytest.mark.parametrize("cls", TYPES)
def test_f5_malformed_text_is_a_parse_error_that_shows_it(text: str, cls: Any) -> None:
    found = parse_checked(text, cls)
    assert isinstance(found, Err)
    assert found.error.kind is Kind.PARSE_ERROR
    assert found.error.message.startswith(f"parse_checked({' '.join(repr(text).split())}, ")


LITERAL = re.compile(
    r"\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*|\s*[+-]?(inf|infinity|nan)\s*",
    re.IGNORECASE | re.ASCII,
)


@settings(max_examples=500)
@given(
    st.text("0123456789+-.eE_ infINFaAty\n\N{ARABIC-INDIC DIGIT ONE}", max_size=12)
    | st.text(max_size=5)
)
def test_f5_any_text_is_a_literal_or_a_parse_error(text: str) -> None:
    for cls in (float, Decimal):
        outcome = kind_of(parse_checked(text, cls))
        is_literal = LITERAL.fullmatch(text) is not None
        assert outcome in ({None, Kind.OVERFLOW} if is_literal else {Kind.PARSE_ERROR})


@pytest.mark.parametrize("cls", TYPES)
def test_f5_the_message_shows_at_most_80_characters(cls: Any) -> None:
    found = parse_checked("x" * 10**6, cls)
    assert isinstance(found, Err)
    assert "x" * 60 in found.error.message
    assert found.error.message.count("x") <= 80


@pytest.mark.parametrize("exponent", ["1000001", "-1000001", "+" + "9" * 5000, "-" + "9" * 5000])
@pytest.mark.parametrize("cls", [int, Fraction])
def test_f5_a_far_exponent_of_an_exact_type_is_overflow(cls: Any, exponent: str) -> None:
    for mantissa in ("1", "-0.5", "0"):
        assert kind_of(parse_checked(f"{mantissa}e{exponent}", cls)) is Kind.OVERFLOW


def test_f5_exponents_up_to_the_bound_are_computed() -> None:
    assert parse_checked("1e1000000", int) == Ok(10**1000000)
    assert parse_checked("-2e-1000000", Fraction) == Ok(Fraction(-2, 10**1000000))
    assert parse_checked("0e1000000", int) == Ok(0)
    assert parse_checked("100e-2", int) == parse_checked("1e" + "0" * 5000, int) == Ok(1)
    assert parse_checked(f"1e{'0' * 5000}3", int) == Ok(1000)


@pytest.mark.parametrize("cls", [float, Decimal])
def test_f5_far_exponents_of_other_types_overflow_or_vanish(cls: Any) -> None:
    far = "9" * 5000
    assert kind_of(parse_checked(f"-1e{far}", cls)) is Kind.OVERFLOW
    assert parse_checked(f"1e-{far}", cls).unwrap() == 0
    assert parse_checked(f"0e{far}", cls).unwrap() == 0


def test_f5_a_literal_that_vanishes_keeps_its_sign_or_is_rounded_as_the_context_says() -> None:
    assert bits(parse_checked("-1e-400", float).unwrap()) == bits(-0.0)
    up = ArithmeticContext(3, rounding=RoundingMode.AWAY_FROM_ZERO, e_min=-5)
    assert parse_checked("1e-400", Decimal, up) == Ok(Decimal("1e-7"))


def test_f5_pythons_limit_on_digits_does_not_count() -> None:
    digits = "1234567890" * 2000
    value = sum(int(digits[i : i + 500]) * 10 ** (19500 - i) for i in range(0, 20000, 500))
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert parse_checked(digits, int) == Ok(value)
        assert parse_checked(f"-{digits}.5", Fraction) == Ok(-value - Fraction(1, 2))
        assert kind_of(parse_checked(f"{digits}.5", int)) is Kind.PARSE_ERROR
        assert kind_of(parse_checked(digits, float)) is Kind.OVERFLOW
    finally:
        sys.set_int_max_str_digits(before)


def test_wrong_types_are_named() -> None:
    wrong: Any
    for wrong in (b"1", 1, None):
        with pytest.raises(TypeError, match="^text must be a str, not"):
            parse_checked(wrong, float)
    for wrong in ("float", 1.0, None):
        with pytest.raises(TypeError, match="^type must be a class, not"):
            parse_checked("1", wrong)
    for wrong in (bool, str, list):
        with pytest.raises(TypeError, match="^type must be a type of numbers, not"):
            parse_checked("1", wrong)
    with pytest.raises(TypeError, match="^ctx must be"):
        parse_checked("1", float, 5)  # type: ignore[arg-type]
    assert kind_of(parse_checked("1", complex)) is Kind.UNSUPPORTED_OPERATION
    assert type(parse_checked("1.5", np.float64).unwrap()) is float

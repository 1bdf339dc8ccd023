"""Contexts: what they refuse (F6), and the interchange formats."""

import dataclasses
import decimal
import pickle
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.arithmetic import ArithmeticContext, RoundingMode

EXPONENTS = st.none() | st.integers(-3, 3) | st.integers()


@given(
    st.integers(-3, 3) | st.integers(),
    st.sampled_from(RoundingMode),
    EXPONENTS,
    EXPONENTS,
    st.booleans(),
)
def test_f6_bad_contexts_raise_naming_the_numbers(
    precision: int, rounding: RoundingMode, e_min: int | None, e_max: int | None, clamp: bool
) -> None:
    def make() -> ArithmeticContext:
        return ArithmeticContext(
            precision, rounding=rounding, e_min=e_min, e_max=e_max, clamp=clamp
        )

    bad = [
        *([f"precision must be at least 1, not {precision}"] if precision < 1 else []),
        *([f"e_min must be at most 0, not {e_min}"] if e_min is not None and e_min > 0 else []),
        *([f"e_max must be at least 0, not {e_max}"] if e_max is not None and e_max < 0 else []),
    ]
    if bad:
        with pytest.raises(ValueError, match=f"^{bad[0]}$"):
            make()
    else:
        assert make() == pickle.loads(pickle.dumps(make()))
        assert hash(make()) == hash(make())
        assert dataclasses.astuple(make()) == (precision, rounding, e_min, e_max, clamp)


@pytest.mark.parametrize("field", ["precision", "e_min", "e_max", "rounding", "clamp"])
@pytest.mark.parametrize("bad", [1.0, "1", np.float64(1), [1]], ids=repr)
def test_a_field_of_another_type_is_named(field: str, bad: Any) -> None:
    arguments: dict[str, Any] = {"precision": 7, field: bad}
    with pytest.raises(TypeError, match=f"^{field} must be"):
        ArithmeticContext(**arguments)


def test_a_bool_is_no_count_and_none_no_precision() -> None:
    wrong: Any
    for wrong in (True, np.True_, None):
        with pytest.raises(TypeError, match="^precision must be an integer"):
            ArithmeticContext(wrong)


def test_numpy_integers_become_int() -> None:
    seven: Any = np.int16(7)
    zero: Any = np.uint8(0)
    context = ArithmeticContext(seven, e_min=zero, e_max=zero)
    assert context == ArithmeticContext(7, e_min=0, e_max=0)
    assert {type(context.precision), type(context.e_min), type(context.e_max)} == {int}


def test_all_but_the_precision_is_keyword_only_with_the_defaults_of_the_design() -> None:
    positional: Any = ArithmeticContext
    with pytest.raises(TypeError, match="positional"):
        positional(7, RoundingMode.TOWARD_ZERO)
    context = ArithmeticContext(7)
    expected = (7, RoundingMode.TO_NEAREST_EVEN, None, None, False)
    assert dataclasses.astuple(context) == expected


@pytest.mark.parametrize(
    ("made", "bits"),
    [
        (ArithmeticContext.decimal32(), 32),
        (ArithmeticContext.decimal64(), 64),
        (ArithmeticContext.decimal128(), 128),
    ],
)
def test_decimal_interchange_formats_follow_the_formulas_of_ieee_754(
    made: ArithmeticContext, bits: int
) -> None:
    e_max = 3 * 2 ** (bits // 16 + 3)
    assert (made.precision, made.e_max, made.e_min) == (9 * bits // 32 - 2, e_max, 1 - e_max)
    assert made.clamp
    assert made.rounding is RoundingMode.TO_NEAREST_EVEN
    # the same range as the decimal module's, whose Emin and Emax are adjusted exponents too
    module = decimal.Context(made.precision, Emin=made.e_min, Emax=made.e_max, clamp=1)
    assert module.Etiny() == 1 - e_max - made.precision + 1


def test_binary64_is_the_format_of_a_float() -> None:
    made = ArithmeticContext.binary64()
    info = sys.float_info
    assert (made.precision, made.e_min, made.e_max) == (
        info.mant_dig,
        info.min_exp - 1,
        info.max_exp - 1,
    )


def test_there_are_five_rounding_modes() -> None:
    names = "TO_NEAREST_EVEN TOWARD_ZERO TOWARD_POSITIVE TOWARD_NEGATIVE AWAY_FROM_ZERO"
    assert list(RoundingMode.__members__) == names.split()

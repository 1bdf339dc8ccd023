"""Which operands mix, what is a number, and what every error carries."""

import _thread
import builtins
import copy
import enum
import inspect
import itertools
import pickle
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arithmetic.kit import FLOATS, Kind, Outcome, kind_of

from lunaflow import arithmetic
from lunaflow.arithmetic import (
    ArithmeticContext,
    ArithmeticError,
    Err,
    Ok,
    compare_checked,
    div_checked,
    pow_int_checked,
    pow_nat_checked,
    sqrt_checked,
)

SCALARS: list[Any] = [6.0, 6, Fraction(6), Decimal(6)]
BINARY: list[Callable[..., Outcome]] = [div_checked, compare_checked]
UNARY: list[Callable[[Any], Outcome]] = [
    sqrt_checked,
    lambda x: pow_int_checked(x, 2),
    lambda x: pow_nat_checked(x, 2),
]


@pytest.mark.parametrize("operation", BINARY)
@pytest.mark.parametrize(("x", "y"), list(itertools.product(SCALARS, repeat=2)), ids=repr)
def test_the_mixing_table(operation: Callable[..., Outcome], x: Any, y: Any) -> None:
    if type(x) is type(y) or int in {type(x), type(y)}:
        result = operation(x, y).unwrap()
        assert result == (1 if operation is div_checked else 0)
        if operation is div_checked:
            others = {type(x), type(y)} - {int}
            assert type(result) is (others.pop() if others else float)
    else:
        names = f"{type(x).__name__} and {type(y).__name__}"
        with pytest.raises(TypeError, match=f"does not mix {names}"):
            operation(x, y)


@pytest.mark.parametrize(
    "bad", [True, "1", None, [1.0], np.True_, np.array([1.0]), float], ids=repr
)
def test_what_is_no_number_raises(bad: Any) -> None:
    for operation in BINARY:
        for x, y, name in ((bad, 1.0, "x"), (1.0, bad, "y")):
            with pytest.raises(TypeError, match=f"^{name} must be a number.*, not"):
                operation(x, y)
    for unary in UNARY:
        with pytest.raises(TypeError, match="^x must be a number"):
            unary(bad)


NUMBERS = [
    1j,
    np.float32(1),
    np.float16(1),
    np.longdouble(1),
    np.int64(1),
    np.uint8(1),
    np.complex64(1),
]


@pytest.mark.parametrize("number", NUMBERS, ids=repr)
def test_a_type_of_numbers_without_the_operation_is_an_err(number: Any) -> None:
    outcomes = [f(number) for f in UNARY]
    for other in (number, *SCALARS):
        outcomes += [f(*pair) for f in BINARY for pair in ((number, other), (other, number))]
    for outcome in outcomes:
        assert kind_of(outcome) is Kind.UNSUPPORTED_OPERATION
    error = div_checked(number, 1).error  # type: ignore[union-attr]
    assert f"{type(number).__name__} has no div_checked" in error.message


class Metres(float):
    pass


class Small(enum.IntEnum):
    TWO = 2


class Ratio(Fraction):
    pass


class Money(Decimal):
    pass


@pytest.mark.parametrize(
    ("x", "plain"),
    [(np.float64(2), 2.0), (Metres(2), 2.0), (Small.TWO, 2), (Ratio(2), Fraction(2)),
     (Money(2), Decimal(2))],
    ids=repr,
)  # fmt: skip
def test_subclasses_of_the_scalars_count_as_the_scalar(x: Any, plain: Any) -> None:
    for found, expected in (
        (div_checked(x, x), div_checked(plain, plain)),
        (div_checked(x, 4), div_checked(plain, 4)),
        (div_checked(4, x), div_checked(4, plain)),
        (pow_int_checked(x, 2), pow_int_checked(plain, 2)),
    ):
        assert found == expected
        assert type(found.unwrap()) is type(expected.unwrap())
    assert kind_of(sqrt_checked(x)) is kind_of(sqrt_checked(plain))
    assert compare_checked(x, plain) == Ok(0)


@pytest.mark.parametrize("bad", [1.0, True, "1", None, Fraction(1), np.True_], ids=repr)
@pytest.mark.parametrize("x", SCALARS, ids=repr)
def test_an_exponent_is_an_integer(x: Any, bad: Any) -> None:
    for power in (pow_int_checked, pow_nat_checked):
        with pytest.raises(TypeError, match="^n must be an integer"):
            power(x, bad)
        assert power(x, np.int8(2)) == power(x, 2)


@pytest.mark.parametrize("x", SCALARS, ids=repr)
def test_a_context_is_a_context(x: Any) -> None:
    bad: Any
    for bad in (5, "decimal128", ArithmeticContext, False):
        calls: list[Callable[[Any], Outcome]] = [
            lambda c: div_checked(x, x, c),
            lambda c: sqrt_checked(x, ctx=c),
            lambda c: pow_int_checked(x, 1, c),
            lambda c: pow_nat_checked(x, 1, ctx=c),
        ]
        for call in calls:
            with pytest.raises(TypeError, match="^ctx must be an ArithmeticContext or None, not"):
                call(bad)


@pytest.mark.parametrize("zero", [0.0, 0, Fraction(0), Decimal(0)], ids=repr)
def test_an_error_carries_operation_kind_operands_and_the_users_line(zero: Any) -> None:
    failures: dict[str, Any] = {
        "div_checked": lambda: div_checked(zero + 1, zero),
        "sqrt_checked": lambda: sqrt_checked(zero - 1),
        "pow_int_checked": lambda: pow_int_checked(zero, -2),
        "pow_nat_checked": lambda: pow_nat_checked(zero, -2),
    }
    for name, fail in failures.items():
        outcome = fail()
        assert isinstance(outcome, Err)
        error = outcome.error
        assert error.operation == name
        assert error.message.startswith(f"{name}({zero + (name[0] == 'd') - (name[0] == 's')!r}")
        line = fail.__code__.co_firstlineno
        assert error.__notes__ == [f"called at {__file__}:{line}"]
        twin = pickle.loads(pickle.dumps(outcome))
        assert twin == copy.deepcopy(outcome) == outcome
        assert twin.error.__notes__ == error.__notes__


def test_the_errors_are_the_builtin_exceptions_of_their_kind() -> None:
    cases: list[tuple[Outcome, type[Exception]]] = [
        (div_checked(1.0, 0.0), ZeroDivisionError),
        (div_checked(0.0, 0.0), ValueError),
        (div_checked(1e308, 1e-9), OverflowError),
        (compare_checked(float("nan"), 1.0), builtins.ArithmeticError),
    ]
    for outcome, builtin in cases:
        with pytest.raises(builtin) as caught:
            outcome.unwrap()
        assert isinstance(caught.value, ArithmeticError)


def test_operands_of_any_size_make_a_short_message() -> None:
    for outcome in (div_checked(10**10000, 0), pow_int_checked(Decimal(10**5000), 10**5000)):
        assert isinstance(outcome, Err)
        assert len(outcome.error.message) < 300


def test_a_caller_without_python_frames_has_no_line() -> None:
    outcomes: list[Outcome] = []
    _thread.start_new_thread(outcomes.extend, (map(div_checked, [1.0], [0.0]),))
    while not outcomes:
        time.sleep(0.001)
    outcome = outcomes[0]
    assert isinstance(outcome, Err)
    assert outcome.error.kind is Kind.DIVISION_BY_ZERO
    assert not hasattr(outcome.error, "__notes__")


def said(outcome: Outcome) -> Kind | str:
    return outcome.error.kind if isinstance(outcome, Err) else repr(outcome.unwrap())


@given(FLOATS, FLOATS, st.integers(-5, 5))
def test_floats_and_their_subclasses_agree(x: float, y: float, n: int) -> None:
    a, b = Metres(x), np.float64(y)
    assert said(div_checked(a, b)) == said(div_checked(x, y))
    assert said(compare_checked(a, b)) == said(compare_checked(x, y))
    assert said(sqrt_checked(a)) == said(sqrt_checked(x))
    assert said(pow_int_checked(a, n)) == said(pow_int_checked(x, n))


SIGNATURES = {
    "div_checked": "(x, y, ctx=None)",
    "sqrt_checked": "(x, ctx=None)",
    "compare_checked": "(x, y)",
    "pow_nat_checked": "(x, n, ctx=None)",
    "pow_int_checked": "(x, n, ctx=None)",
    "parse_checked": "(text, type, ctx=None)",
}


@pytest.mark.parametrize(("name", "signature"), SIGNATURES.items())
def test_signatures_are_those_of_the_design(name: str, signature: str) -> None:
    function = getattr(arithmetic, name)
    assert str(inspect.signature(function)) == signature
    assert function.__doc__

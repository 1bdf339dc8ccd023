"""Types with methods of the protocols' names, and generic functions written once for all types."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import gmpy2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arithmetic.kit import Kind, kind_of

from lunaflow.arithmetic import (
    ArithmeticContext,
    ArithmeticError,
    CompareChecked,
    DivChecked,
    Err,
    Ok,
    ParseChecked,
    PowIntChecked,
    PowNatChecked,
    SqrtChecked,
    compare_checked,
    div_checked,
    parse_checked,
    pow_int_checked,
    pow_nat_checked,
    register,
    sqrt_checked,
)

T = TypeVar("T", float, Fraction, Decimal, Any)
P = 101


@dataclass(frozen=True)
class Residue:
    """An integer modulo the prime 101, whose order is that of no field."""

    n: int

    def __add__(self, other: "Residue") -> "Residue":
        return Residue((self.n + other.n) % P)

    def div_checked(
        self, other: "Residue", ctx: ArithmeticContext | None = None
    ) -> Ok["Residue"] | Err[ArithmeticError]:
        if other.n == 0:
            return Err(ArithmeticError(Kind.DIVISION_BY_ZERO, "residue 0", component="value"))
        return Ok(Residue(self.n * pow(other.n, -1, P) % P))

    def sqrt_checked(
        self, ctx: ArithmeticContext | None = None
    ) -> Ok["Residue"] | Err[ArithmeticError]:
        root = next((r for r in range(P) if r * r % P == self.n), None)
        if root is None:
            return Err(ArithmeticError(Kind.DOMAIN_ERROR, "no square"))
        return Ok(Residue(root))

    def compare_checked(self, other: "Residue") -> Ok[int] | Err[ArithmeticError]:
        return Ok(0) if self == other else Err(ArithmeticError(Kind.UNORDERED_COMPARISON, "no"))

    def pow_int_checked(
        self, n: int, ctx: ArithmeticContext | None = None
    ) -> Ok["Residue"] | Err[ArithmeticError]:
        if self.n == 0 and n < 0:
            return Err(ArithmeticError(Kind.DIVISION_BY_ZERO, "residue 0"))
        return Ok(Residue(pow(self.n, n, P)))

    @classmethod
    def parse_checked(
        cls, text: str, ctx: ArithmeticContext | None = None
    ) -> Ok["Residue"] | Err[ArithmeticError]:
        return parse_checked(text, int, ctx).map(lambda n: cls(n % P))


RESIDUES = st.integers(0, P - 1).map(Residue)


@given(RESIDUES, RESIDUES, st.integers(-300, 300))
def test_a_users_class_takes_part_by_its_methods(x: Residue, y: Residue, n: int) -> None:
    assert div_checked(x, y) == x.div_checked(y)
    assert sqrt_checked(x) == x.sqrt_checked()
    assert compare_checked(x, y) == x.compare_checked(y)
    assert pow_int_checked(x, n) == x.pow_int_checked(n)
    if n >= 0:
        assert pow_nat_checked(x, n) == x.pow_int_checked(n)
    else:
        assert kind_of(pow_nat_checked(x, n)) is Kind.DOMAIN_ERROR
    assert parse_checked(str(n), Residue) == Ok(Residue(n % P))


def test_the_protocols_are_runtime_checkable() -> None:
    x = Residue(3)
    for protocol in (DivChecked, SqrtChecked, CompareChecked, PowIntChecked, ParseChecked):
        assert isinstance(x, protocol)
        assert not isinstance(3.0, protocol)
    assert not isinstance(x, PowNatChecked)


def test_an_err_of_a_method_is_passed_on_unchanged() -> None:
    error = div_checked(Residue(1), Residue(0)).error  # type: ignore[union-attr]
    assert error.component == "value"
    assert error.operation is None


def test_the_context_goes_to_the_method_unchanged() -> None:
    seen: list[Any] = []

    class Recorder:
        def div_checked(self, other: Any, ctx: Any) -> Any:
            seen.append(ctx)
            return Ok(other)

        def sqrt_checked(self, ctx: Any) -> Any:
            return self.div_checked(self, ctx)

        pow_nat_checked = div_checked

    ctx = ArithmeticContext(9)
    div_checked(Recorder(), "whatever the method takes", ctx)
    sqrt_checked(Recorder(), ctx)
    pow_nat_checked(Recorder(), 2, ctx=ctx)
    assert len(seen) == 3
    assert all(c is ctx for c in seen)
    sqrt_checked(Recorder())
    assert seen[3] is None


def test_methods_go_before_registered_functions_which_fill_gaps() -> None:
    class Number(int):
        def div_checked(self, other: Any, ctx: Any = None) -> Any:
            return Ok("method")

    register(Number, div=lambda x, y, ctx: "registered", sqrt=lambda x, ctx: "registered")
    assert div_checked(Number(1), 2) == Ok("method")
    assert div_checked(2, Number(1)) == Ok("registered")
    assert sqrt_checked(Number(1)) == Ok("registered")


def test_what_a_type_with_methods_lacks_is_unsupported() -> None:
    class OnlyRoot:
        def sqrt_checked(self, ctx: Any = None) -> Any:
            return Ok(self)

        def div_checked(self, other: Any, ctx: Any = None) -> Any:
            return self

    x = OnlyRoot()
    assert kind_of(compare_checked(x, x)) is Kind.UNSUPPORTED_OPERATION
    assert kind_of(pow_int_checked(x, 2)) is Kind.UNSUPPORTED_OPERATION
    assert kind_of(parse_checked("1", OnlyRoot)) is Kind.UNSUPPORTED_OPERATION
    with pytest.raises(TypeError, match=r"result of OnlyRoot.div_checked must be Ok or Err, not"):
        div_checked(x, x)
    with pytest.raises(TypeError, match="does not mix int and OnlyRoot"):
        div_checked(1, x)


def newton_root(x: T, steps: int) -> T:
    """Return the square root of x by Newton's rule, whatever number x is."""
    y: Any = x
    for _ in range(steps):
        y = div_checked(y + div_checked(x, y).unwrap(), 2).unwrap()
    return y  # type: ignore[no-any-return]


@given(st.integers(1, 1000))
def test_newtons_rule_on_all_types(n: int) -> None:
    register(gmpy2.mpq, div=lambda x, y, ctx: x / y)
    for make in (float, int, Fraction, Decimal):
        found = newton_root(make(n), 9)
        assert type(found) is (float if make is int else make)
        assert math.isclose(found, math.sqrt(n), rel_tol=1e-6)
    assert newton_root(gmpy2.mpq(n), 5) == newton_root(Fraction(n), 5)


def continued_fraction(terms: list[Any]) -> Ok[Any] | Err[ArithmeticError]:
    """Return the value of terms[0] + 1/(terms[1] + 1/(...)), or the first failure."""
    result: Ok[Any] | Err[ArithmeticError] = Ok(terms[-1])
    for term in reversed(terms[:-1]):
        result = result.and_then(lambda x: div_checked(1, x))
        if isinstance(result, Err):
            break
        result = Ok(term + result.value)
    return result


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8))
def test_continued_fractions_on_all_types(terms: list[int]) -> None:
    exact = continued_fraction([Fraction(t) for t in terms])
    register(gmpy2.mpq, div=lambda x, y, ctx: x / y)
    assert continued_fraction([gmpy2.mpq(t) for t in terms]).is_ok() == exact.is_ok()
    if isinstance(exact, Err):
        assert exact.error.kind is Kind.DIVISION_BY_ZERO
    positive = [abs(t) + 1 for t in terms]
    value = continued_fraction([Fraction(t) for t in positive]).unwrap()
    makers: list[Callable[[int], Any]] = [float, int, Decimal, gmpy2.mpq]
    for make in makers:
        assert math.isclose(continued_fraction([make(t) for t in positive]).unwrap(), value)

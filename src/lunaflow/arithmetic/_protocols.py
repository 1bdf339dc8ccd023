"""What a type offers to take part in checked operations: one method for each of them."""

from typing import Protocol, Self, runtime_checkable

from lunaflow.arithmetic._context import ArithmeticContext
from lunaflow.arithmetic._errors import ArithmeticError
from lunaflow.arithmetic._result import Err, Ok


@runtime_checkable
class DivChecked(Protocol):
    """A type with checked division."""

    def div_checked(
        self, other: Self, ctx: ArithmeticContext | None = None, /
    ) -> Ok[Self] | Err[ArithmeticError]:
        """Return ``Ok(self / other)``, or the Err that says why there is no quotient."""
        ...


@runtime_checkable
class SqrtChecked(Protocol):
    """A type with checked square root."""

    def sqrt_checked(
        self, ctx: ArithmeticContext | None = None, /
    ) -> Ok[Self] | Err[ArithmeticError]:
        """Return the square root as an Ok, or the Err that says why there is none."""
        ...


@runtime_checkable
class CompareChecked(Protocol):
    """A type with checked comparison."""

    def compare_checked(self, other: Self, /) -> Ok[int] | Err[ArithmeticError]:
        """Return ``Ok(-1)``, ``Ok(0)`` or ``Ok(1)``, or an Err if there is no order."""
        ...


@runtime_checkable
class PowNatChecked(Protocol):
    """A type with checked powers to natural exponents."""

    def pow_nat_checked(
        self, n: int, ctx: ArithmeticContext | None = None, /
    ) -> Ok[Self] | Err[ArithmeticError]:
        """Return ``Ok(self**n)`` for ``n >= 0``, or the Err that says why there is no power."""
        ...


@runtime_checkable
class PowIntChecked(Protocol):
    """A type with checked powers to integer exponents."""

    def pow_int_checked(
        self, n: int, ctx: ArithmeticContext | None = None, /
    ) -> Ok[Self] | Err[ArithmeticError]:
        """Return ``Ok(self**n)``, or the Err that says why there is no power."""
        ...


@runtime_checkable
class ParseChecked(Protocol):
    """A type whose values can be read from text."""

    @classmethod
    def parse_checked(
        cls, text: str, ctx: ArithmeticContext | None = None, /
    ) -> Ok[Self] | Err[ArithmeticError]:
        """Return the number that `text` writes as an Ok, or the Err that says why it is none."""
        ...

"""The numbers that a Dual may hold: which they are, which mix, and what a plain one becomes."""

import contextlib
import decimal
import math
import numbers
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from lunaflow._arguments import reject_type
from lunaflow._texts import text_of
from lunaflow.arithmetic import ArithmeticContext
from lunaflow.arithmetic._decimal_rules import context_of
from lunaflow.arithmetic._failures import Failure
from lunaflow.arithmetic._operations import SCALARS, operations_of

_ACCEPTED = "a real number: float, int, Fraction, Decimal, Dual, or of a registered type"
_NUMPY_FLOATS = (np.float64, np.float32, np.float16)


@dataclass(frozen=True, slots=True)
class Fallen:
    """Why a checked operation has no result, and in which component."""

    path: str
    failure: Failure

    def within(self, component: str) -> "Fallen":
        """Return this as seen from the dual that the failing number is a component of."""
        return Fallen(f"{component}.{self.path}" if self.path else component, self.failure)


def kind_of(x: Any) -> type | None:
    """Return the type whose arithmetic a plain number has, or None if it is no real number."""
    if isinstance(x, np.generic):
        return _kind_of_numpy(x)
    operations = operations_of(type(x))
    if operations is None or operations.owner in SCALARS:
        return None if operations is None else operations.owner
    is_real = isinstance(x, numbers.Real) or not isinstance(x, numbers.Complex)
    return operations.owner if is_real else None


def is_bool(x: Any) -> bool:
    """Return whether `x` is a truth value, which operators take for 0 or 1, as Python does."""
    return isinstance(x, (bool, np.bool_))


def is_number(x: Any) -> bool:
    """Return whether a Dual can be compared with `x` by its value."""
    if isinstance(x, (float, int, numbers.Number, np.number, np.bool_)):
        return True
    return kind_of(x) is not None


def common_kind(value: Any, tangent: Any) -> type:
    """Return the type that the two innermost numbers of a new Dual shall have."""
    kinds = {}
    for name, x in (("value", value), ("tangent", tangent)):
        found = kind_of(x)
        if found is None:
            raise reject_type(name, x, _ACCEPTED)
        kinds[found] = x
    kinds.pop(int, None)
    if len(kinds) == 2:
        raise TypeError(
            f"value and tangent must be numbers of one type, not {type(value).__name__} and "
            f"{type(tangent).__name__} ({text_of(value)} and {text_of(tangent)})"
        )
    return next(iter(kinds), float)


def as_kind(kind: type, name: str, x: Any) -> Any:
    """Return a number of that type: floats as such, ints converted without loss."""
    if isinstance(x, (int, np.integer)):
        return exact_float(name, int(x)) if kind is float else kind(int(x))
    return float(x) if kind is float else x


def exact_float(name: str, x: int) -> float:
    """Return the float that equals an int; ValueError if there is none."""
    try:
        converted = float(x)
    except OverflowError:
        converted = math.inf
    if converted != x:
        raise ValueError(f"{name} has to become a float, and the int {text_of(x)} is not one")
    return converted


def constant(x: Any, model: Any) -> Any:
    """Return `x` as a constant beside duals over the type of `model`; NotImplemented if it is none.

    Raises
    ------
    TypeError
        If it is a number of a type that does not mix.
    OverflowError
        If it is an int beyond the floats.
    """
    wanted = kind_of(model)
    found = int if is_bool(x) else kind_of(x)
    if found is int:
        x = int(x)
    if found is int or found is wanted:
        return float(x) if wanted is float else x
    if found is not None or isinstance(x, (numbers.Number, np.number)):
        raise _no_mix(model, x)
    return NotImplemented


def require_mixing(x: Any, y: Any) -> None:
    """Raise TypeError unless the innermost numbers of two operands are of one type, or int."""
    kinds = {kind_of(x), kind_of(y)} - {int}
    if len(kinds) == 2:
        raise _no_mix(x, y)


def same(x: Any, y: Any) -> bool:
    """Return whether two plain numbers of one type are equal, or both NaN."""
    if isinstance(x, Decimal) and (x.is_nan() or y.is_nan()):
        return x.is_nan() and y.is_nan()
    return bool(x == y or (x != x and y != y))


def require_context(ctx: Any) -> None:
    """Raise TypeError unless `ctx` is a context or None."""
    if ctx is not None and not isinstance(ctx, ArithmeticContext):
        raise reject_type("ctx", ctx, "an ArithmeticContext or None")


def is_finite(x: Any) -> bool:
    """Return whether a plain number is neither infinite nor NaN."""
    if isinstance(x, (float, int, Fraction)):
        return math.isfinite(x) if isinstance(x, float) else True
    return x.is_finite() if isinstance(x, Decimal) else bool(x - x == 0)


def working_context(
    x: Any, ctx: ArithmeticContext | None
) -> contextlib.AbstractContextManager[Any]:
    """Return the context manager under which operators of decimals obey `ctx`."""
    if isinstance(x, Decimal):
        return decimal.localcontext(context_of(ctx))
    return contextlib.nullcontext()


def _kind_of_numpy(x: np.generic) -> type | None:
    if isinstance(x, _NUMPY_FLOATS):
        return float
    # a span of time is an np.integer by descent only
    is_integer = isinstance(x, np.integer) and not isinstance(x, np.timedelta64)
    return int if is_integer else None


def _no_mix(x: Any, y: Any) -> TypeError:
    return TypeError(
        f"duals over {type(x).__name__} do not mix with {type(y).__name__} ({text_of(y)}): only "
        "with their own type and int"
    )

"""The functions of what is no dual: floats as `math` has them, arrays as NumPy has them."""

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lunaflow._texts import text_of
from lunaflow.arithmetic import ArithmeticErrorKind
from lunaflow.arithmetic._failures import Failure
from lunaflow.autodiff import _kernels as kernels
from lunaflow.autodiff._components import kind_of
from lunaflow.autodiff._dual import Dual
from lunaflow.autodiff._rules import Rule
from lunaflow.autodiff._values import Unsupported, maximum, minimum, value_of

_ROUNDED = {"floor": "__floor__", "ceil": "__ceil__", "trunc": "__trunc__"}


def of_others(
    rule: Rule, of_numbers: Callable[..., Any], function: Callable[..., Any], *operands: Any
) -> Any:
    """Return a function's value at operands of which none is a dual, or one is an array."""
    if any(map(is_array, operands)):
        return _of_arrays(rule, function, operands)
    kinds = kinds_of(operands)
    if not kinds - {float}:
        return _of_numbers(rule, of_numbers, operands)
    if len(kinds) > 1:
        raise TypeError(
            f"{rule.name} does not mix {' and '.join(map(text_of, operands))}: numbers mix with "
            "their own type and int"
        )
    if rule.name in _ROUNDED and hasattr(type(operands[0]), _ROUNDED[rule.name]):
        return of_numbers(*operands)
    try:
        return value_of(rule.name, *operands)
    except Unsupported as reason:
        raise unsupported(rule.name, operands, reason) from None


def is_array(x: Any) -> bool:
    """Say whether NumPy's functions know `x` as an array."""
    return hasattr(type(x), "__array_ufunc__") and type(x) is not Dual


def holds_objects(x: Any) -> bool:
    """Say whether the elements of an array are Python objects."""
    return bool(getattr(x, "dtype", None) == np.dtype(object))


def kinds_of(operands: Any) -> set[Any]:
    """Return the types of numbers among the operands, but int."""
    return {kind_of(x) for x in operands} - {int, None}


def unsupported(name: str, operands: Any, reason: Unsupported) -> TypeError:
    """Return the error for numbers whose type has no such function."""
    shown = [text_of(x) for x in operands]
    call = f"{name}({', '.join(shown)})" if name.isidentifier() else f" {name} ".join(shown)
    return TypeError(f"{call}: {reason}; give it floats if rounding does no harm")


def unsupported_failure(reason: Unsupported) -> Failure:
    """Return the same as a failure of the checked rules."""
    return Failure(ArithmeticErrorKind.UNSUPPORTED_OPERATION, str(reason))


def as_type_of(model: Any, x: Any) -> Any:
    """Return a plain number that mixes with `model` as one of its type."""
    return type(model)(x) if isinstance(x, int) else x


def log_to_base(log: Callable[..., Any], x: Any, base: Any) -> Any:
    """Return the logarithm of `x` to a base, where none is a dual, or one is an array."""
    if is_array(x) or is_array(base) or kinds_of((x, base)) - {float}:
        return log(x) / log(base)
    return math.log(x, base)


def of_two_numbers(name: str) -> Callable[..., Any]:
    """Return the function of two plain floats or ints."""
    function: Callable[..., Any] = _OF_TWO_NUMBERS.get(name) or getattr(math, name)
    return function


_OF_TWO_NUMBERS: dict[str, Callable[..., Any]] = {
    "power": math.pow,
    "mod": operator.mod,
    "maximum": maximum,
    "minimum": minimum,
}


def _of_numbers(rule: Rule, of_numbers: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    # what has more digits than a float is not cut
    if rule.numpy is not None and any(isinstance(x, np.longdouble) for x in operands):
        return getattr(np, rule.numpy)(*operands)
    return of_numbers(*operands)


def _of_arrays(rule: Rule, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    if any(map(_is_object, operands)) and all(map(_is_known, operands)):
        refuse_masks(rule.name, operands)
        return elementwise(function, [np.asarray(x, dtype=object) for x in operands])
    if rule.numpy is not None:
        return getattr(np, rule.numpy)(*operands)
    refuse_masks(rule.name, operands)
    return _by_kernel(rule, operands)


def refuse_masks(name: str, operands: Sequence[Any]) -> None:
    """Raise TypeError if an operand is a masked array, where the result would lose the mask."""
    if any(isinstance(x, np.ma.MaskedArray) for x in operands):
        raise TypeError(
            f"{name} of a masked array would lose the mask here: x.compressed() drops the masked "
            "elements, x.data keeps them"
        )


def _is_object(x: Any) -> bool:
    if is_array(x):
        return holds_objects(x)
    return not isinstance(x, (int, float, complex, np.generic, list, tuple))


def _is_known(x: Any) -> bool:
    return isinstance(x, np.ndarray) or not is_array(x)


def _by_kernel(rule: Rule, operands: tuple[Any, ...]) -> Any:
    # NumPy has no such function; of infinite and undefined values it would make as little fuss
    kernel: Any = {**kernels.UNARY, **kernels.BINARY}[rule.name]

    def value(*numbers: Any) -> float:
        components = [part for x in numbers for part in (x, 0.0)]
        number: float = kernel.evaluate_at(*components)[0]
        return number

    kind = np.result_type(*operands)
    values = np.asarray(elementwise(value, operands))
    # as NumPy, a scalar for an array without dimensions
    return values.astype(kind if issubclass(kind.type, np.floating) else float)[()]


def elementwise(function: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """Apply a function of Python objects to the elements of arrays."""
    # NumPy would warn of what a tangent's computation does, not only of the result
    with np.errstate(all="ignore"):
        return np.frompyfunc(function, len(operands), 1)(*operands)

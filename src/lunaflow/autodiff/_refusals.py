"""What a Dual cannot do, and the words that say what to write instead."""

from pickle import PicklingError
from typing import Any

from lunaflow._texts import text_of
from lunaflow.arithmetic import ArithmeticError, ArithmeticErrorKind, Err
from lunaflow.arithmetic._failures import OUT_OF_RANGE, Failure, failed

_TIE = Failure(
    ArithmeticErrorKind.DOMAIN_ERROR,
    "values that tie, with tangents that differ, decide a branch here, which hides a kink or a "
    "special case; write it with fabs, maximum or another elementary function, or, where both "
    'sides join smoothly, compare plain numbers: primal(x); errors="ieee" asks no such question',
)


def out_of_range(operation: str, operands: tuple[Any, ...], component: str) -> ArithmeticError:
    """Return the error of finite operands whose result is not finite."""
    return failed(operation, operands, OUT_OF_RANGE, component).error


def tie(operation: str, operands: tuple[Any, ...]) -> ArithmeticError:
    """Return the error of a comparison that a tie decides."""
    return failed(operation, operands, _TIE).error


def too_large(
    operation: str, operands: tuple[Any, ...], reason: OverflowError
) -> Err[ArithmeticError]:
    """Return the Err of an int operand that no float is near to."""
    failure = Failure(ArithmeticErrorKind.OVERFLOW, str(reason), reason)
    return failed(operation, operands, failure, "value")


def no_mix(operation: str, x: object, y: object) -> TypeError:
    """Return the error for operands that are no numbers of one kind."""
    return TypeError(
        f"{operation} does not mix {text_of(x)} and {text_of(y)}: a Dual mixes with duals and "
        "numbers of its own type, and with int"
    )


def pickling() -> PicklingError:
    """Return the error for a dual that means nothing outside its derivative."""
    return PicklingError(
        "a Dual of a running derivative cannot be pickled: its tangent belongs to that call; "
        "pickle the plain number: primal(x)"
    )


def escaped(x: object) -> ValueError:
    """Return the error for a dual that outlived its derivative."""
    return ValueError(
        f"the function returned {text_of(x)}, a Dual that escaped from another derivative, whose "
        "tangent means nothing here; let an inner derivative return what it computes, and store "
        "only plain numbers: primal(x)"
    )


def outlived(x: object) -> ValueError:
    """Return the error for a dual that is used after its derivative has ended."""
    return ValueError(
        f"{text_of(x)} is a Dual that escaped from another derivative, which has ended, and its "
        "tangent means nothing here; keep no duals between calls, in attributes, caches or globals "
        "(a gradient calls the function once for each variable), but plain numbers: primal(x)"
    )


def storing(dtype: object) -> TypeError:
    """Return the error for writing duals into an array of plain numbers."""
    return TypeError(
        f"an array of {dtype} cannot hold a Dual, whose tangent would be lost: make the array with "
        "dtype=object"
    )


def too_deep(deepest: int) -> ValueError:
    """Return the error for duals over duals over duals ..."""
    return ValueError(
        f"duals made by hand nest at most {deepest} deep: each level doubles the components"
    )


def conversion(call: str, x: object, instead: str) -> TypeError:
    """Return the error for turning a Dual into a plain number."""
    return TypeError(
        f"{call} of {text_of(x)} would lose its tangent: write {instead} for the plain number, for "
        "math.sin(x) and the like lunaflow.autodiff.elementary.sin(x), and store duals in arrays "
        "of dtype object"
    )


def rounding(call: str, x: object) -> TypeError:
    """Return the error for rounding a Dual to an integer."""
    return TypeError(
        f"{call} of {text_of(x)} would lose its tangent: use floor, ceil or trunc of "
        "lunaflow.autodiff.elementary, or round the plain number primal(x)"
    )


def floor_division(operator: str) -> TypeError:
    """Return the error for an integer quotient of duals."""
    return TypeError(
        f"{operator} of a Dual would lose its tangent: write floor(x / y) with floor of "
        "lunaflow.autodiff.elementary, or divide plain numbers: primal(x)"
    )


def exponent(x: object) -> TypeError:
    """Return the error for a Dual as the exponent of two."""
    return TypeError(
        f"the exponent of ldexp must be an int, not {text_of(x)}: write x * exp2(y) for a Dual y"
    )

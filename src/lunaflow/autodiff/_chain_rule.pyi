"""The chain rule for functions that know no duals, one epsilon after the other, outermost first."""

from typing import Any

from lunaflow.autodiff._dual import Dual

def chain(rule: Any, args: tuple[Any, ...]) -> Dual[Any]:
    """Return what the rule says of arguments of which at least one is a Dual.

    Raises
    ------
    ArithmeticError
        If an argument obeys the checked rules, and value or slope do not exist.
    """

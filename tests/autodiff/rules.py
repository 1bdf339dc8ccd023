"""Functions with their derivatives, at module level so that they can be pickled."""

import math
from typing import Any

from lunaflow.autodiff import define_rule


def cube_of(x: Any) -> Any:
    """Return the third power."""
    return x * x * x


def slope_of_cube(x: Any) -> Any:
    return 3 * x * x


def weighted(x: Any, y: Any) -> Any:
    return x * x * y + 2 * y


def slopes_of_weighted(x: Any, y: Any) -> Any:
    return 2 * x * y, x * x + 2


def slope_of_exponential(x: Any) -> Any:
    return exponential(x)


exponential = define_rule(math.exp, slope_of_exponential)

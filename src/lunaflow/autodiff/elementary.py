"""Elementary functions of floats, duals and arrays alike, to be used in place of `math`.

It has the names of `math` in the running Python and its constants, besides ``maximum``, ``minimum``
and ``mod``, and NumPy's spellings of names that differ. Of floats and ints the functions are those
of `math`, with the same values and exceptions; of arrays they are NumPy's; of decimals and
fractions they are exact or obey the decimal context, or raise TypeError; of a `Dual` they carry the
tangent.
"""

import math
import sys
from math import e, inf, nan, pi, tau

from lunaflow._compiled import not_built

try:
    from lunaflow.autodiff._functions import (
        acos,
        acosh,
        asin,
        asinh,
        atan,
        atan2,
        atanh,
        cbrt,
        ceil,
        copysign,
        cos,
        cosh,
        degrees,
        erf,
        erfc,
        exp,
        exp2,
        expm1,
        fabs,
        floor,
        fmod,
        gamma,
        hypot,
        lgamma,
        log,
        log1p,
        log2,
        log10,
        maximum,
        minimum,
        mod,
        pow,  # noqa: A004
        radians,
        remainder,
        sin,
        sinh,
        sqrt,
        tan,
        tanh,
        trunc,
    )
    from lunaflow.autodiff._many import dist, frexp, fsum, ldexp, modf
    from lunaflow.autodiff._of_values import (
        isclose,
        isfinite,
        isinf,
        isnan,
        prod,
        without_slopes,
    )
except ModuleNotFoundError as missing:
    raise not_built(missing) from missing

_OF_INTEGERS = "it takes integers; pass the int itself"
_OF_FLOATS = "it steps from float to float; pass the plain number: primal(x)"

comb = without_slopes(math.comb, _OF_INTEGERS)
factorial = without_slopes(math.factorial, _OF_INTEGERS)
gcd = without_slopes(math.gcd, _OF_INTEGERS)
isqrt = without_slopes(math.isqrt, _OF_INTEGERS)
lcm = without_slopes(math.lcm, _OF_INTEGERS)
perm = without_slopes(math.perm, _OF_INTEGERS)
nextafter = without_slopes(math.nextafter, _OF_FLOATS)
ulp = without_slopes(math.ulp, _OF_FLOATS)

# NumPy's spellings
arccos, arccosh, arcsin, arcsinh = acos, acosh, asin, asinh
arctan, arctan2, arctanh = atan, atan2, atanh
absolute, deg2rad, power, rad2deg = fabs, radians, pow, degrees

__all__ = [
    "absolute",
    "acos",
    "acosh",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "comb",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "dist",
    "e",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "factorial",
    "floor",
    "fmod",
    "frexp",
    "fsum",
    "gamma",
    "gcd",
    "hypot",
    "inf",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "isqrt",
    "lcm",
    "ldexp",
    "lgamma",
    "log",
    "log1p",
    "log2",
    "log10",
    "maximum",
    "minimum",
    "mod",
    "modf",
    "nan",
    "nextafter",
    "perm",
    "pi",
    "pow",
    "power",
    "prod",
    "rad2deg",
    "radians",
    "remainder",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tau",
    "trunc",
    "ulp",
]

if sys.version_info >= (3, 12):
    from lunaflow.autodiff._many import sumprod

    __all__ += ["sumprod"]
if sys.version_info >= (3, 13):
    from lunaflow.autodiff._many import fma

    __all__ += ["fma"]

"""The elementary functions as users call them, made from the table of rules."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, TypeVar, overload

from numpy.typing import NDArray

from lunaflow.autodiff._dual import Dual
from lunaflow.autodiff._rules import Rule

_T = TypeVar("_T")

class OfOne(Protocol):
    """A function of one number."""

    __name__: str
    @overload
    def __call__(self, x: Dual[_T], /) -> Dual[_T]: ...
    @overload
    def __call__(self, x: float, /) -> float: ...
    @overload
    def __call__(self, x: Decimal, /) -> Decimal: ...
    @overload
    def __call__(self, x: Fraction, /) -> Fraction: ...
    @overload
    def __call__(self, x: NDArray[Any], /) -> NDArray[Any]: ...
    @overload
    def __call__(self, x: Any, /) -> Any: ...

class ToInteger(Protocol):
    """A function of one number that rounds: plain numbers to an int, duals to a dual."""

    __name__: str
    @overload
    def __call__(self, x: Dual[_T], /) -> Dual[_T]: ...
    @overload
    def __call__(self, x: float | Decimal | Fraction, /) -> int: ...
    @overload
    def __call__(self, x: NDArray[Any], /) -> NDArray[Any]: ...
    @overload
    def __call__(self, x: Any, /) -> Any: ...

class OfTwo(Protocol):
    """A function of two numbers."""

    __name__: str
    @overload
    def __call__(self, x: Dual[_T], y: Dual[_T] | _T | int, /) -> Dual[_T]: ...
    @overload
    def __call__(self, x: _T | int, y: Dual[_T], /) -> Dual[_T]: ...
    @overload
    def __call__(self, x: float, y: float, /) -> float: ...
    @overload
    def __call__(self, x: NDArray[Any], y: Any, /) -> NDArray[Any]: ...
    @overload
    def __call__(self, x: Any, y: Any, /) -> Any: ...

class Logarithm(Protocol):
    """The natural logarithm, or that to a base."""

    __name__: str
    @overload
    def __call__(self, x: Dual[_T], base: Dual[_T] | _T | int = ..., /) -> Dual[_T]: ...
    @overload
    def __call__(self, x: float, base: float = ..., /) -> float: ...
    @overload
    def __call__(self, x: Any, base: Any = ..., /) -> Any: ...

class Length(Protocol):
    """A function of any number of coordinates."""

    __name__: str
    @overload
    def __call__(self, *coordinates: float) -> float: ...
    @overload
    def __call__(self, *coordinates: Any) -> Any: ...

FUNCTIONS: dict[str, Callable[..., Any]]

acos: OfOne
acosh: OfOne
asin: OfOne
asinh: OfOne
atan: OfOne
atan2: OfTwo
atanh: OfOne
cbrt: OfOne
ceil: ToInteger
copysign: OfTwo
cos: OfOne
cosh: OfOne
degrees: OfOne
erf: OfOne
erfc: OfOne
exp: OfOne
exp2: OfOne
expm1: OfOne
fabs: OfOne
floor: ToInteger
fmod: OfTwo
gamma: OfOne
hypot: Length
lgamma: OfOne
log: Logarithm
log10: OfOne
log1p: OfOne
log2: OfOne
maximum: OfTwo
minimum: OfTwo
mod: OfTwo
mod_operator: OfTwo
pow: OfTwo  # noqa: A001
power_operator: OfTwo
radians: OfOne
remainder: OfTwo
sin: OfOne
sinh: OfOne
sqrt: OfOne
tan: OfOne
tanh: OfOne
trunc: ToInteger

def make_unary(rule: Rule) -> OfOne:
    """Return the function of one argument that the rule describes."""

def make_binary(name: str, rule: Rule, is_operator: bool = False) -> OfTwo:
    """Return the function of two arguments that the rule describes; `name` is for errors."""

def make_choice(rule: Rule) -> OfTwo:
    """Return the function that takes one of its two arguments."""

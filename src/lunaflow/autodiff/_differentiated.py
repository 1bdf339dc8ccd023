"""What a driver returns when no point is given: a function that differentiates at its arguments."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from lunaflow._texts import text_of
from lunaflow.autodiff._call import OMITTED, checked_call, concluded

_R = TypeVar("_R")


@dataclass(frozen=True, slots=True, repr=False)
class Differentiated:
    """A function that takes the arguments of another one, and returns a derivative of it there.

    It holds no state, so threads may share it, and it can be pickled if the function can.

    Parameters
    ----------
    driver : callable
        Such as `lunaflow.autodiff.gradient`.
    function : callable
        What it differentiates.
    argnum : int
        By which argument.
    errors : {"raise", "result", "ieee"}
        As the driver takes it.
    points : int
        How many arguments the driver takes from that place on: 1, or 2 if a direction follows.
    """

    driver: Callable[..., Any]
    function: Callable[..., Any]
    argnum: int = 0
    errors: str = "raise"
    points: int = 1

    def __call__(self, /, *arguments: Any, **keywords: Any) -> Any:
        """Differentiate at `arguments`; keyword arguments go to the function as they are."""
        end = self.argnum + self.points
        if len(arguments) < end:
            raise TypeError(
                f"{self} takes at least {end} positional argument{'s' * (end > 1)}, not "
                f"{len(arguments)}"
            )
        return self.driver(
            partial(self.function, **keywords) if keywords else self.function,
            *arguments[self.argnum : end],
            args=arguments[: self.argnum] + arguments[end:],
            argnum=self.argnum,
            errors=self.errors,
        )

    @property
    def __name__(self) -> str:
        """The text that also is the repr."""
        return repr(self)

    def __repr__(self) -> str:
        options = [name_of(self.function)]
        if self.argnum:
            options.append(f"argnum={self.argnum}")
        if self.errors != "raise":
            options.append(f"errors={self.errors!r}")
        return f"{name_of(self.driver)}({', '.join(options)})"


def name_of(function: Any) -> str:
    """Return what to call a function in a text."""
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else text_of(function, 60)


def drive(
    driver: Callable[..., Any],
    compute: Callable[..., _R],
    f: Any,
    points: tuple[Any, ...],
    args: Any,
    argnum: Any,
    errors: Any,
) -> _R:
    """Check what all drivers take, then differentiate or return the function that does.

    To type checkers this returns what `compute` does; the overloads of `_verbs` know the rest.
    """
    call = checked_call(f, args, argnum, errors)
    given = [point for point in points if point is not OMITTED]
    if len(given) == len(points):
        call.require_room()
        result: _R = concluded(call, compute, *points)
        return result
    if given:
        raise TypeError(f"{driver.__name__} takes both x and v, or neither")
    if call.args:
        raise TypeError(
            f"args belong to a point x: without one, {driver.__name__} returns a function that "
            "takes all arguments of f"
        )
    function: Any = Differentiated(driver, f, call.argnum, call.errors, len(points))
    return function  # type: ignore[no-any-return]

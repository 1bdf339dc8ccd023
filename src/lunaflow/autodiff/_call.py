"""How a driver calls the user's function: beside which arguments, and under which rules."""

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from lunaflow._arguments import as_count, reject_type, require, require_callable
from lunaflow.arithmetic import ArithmeticError, Err, Ok

_R = TypeVar("_R")

MODES = ("raise", "result", "ieee")


class Omitted(enum.Enum):
    """What stands for an argument that was not given, where None would be a mistake."""

    OMITTED = "omitted"

    def __repr__(self) -> str:
        return "<omitted>"


OMITTED: Final = Omitted.OMITTED


@dataclass(frozen=True, slots=True)
class Call:
    """A function and what its driver was told."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    argnum: int
    errors: str

    @property
    def checked(self) -> bool:
        """Whether operations obey the checked rules."""
        return self.errors != "ieee"

    def of(self, variable: Any) -> Any:
        """Call the function with `variable` as its argument number `argnum`."""
        before, after = self.args[: self.argnum], self.args[self.argnum :]
        return self.function(*before, variable, *after)

    def require_room(self) -> None:
        """Raise ValueError if no argument of the function is number `argnum`."""
        if self.argnum > len(self.args):
            raise ValueError(
                f"argnum must be at most the number of other arguments ({len(self.args)} in "
                f"args), not {self.argnum}"
            )


def checked_call(f: Any, args: Any, argnum: Any, errors: Any) -> Call:
    """Return a call of the arguments that all drivers have in common.

    Raises
    ------
    TypeError, ValueError
        If one of them is not what a driver takes.
    """
    require_callable("f", f)
    if not isinstance(args, (tuple, list)):
        raise reject_type("args", args, "a tuple of the other arguments of f")
    require("errors", errors, str, 'the str "raise", "result" or "ieee"')
    if errors not in MODES:
        raise ValueError(f'errors must be "raise", "result" or "ieee", not {errors!r}')
    return Call(f, tuple(args), as_count("argnum", argnum, 0), errors)


def concluded(call: Call, compute: Callable[..., _R], *points: Any) -> Any:
    """Return ``compute(call, *points)``, as a Result if the call asks for one."""
    if call.errors != "result":
        return compute(call, *points)
    try:
        return Ok(compute(call, *points))
    except ArithmeticError as error:
        return Err(error.with_traceback(None))

"""One call with the floating-point flags of the C environment watched."""

from collections.abc import Callable, Mapping
from typing import Any

SHOWN: frozenset[str]

def call_watched(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Any, Exception | None, frozenset[str]]:
    """Return (result, exception, names of the flags raised) of a call; the flags stay as before."""

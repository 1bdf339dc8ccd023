"""From `Dual` to the elementary functions, which know `Dual` and so are found when first called."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def function_of(name: str) -> Callable[..., Any]:
    """Return an elementary function."""
    function: Callable[..., Any] = getattr(import_module("lunaflow.autodiff._functions"), name)
    return function


def elementary_method(name: str) -> Callable[..., Any]:
    """Return the method of that function, for NumPy to call on elements of object arrays."""

    def method(self: Any, *others: Any) -> Any:
        return function_of(name)(self, *others)

    method.__name__ = name
    method.__doc__ = f"Return `lunaflow.autodiff.elementary.{name}` of self."
    return method


@cache
def elementary_named(name: str) -> Callable[..., Any] | None:
    """Return the elementary function that has this name in NumPy, or None."""
    elementary = import_module("lunaflow.autodiff.elementary")
    return getattr(elementary, name, None) if name in elementary.__all__ else None

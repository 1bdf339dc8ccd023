"""How an Err raises: in Python, so that a traceback shows the line and not a compiled module."""

from typing import Any, NoReturn

__all__ = ["unwrap"]


def unwrap(self: Any) -> NoReturn:
    """Raise the error: that very object, without the traceback of an earlier raise."""
    raise self.error.with_traceback(None)

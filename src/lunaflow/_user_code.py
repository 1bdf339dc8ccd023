"""Where in the user's code an operation was called: the file and line an error can name."""

import sys
from types import FrameType

_PACKAGE = __name__.partition(".")[0]


def user_location() -> str | None:
    """Return ``"file:line"`` of the nearest calling frame outside this package, or None."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module != _PACKAGE and not module.startswith(_PACKAGE + "."):
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return None

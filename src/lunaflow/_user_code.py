"""Where in the user's code an operation was called: the file and line an error can name."""

import sys
from types import FrameType

_PACKAGE = __name__.partition(".")[0]


def user_location() -> str | None:
    """Return ``"file:line"`` of the nearest calling frame outside this package, or None."""
    frame, _ = _user_frame()
    return None if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def user_stacklevel() -> int:
    """Return the stacklevel that makes the caller's `warnings.warn` name the user's line."""
    _, depth = _user_frame()
    return depth


def _user_frame() -> tuple[FrameType | None, int]:
    # depth 1 is the function that asked this module
    frame: FrameType | None = sys._getframe(2)
    depth = 1
    while frame is not None and _is_ours(frame):
        frame = frame.f_back
        depth += 1
    return frame, depth


def _is_ours(frame: FrameType) -> bool:
    module = frame.f_globals.get("__name__")
    return isinstance(module, str) and module.partition(".")[0] == _PACKAGE

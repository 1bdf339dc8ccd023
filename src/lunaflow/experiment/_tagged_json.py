"""Events as text: see `lunaflow._stored`."""

from lunaflow._stored import dumps, loads

__all__ = ["dumps", "loads"]

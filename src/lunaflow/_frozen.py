"""Plain data that cannot be changed: read-only mappings, and tuples in the place of lists."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from lunaflow._arguments import reject_type


def freeze(value: Any, checked: Callable[[str, Any], Any], where: str = "environment") -> Any:
    """Return a read-only copy of mappings with keys of str, sequences and other values.

    ``checked(where, value)`` returns what to keep of a value that is neither, or raises.
    """
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise reject_type(f"a key of {where}", key, "a str")
        return MappingProxyType(
            {key: freeze(one, checked, f"{where}[{key!r}]") for key, one in value.items()}
        )
    if isinstance(value, (list, tuple)):
        return tuple(freeze(one, checked, f"{where}[{i}]") for i, one in enumerate(value))
    return checked(where, value)


def thaw(value: Any) -> Any:
    """Return what was frozen as plain dicts and tuples, which pickle can carry."""
    if isinstance(value, Mapping):
        return {key: thaw(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return tuple(thaw(one) for one in value)
    return value

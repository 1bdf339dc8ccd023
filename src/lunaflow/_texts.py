"""Values of users in words: short, on one line, and never an exception."""

import dataclasses
import reprlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np


def text_of(value: object, limit: int = 80) -> str:
    """Return the repr of `value` on one line, in at most `limit` characters.

    What is long is not written out: of long texts, numbers, containers and arrays only the ends are
    looked at. A `__repr__` that raises gives a text that says so.
    """
    return one_line(_Excerpt(limit).repr(value), limit)


def one_line(text: str, limit: int = 200) -> str:
    """Return `text` on one line, cut to `limit` characters."""
    # white space is squeezed, so more than is shown may be needed, but not all of a huge text
    line = " ".join(text[: 10 * limit].split())
    return line if len(line) <= limit and len(text) <= 10 * limit else line[: limit - 3] + "..."


def show_by_fields(cls: type) -> None:
    """Let objects of a compiled class be shown by their ``__match_args__``, as dataclasses are."""
    _SHOWN_BY_FIELDS.add(cls)


_SHOWN_BY_FIELDS: set[type] = set()


class _Excerpt(reprlib.Repr):
    def __init__(self, limit: int) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = limit
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = limit // 3
        self._writers: dict[object, Callable[[Any, int], str]] = {
            int.__repr__: self.repr_int,
            str.__repr__: self._beginning,
            bytes.__repr__: self._beginning,
            bytearray.__repr__: self._beginning,
            list.__repr__: self.repr_list,
            tuple.__repr__: self.repr_tuple,
            dict.__repr__: self.repr_dict,
            set.__repr__: self.repr_set,
            frozenset.__repr__: self.repr_frozenset,
            np.ndarray.__repr__: self.repr_ndarray,
        }

    def repr1(self, x: Any, level: int) -> str:
        """Return the text of one object; reprlib asks here for each item of a container."""
        try:
            return self._text(x, level)
        except Exception as error:
            return f"<{type(x).__name__} whose repr raises {type(error).__name__}>"

    def repr_int(self, x: int, level: int) -> str:
        if x.bit_length() > 1000:
            return f"an integer of {x.bit_length()} bits"
        return super().repr_int(x, level)

    def repr_instance(self, x: Any, level: int) -> str:  # noqa: ARG002
        return repr(x)

    def repr_ndarray(self, x: Any, level: int) -> str:
        if x.dtype.hasobject:
            items = self.repr_list(x.ravel()[: self.maxlist + 1].tolist(), level)
            return f"array({items}, shape={x.shape}, dtype={x.dtype})"
        with np.printoptions(threshold=self.maxlist, edgeitems=3):
            return self.repr_instance(x, level)

    def _text(self, x: Any, level: int) -> str:
        # reprlib itself goes by the name of the class, which a user's class may share
        writer = self._writers.get(type(x).__repr__)
        if writer is not None:
            return writer(x, level)
        if type(x) in _SHOWN_BY_FIELDS:
            return self._fields(x, type(x).__match_args__, level)
        if dataclasses.is_dataclass(x) and _has_generated_repr(type(x)):
            return self._fields(x, (f.name for f in dataclasses.fields(x) if f.repr), level)
        if isinstance(x, tuple) and hasattr(x, "_fields"):
            return self._fields(x, x._fields, level)
        return self.repr_instance(x, level)

    def _beginning(self, x: Any, level: int) -> str:  # noqa: ARG002
        return repr(x) if len(x) <= self.maxstring else f"{repr(x[: self.maxstring])[:-1]}..."

    def _fields(self, x: Any, names: Iterable[str], level: int) -> str:
        name = type(x).__qualname__
        if level <= 0:
            return f"{name}(...)"
        fields = [f"{field}={self.repr1(getattr(x, field), level - 1)}" for field in names]
        return f"{name}({', '.join(fields)})"


def _has_generated_repr(kind: type) -> bool:
    parameters = getattr(kind, "__dataclass_params__", None)
    return parameters is not None and parameters.repr and "__repr__" in vars(kind)

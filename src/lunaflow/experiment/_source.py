"""Values as Python source that makes them again, and the imports which that needs."""

import dataclasses
import decimal
import importlib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from lunaflow._texts import text_of

_EXACT_KINDS = "?biufcSU"
_TIMES = "mM"
_EXTENDED = "gG"


class NoSource(ValueError):
    """A value, or a callable, that cannot be written as source."""


@dataclass(slots=True)
class Source:
    """Collects the import lines that pieces of source need.

    Every method returns an expression and notes its imports; `lines` gives these, sorted.
    """

    _modules: set[str] = field(default_factory=set)
    _names: set[tuple[str, str]] = field(default_factory=set)

    def lines(self) -> list[str]:
        """Return the import lines."""
        by_module: dict[str, list[str]] = {}
        for module, name in sorted(self._names):
            by_module.setdefault(module, []).append(name)
        whole = [f"import {m} as np" if m == "numpy" else f"import {m}" for m in self._modules]
        parts = [f"from {m} import {', '.join(names)}" for m, names in by_module.items()]
        return sorted(whole) + parts

    def add_public(self, name: str) -> None:
        """Note that a name of `lunaflow.experiment` is needed."""
        self._names.add(("lunaflow.experiment", name))

    def name_of(self, what: str, function: Any) -> str:
        """Return the expression for a function or class that can be imported.

        Raises
        ------
        NoSource
            If no import by name gives this very object.
        """
        module, name = _import_name(function)
        if module == "__main__" or _imported(module, name) is not function:
            raise NoSource(
                f"{what} has no import name that a test could use: {text_of(function)}; move it to "
                "the top level of a module"
            )
        if module == "builtins":
            return name
        # by its module: two of them may have functions of one name
        self._modules.add(module)
        return f"np.{name}" if module == "numpy" else f"{module}.{name}"

    def value(self, value: Any) -> str:
        """Return an expression that makes an equal value of the same types.

        Raises
        ------
        NoSource
            If there is something in it that is no number, text, container, array or dataclass.
        """
        writer = self._writer(value)
        if writer is None:
            raise NoSource(
                f"a {type(value).__name__} cannot be written as source: {text_of(value)}"
            )
        return writer(value)

    def _writer(self, value: Any) -> Callable[[Any], str] | None:
        by_type: dict[type, Callable[[Any], str]] = {
            float: _float,
            complex: lambda z: f"complex({_float(z.real)}, {_float(z.imag)})",
            list: lambda items: f"[{self._items(items)}]",
            tuple: self._tuple,
            dict: self._dict,
            set: lambda items: f"{{{self._items(items)}}}" if items else "set()",
            frozenset: lambda items: f"frozenset([{self._items(items)}])",
            bytearray: repr,
            range: repr,
            slice: repr,
            Fraction: self._fraction,
            decimal.Decimal: self._decimal,
            np.ndarray: self._array,
        }
        if value is None or value is Ellipsis or type(value) in {bool, int, str, bytes}:
            return _literal
        if isinstance(value, np.generic):
            return self._scalar
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._dataclass
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return self._named_tuple
        return by_type.get(type(value))

    def _items(self, items: Iterable[Any]) -> str:
        return ", ".join(map(self.value, items))

    def _tuple(self, items: tuple[Any, ...]) -> str:
        return f"({self._items(items)},)" if len(items) == 1 else f"({self._items(items)})"

    def _dict(self, items: dict[Any, Any]) -> str:
        pairs = [f"{self.value(key)}: {self.value(item)}" for key, item in items.items()]
        return f"{{{', '.join(pairs)}}}"

    def _fraction(self, value: Fraction) -> str:
        self._names.add(("fractions", "Fraction"))
        return f"Fraction({value.numerator}, {value.denominator})"

    def _decimal(self, value: decimal.Decimal) -> str:
        self._names.add(("decimal", "Decimal"))
        return f"Decimal({str(value)!r})"

    def _dataclass(self, value: Any) -> str:
        name = self.name_of("the class of a dataclass object", type(value))
        fields = [f for f in dataclasses.fields(value) if f.init]
        return f"{name}({self._arguments(value, [f.name for f in fields])})"

    def _named_tuple(self, value: Any) -> str:
        name = self.name_of("the class of a named tuple", type(value))
        return f"{name}({self._arguments(value, value._fields)})"

    def _arguments(self, value: Any, names: Iterable[str]) -> str:
        return ", ".join(f"{name}={self.value(getattr(value, name))}" for name in names)

    def _scalar(self, value: Any) -> str:
        self._modules.add("numpy")
        if value.dtype.kind in _TIMES or value.dtype.names is not None:
            return f"{self._array(np.asarray(value))}[()]"
        if value.dtype.kind not in _EXACT_KINDS or value.dtype.char in _EXTENDED:
            raise NoSource(f"a {type(value).__name__} cannot be written as source")
        return f"np.{type(value).__name__}({self.value(value.item())})"

    def _array(self, array: Any) -> str:
        self._modules.add("numpy")
        descr = np.lib.format.dtype_to_descr(array.dtype)
        if array.dtype.kind in _TIMES:
            return f"{self._array(array.view(np.int64))}.view({descr!r})"
        exact = array.dtype.kind in _EXACT_KINDS or array.dtype.names is not None
        if array.dtype.hasobject or not exact or array.dtype.char in _EXTENDED:
            raise NoSource(f"an array of dtype {array.dtype} cannot be written as source")
        if array.size == 0:
            return f"np.zeros({array.shape}, dtype={descr!r})"
        order = ', order="F"' if array.flags.f_contiguous and not array.flags.c_contiguous else ""
        return f"np.array({self.value(array.tolist())}, dtype={descr!r}{order})"


def _import_name(function: Any) -> tuple[str, str]:
    # NumPy's ufuncs have no module of their own
    if isinstance(function, np.ufunc):
        return "numpy", function.__name__
    module = getattr(function, "__module__", None) or "__main__"
    return module, getattr(function, "__qualname__", "")


def _imported(module: str, name: str) -> Any:
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found


def _literal(value: Any) -> str:
    if type(value) is int and value.bit_length() > 10_000:
        return hex(value)
    return "..." if value is Ellipsis else repr(value)


def _float(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value}")'

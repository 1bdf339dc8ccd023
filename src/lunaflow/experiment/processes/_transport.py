"""Callables on their way to a fresh interpreter: by import name, else by cloudpickle."""

import contextlib
import io
import pickle
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


class CannotTravel(ValueError):
    """A callable that cannot be given to a fresh interpreter; the message names it.

    Parameters
    ----------
    reason : str
        What cannot travel, and why.
    hint : str
        What to do about it.
    """

    def __init__(self, reason: str, hint: str) -> None:
        self.reason = reason
        super().__init__(f"{reason}; {hint}")
        self._hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        return CannotTravel, (self.reason, self._hint)


def pack(name: str, value: object, inside: Iterable[object] = ()) -> bytes:
    """Return a value as bytes for a fresh interpreter.

    Parameters
    ----------
    name : str
        What the message calls the value.
    value : object
        A function, or data.
    inside : iterable
        The functions that the value holds.

    Raises
    ------
    CannotTravel
        If one has no import name, and cloudpickle is not installed or cannot carry it.
    """
    try:
        by_name = pickle.dumps(value)
    except Exception:
        modules = {getattr(one, "__module__", None) or "__main__" for one in (value, *inside)}
    else:
        modules = _modules_in(by_name)
        if all(map(_importable, modules)):
            return by_name
    return _pack_by_value(name, value, {m for m in modules if not _importable(m)})


def pack_job(job: object) -> bytes:
    """Return a job as the bytes that `unpack_job` takes, with this interpreter's `sys.path`."""
    return pickle.dumps((list(sys.path), pickle.dumps(job)))


def unpack_job(data: bytes) -> Any:
    """Return the job, after taking over the sender's `sys.path`."""
    # the bytes come from our own parent process alone
    path, job = pickle.loads(data)  # noqa: S301
    sys.path[:] = path
    return pickle.loads(job)  # noqa: S301


def pack_value(value: object) -> bytes | None:
    """Return a value as bytes for a fresh interpreter, None if it cannot travel."""
    try:
        return pack("the value", value)
    except CannotTravel:
        return None


def send_back(value: object) -> bytes | None:
    """Return a value as bytes for the interpreter that started this one, None if it cannot travel.

    Objects of classes that came here by cloudpickle are of the same class again over there.
    """
    try:
        return pickle.dumps(value)
    except Exception:
        return _by_cloudpickle(value)


def package_root() -> str | None:
    """Return the folder that a fresh interpreter would not find lunaflow in, None if it would."""
    root = str(Path(__file__).parents[3])
    return None if root in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")} else root


def _by_cloudpickle(value: object) -> bytes | None:
    try:
        import cloudpickle

        data: bytes = cloudpickle.dumps(value)
    except Exception:
        return None
    return data


def _pack_by_value(name: str, value: Any, foreign: set[str]) -> bytes:
    hint = "pass processes=1 to measure in this interpreter"
    try:
        import cloudpickle
    except ImportError:
        raise CannotTravel(
            f"{name} has no import name that a fresh interpreter could use, and cloudpickle is not "
            "installed",
            f"install lunaflow[experiment], or {hint}",
        ) from None
    try:
        with _by_value(cloudpickle, foreign - {"__main__"}):
            data: bytes = cloudpickle.dumps(value)
        lost = sorted(m for m in _modules_in(data) if not _importable(m))
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise CannotTravel(f"{name} cannot be sent to a fresh interpreter ({why})", hint) from error
    if lost:
        raise CannotTravel(f"{name} needs the module {lost[0]}, which cannot be imported", hint)
    return data


@contextlib.contextmanager
def _by_value(cloudpickle: Any, modules: set[str]) -> Iterator[None]:
    # a module that was loaded from a file, but is found on no path, travels with the function
    known = cloudpickle.list_registry_pickle_by_value()
    chosen = [sys.modules[m] for m in modules if m in sys.modules and m not in known]
    for module in chosen:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in chosen:
            cloudpickle.unregister_pickle_by_value(module)


class _ModulesSeen(pickle.Unpickler):
    """Unpickles, and remembers from which modules it took names."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))
        self.modules: set[str] = set()

    def find_class(self, module: str, name: str) -> Any:
        self.modules.add(module)
        return super().find_class(module, name)


def _modules_in(data: bytes) -> set[str]:
    unpickler = _ModulesSeen(data)
    unpickler.load()
    return unpickler.modules


def _importable(module: str) -> bool:
    """Say whether an import by name would find the module, had it not been loaded already."""
    if module == "__main__":
        return False
    path = None
    parts = module.split(".")
    for depth in range(len(parts)):
        spec = _find(".".join(parts[: depth + 1]), path)
        if spec is None:
            return False
        path = spec.submodule_search_locations
    return True


def _find(module: str, path: Any) -> Any:
    # importlib.util.find_spec answers from sys.modules, which a fresh interpreter does not have
    for finder in sys.meta_path:
        spec = finder.find_spec(module, path)
        if spec is not None:
            return spec
    return None

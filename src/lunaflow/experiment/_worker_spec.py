"""What runs in a process of its own: a command, or a Python function in its own interpreter."""

import math
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lunaflow._arguments import as_count, reject_type, require, require_callable, require_text
from lunaflow._texts import text_of
from lunaflow.experiment.processes._codecs import CODECS, Codec

_LARGEST_LIMIT = 2**62


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """How an implementation runs in a process of its own.

    Give either `command` or `call`. Whatever the process does, it costs that one case: it may end,
    hang, print what it likes, or start others, which are all ended with it.

    Parameters
    ----------
    command : sequence of str, optional
        Program and arguments, started anew for every call, without a shell. The input is on its
        standard input and in the file whose path stands for ``{input}`` in an argument. It writes
        its result to the path that stands for ``{result}``, or to the one in the environment
        variable ``LUNAFLOW_RESULT``, never to standard output, and ends with exit code 0.
    call : str or callable, optional
        A Python function, as ``"module:name"`` or itself, in a fresh interpreter that answers many
        calls. A function that has no import name travels by cloudpickle, to the same Python alone.
    python : path-like, optional
        The interpreter of `call`, such as ``"old/bin/python"`` of another virtual environment, of
        Python 3.9 or newer; neither lunaflow nor NumPy need be there. Default: this one, with the
        same ``sys.path``. Another one starts with its own, and the working directory before it.
    stateful : bool
        Whether `call` is ``f(input, step, context)``. What it returns hands the context on as it
        is, unless it has the attributes ``outcome`` and ``next_context``, as `OperationResult` has.
        Default: ``f(input)``.
    initial_context : object
        The context of the first step; it must be picklable.
    encode, decode : {"json", "text", "bytes", "npy"} or callable
        How a command's input becomes bytes, and its bytes the result. ``"json"`` writes arrays as
        lists.
    environment : mapping of str to str
        Variables to set, beside those of this process.
    folder : path-like, optional
        The working directory.
    time_limit : float
        Seconds that one call, or one timed batch of calls, may take.
    start_limit : float
        Seconds that the start of the interpreter of `call`, and its imports, may take.
    memory_limit : int, optional
        Bytes of address space that a process may take.
    output_limit : int
        Bytes that a call may print, and that the result of a command may have.

    Raises
    ------
    TypeError, ValueError
        If an argument is of a wrong type or value.
    """

    command: Sequence[str] | None = None
    call: str | Callable[..., Any] | None = None
    _: KW_ONLY
    python: str | os.PathLike[str] | None = None
    stateful: bool = False
    initial_context: Any = None
    encode: Codec | Callable[[Any], bytes] = "json"
    decode: Codec | Callable[[bytes], Any] = "json"
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str | os.PathLike[str] | None = None
    time_limit: float = 60.0
    start_limit: float = 60.0
    memory_limit: int | None = None
    output_limit: int = 2**28

    def __post_init__(self) -> None:
        if (self.command is None) == (self.call is None):
            raise ValueError("a WorkerSpec needs a command or a call, and not both")
        if self.command is not None:
            object.__setattr__(self, "command", _as_command(self.command))
            self._refuse_with_command()
        elif isinstance(self.call, str):
            _require_named(self.call)
        else:
            require_callable("call", self.call)
        require("stateful", self.stateful, bool, "a bool")
        for name in ("python", "folder"):
            object.__setattr__(self, name, _as_text_path(name, getattr(self, name)))
        for name in ("encode", "decode"):
            _require_codec(name, getattr(self, name))
        object.__setattr__(self, "environment", _as_environment(self.environment))
        for name in ("time_limit", "start_limit"):
            object.__setattr__(self, name, _as_seconds(name, getattr(self, name)))
        if self.memory_limit is not None:
            object.__setattr__(self, "memory_limit", _as_limit("memory_limit", self.memory_limit))
        object.__setattr__(self, "output_limit", _as_limit("output_limit", self.output_limit))

    @property
    def is_there(self) -> bool:
        """Whether there is a program to start."""
        program = self.program
        if program is None:
            return True
        if self.command is not None and os.sep in program:
            program = str(Path(os.fspath(self.folder or "."), program))
        return shutil.which(program, path=self.environment.get("PATH")) is not None

    @property
    def program(self) -> str | None:
        """What has to be there to be started; None for this interpreter."""
        return self.command[0] if self.command is not None else self._python_text()

    def __reduce__(self) -> tuple[Any, ...]:
        # a mappingproxy cannot be pickled
        names = [name for name in self.__dataclass_fields__ if name != "_"]
        return _made, (
            {name: getattr(self, name) for name in names if name != "environment"},
            dict(self.environment),
        )

    def __hash__(self) -> int:
        return hash((self.command, self.call, self.python, self.time_limit, self.memory_limit))

    def _python_text(self) -> str | None:
        return None if self.python is None else os.fspath(self.python)

    def _refuse_with_command(self) -> None:
        for name, default in (("python", None), ("stateful", False), ("initial_context", None)):
            if getattr(self, name) is not default:
                raise ValueError(f"{name} goes with a call, not with a command")


def _made(fields: dict[str, Any], environment: dict[str, str]) -> WorkerSpec:
    return WorkerSpec(**fields, environment=environment)


def _as_command(given: object) -> tuple[str, ...]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise reject_type("command", given, "a sequence of str, a program and its arguments")
    command = tuple(given)
    for position, word in enumerate(command):
        require_text(f"command[{position}]", word)
        if "\0" in word:
            raise ValueError(f"command[{position}] must hold no NUL character: {text_of(word)}")
    if not command or not command[0]:
        raise ValueError("command must begin with a program, not be empty")
    return command


def _require_named(call: str) -> None:
    module, colon, name = call.partition(":")
    parts = [*module.split("."), *name.split(".")]
    if not colon or not all(part.isidentifier() for part in parts):
        raise ValueError(f"call must be 'module:name', such as 'numpy:sort', not {text_of(call)}")


def _require_codec(name: str, given: object) -> None:
    if isinstance(given, str):
        if given not in CODECS:
            raise ValueError(f"{name} must be one of {', '.join(CODECS)}, not {text_of(given)}")
    else:
        require_callable(name, given)


def _as_text_path(name: str, given: object) -> str | None:
    if given is None:
        return None
    require(name, given, (str, os.PathLike), "a path or None")
    text = os.fspath(given)  # type: ignore[call-overload]
    require_text(name, text)
    # not resolved: an environment's python is a link whose place says which environment
    return str(Path(text).absolute()) if os.sep in text else str(text)


def _as_environment(given: object) -> Mapping[str, str]:
    require("environment", given, Mapping, "a mapping of str to str")
    variables = dict(given)  # type: ignore[call-overload]
    for name, value in variables.items():
        require_text("a name in environment", name)
        require_text(f"environment[{name!r}]", value)
        if not name or "=" in name or "\0" in name + value:
            raise ValueError(f"environment cannot hold {text_of(name)}: {text_of(value)}")
    return MappingProxyType(variables)


def _as_seconds(name: str, given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise reject_type(name, given, "a number of seconds")
    if not (math.isfinite(given) and 0 < given <= 1e6):
        raise ValueError(f"{name} must be above 0 and at most 1000000 seconds, not {given}")
    return float(given)


def _as_limit(name: str, given: object) -> int:
    number = as_count(name, given, 1)
    if number > _LARGEST_LIMIT:
        raise ValueError(f"{name} must be at most {_LARGEST_LIMIT} bytes, not {text_of(number)}")
    return number

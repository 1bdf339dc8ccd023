"""One of the implementations that should compute the same."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lunaflow._arguments import require, require_callable, require_text
from lunaflow.arithmetic._same_value import equal_or_same, value_hash
from lunaflow.experiment._worker_spec import WorkerSpec
from lunaflow.experiment.processes.standalone._steps import Run, Stateless


@dataclass(frozen=True, slots=True, eq=False)
class Implementation:
    """An implementation: who it is, and how it is called.

    It is made by `in_process`, `stateless` or `worker`.

    Parameters
    ----------
    id : str
        Its name within the experiment.
    version : str
        Which version; a run of another one is not resumed. It may be empty.
    run : callable or None
        ``run(input, step, context)``; None of a worker.
    initial_context : object
        The context that the first step of a sequence starts from; each sequence gets a copy.
    synchronize : callable or None
        ``synchronize(returned)`` waits for the work behind what a call returned.
    spec : WorkerSpec or None
        How it runs in a process of its own.
    """

    id: str
    version: str
    run: Run | None
    initial_context: Any
    synchronize: Callable[[Any], object] | None
    spec: WorkerSpec | None

    def __post_init__(self) -> None:
        require_text("id", self.id)
        require_text("version", self.version)

    @classmethod
    def in_process(
        cls,
        id: str,  # noqa: A002
        version: str,
        run: Run,
        *,
        initial_context: Any = None,
        synchronize: Callable[[Any], object] | None = None,
    ) -> "Implementation":
        """Return an implementation that runs beside the others, with a context from step to step.

        Parameters
        ----------
        id, version : str
            Name and version.
        run : callable
            ``run(input, step, context)`` returns an `OperationResult` with the context of the next
            step, or an outcome or value alone, which leaves the context as it was.
        initial_context : object
            The context of the first step.
        synchronize : callable, optional
            ``synchronize(returned)`` waits until the work behind what was returned is done, where
            that goes on elsewhere (on an accelerator). It belongs to the call: inside the clock.
        """
        require_callable("run", run)
        if synchronize is not None:
            require_callable("synchronize", synchronize)
        return cls(id, version, run, initial_context, synchronize, None)

    @classmethod
    def stateless(
        cls,
        id: str,  # noqa: A002
        version: str,
        f: Callable[[Any], Any],
    ) -> "Implementation":
        """Return an implementation that is ``f(input)``, whatever the step."""
        require_callable("f", f)
        return cls(id, version, Stateless(f), None, None, None)

    @classmethod
    def worker(
        cls,
        id: str,  # noqa: A002
        version: str,
        spec: WorkerSpec,
    ) -> "Implementation":
        """Return an implementation that runs in a process of its own."""
        require("spec", spec, WorkerSpec, "a WorkerSpec")
        return cls(id, version, None, None, None, spec)

    @property
    def function(self) -> Callable[[Any], Any] | None:
        """The function of the input alone that the whole implementation is, None if it is more."""
        plain = isinstance(self.run, Stateless) and self.synchronize is None
        return self.run.function if plain else None  # type: ignore[union-attr]

    def step(self, given: Any, step: int, context: Any) -> Any:
        """Run one step, its work waited for; only where it runs in this process."""
        if self.run is None:
            raise TypeError(f"{self.id} is a worker, which does not run in this process")
        returned = self.run(given, step, context)
        if self.synchronize is not None:
            self.synchronize(returned)
        return returned

    def _key(self) -> tuple[Any, ...]:
        run = self.run.function if isinstance(self.run, Stateless) else self.run
        return self.id, self.version, run, self.synchronize, self.spec

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Implementation):
            return NotImplemented
        same_context = equal_or_same(self.initial_context, other.initial_context)
        return self._key() == other._key() and same_context

    def __hash__(self) -> int:
        return hash((self._key(), value_hash(self.initial_context)))

"""An experiment: implementations that should compute the same, compared over sizes."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from lunaflow._arguments import as_count, reject_type, require_callable, require_text
from lunaflow.experiment._fixture import Fixture, Materialize, require_maker
from lunaflow.experiment._implementation import Implementation
from lunaflow.experiment._judging import reference_of
from lunaflow.experiment._oracles import ReferenceOracle, ReferenceRaised, reference_raised
from lunaflow.experiment._outcomes import outcome_of_exception
from lunaflow.experiment._protocol import DEVELOPMENT, Protocol, ProtocolPreset, as_protocol
from lunaflow.experiment._relational import Oracle
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._shrink import Shrinker
from lunaflow.experiment._spec import (
    BenchSpec,
    ValidatedBenchPlan,
    as_scales,
    name_issue,
    scale_issues,
)
from lunaflow.experiment._worker_spec import WorkerSpec
from lunaflow.experiment.engine._progress import Report
from lunaflow.experiment.engine._run import RunContext
from lunaflow.experiment.engine._run import run as run_plan
from lunaflow.experiment.events import EventWriter

Function = Callable[[Any], Any]
"""Takes an input and returns the result."""


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """Implementations to validate against each other and to time, over sizes.

    Every implementation is validated on the inputs of each size that the protocol draws, and timed
    on them if it is right on all. This finds what is wrong on these inputs; it does not search for
    inputs on which an implementation is wrong, as property tests do. It is the short form of a
    `BenchSpec` whose inputs nobody may change.

    Parameters
    ----------
    name : str
        Name; with seed and size it determines the inputs.
    implementations : mapping of str to callable or WorkerSpec
        ``implementation(input)`` returns the result and leaves the input as it is. A twin of each
        takes part as its A/A control, under its name with ``" (control)"`` behind.
    sizes : iterable of int
        The scales, strictly ascending, not negative.
    make : callable
        ``make(size, rng)`` returns the input of a size; `rng` is a `numpy.random.Generator` that is
        the same for the same seed, name and size.
    reference : callable, optional
        ``reference(input)`` returns the expected result; an exception is a failure of the
        reference. Default: the first implementation.
    oracle : ReferenceOracle, RelationalOracle or ReferenceAndRelational, optional
        Says which results are right, instead of `reference`. Default:
        ``ReferenceOracle.equal("equal", reference)``, which wants a value; to expect exceptions
        where the reference raises one, give ``ReferenceOracle.same_outcome("traps", reference)``.
    shrinker : Shrinker, optional
        Makes failing inputs small. Default: `candidates.by_type`, for thirty seconds a failure at
        most, where functions are called in an interpreter of their own; an input of a type that
        it does not know stays as it is. ``Shrinker(lambda given: ())`` leaves all as they are.
    protocol : Protocol or ProtocolPreset
        How much is measured.
    seed : int
        Seed of inputs, orders and intervals, at least 0.
    processes : int, optional
        Fresh interpreters to measure in; the protocol's by default. With 1, callables that cannot
        be sent to another interpreter are validated and measured in this one.

    Raises
    ------
    TypeError, ValueError
        If an argument is of a wrong type or value.
    """

    name: str
    implementations: Mapping[str, Function | WorkerSpec]
    _: KW_ONLY
    sizes: Iterable[int]
    make: Materialize
    reference: Function | None = None
    oracle: Oracle | None = None
    shrinker: Shrinker | None = None
    protocol: Protocol | ProtocolPreset = DEVELOPMENT
    seed: int = 0
    processes: int | None = None

    def __post_init__(self) -> None:
        _require_name("name", self.name)
        object.__setattr__(self, "implementations", _as_implementations(self.implementations))
        object.__setattr__(self, "sizes", _as_sizes(self.sizes))
        require_maker("make", self.make)
        _require_oracle(self.reference, self.oracle)
        if self.shrinker is not None and not isinstance(self.shrinker, Shrinker):
            raise reject_type("shrinker", self.shrinker, "a Shrinker or None")
        object.__setattr__(self, "seed", as_count("seed", self.seed, 0))
        if self.processes is not None:
            object.__setattr__(self, "processes", as_count("processes", self.processes, 1))
        self.resolved_protocol()

    def resolved_protocol(self) -> Protocol:
        """Return the protocol with this experiment's number of processes."""
        protocol = as_protocol(self.protocol)
        return protocol if self.processes is None else replace(protocol, processes=self.processes)

    def plan(self) -> ValidatedBenchPlan:
        """Return the plan that `run` runs.

        Raises
        ------
        InvalidBenchSpec
            If a worker's program is not there.
        """
        reference = self._reference_among_them()
        oracle = self.oracle
        if oracle is None and reference is None:
            oracle = ReferenceOracle.equal("equal", _ExpectedValue(self.reference))
        spec = BenchSpec(
            self.name,
            Fixture.immutable(self.make),
            tuple(_implementation(name, one) for name, one in self.implementations.items()),
            oracle,
            self.sizes,
            shrinker=self.shrinker,
            reference=reference,
        )
        return spec.compile().unwrap()

    def run(
        self,
        *,
        events: str | os.PathLike[str] | EventWriter | None = None,
        progress: bool | Report = True,
        resume: bool = False,
    ) -> ExperimentResult:
        """Validate, measure and compare.

        Parameters
        ----------
        events : str, path-like or EventWriter, optional
            Where the events are appended, one JSON line each, as they happen. A run that is killed
            leaves a file that `read_run` reads, and that `resume` goes on from.
        progress : bool or callable
            Whether to show a bar (on a terminal, if rich is installed), or a function to call with
            ``(done, total, text)``.
        resume : bool
            Whether to go on from what `events` holds of this experiment. The observations are the
            same in the end as those of a run that nobody has interrupted: a size that a process had
            not measured to the end is measured by a fresh one from its beginning. An experiment
            that has come to its end is not run again; one that has not begun begins.

        Returns
        -------
        ExperimentResult
            Built from the events alone.

        Raises
        ------
        CannotTravel
            Before anything runs, if a callable cannot be sent to a fresh interpreter and more than
            one process is to measure.
        CannotResume
            Before anything runs, if the events are of another experiment, seed, version or machine.
        EventFileError
            If the events cannot be read or written.
        """
        if events is not None and not isinstance(events, (str, os.PathLike, EventWriter)):
            raise reject_type("events", events, "a path, an EventWriter or None")
        if resume and events is None:
            raise ValueError("to resume, give the events file of the run")
        context = RunContext(
            self.seed,
            sink=events,
            protocol=self.resolved_protocol(),
            progress=progress,
            resume=resume,
        )
        return run_plan(self.plan(), context).result

    def _reference_among_them(self) -> str | None:
        """Return the name of the implementation that is the reference, None if none is."""
        if self.oracle is not None:
            return None
        names = iter(self.implementations)
        if self.reference is None:
            return next(names)
        given = self.reference
        return next((name for name in names if self.implementations[name] is given), None)


@dataclass(frozen=True, slots=True)
class _ExpectedValue:
    """A reference that is to give a value; an exception says how to expect exceptions."""

    reference: Any

    def __call__(self, argument: Any) -> Any:
        try:
            return self.reference(argument)
        except Exception as error:
            trap = outcome_of_exception(error).trap
            raise ReferenceRaised(reference_raised(self.reference, trap)) from error


def compare(
    f: Function,
    g: Function,
    *,
    sizes: Iterable[int],
    make: Materialize,
    reference: Function | None = None,
    oracle: Oracle | None = None,
    shrinker: Shrinker | None = None,
    protocol: Protocol | ProtocolPreset = DEVELOPMENT,
    seed: int = 0,
    processes: int | None = None,
    events: str | os.PathLike[str] | EventWriter | None = None,
    progress: bool | Report = True,
    resume: bool = False,
) -> ExperimentResult:
    """Compare two functions: the shortest way to an `ExperimentResult`.

    They go by their ``__name__``, or by ``"f"`` and ``"g"`` where they have none of their own. The
    other arguments are those of `Experiment` and `Experiment.run`.
    """
    require_callable("f", f)
    require_callable("g", g)
    a, b = _names(f, g)
    experiment = Experiment(
        f"{a} and {b}",
        {a: f, b: g},
        sizes=sizes,
        make=make,
        reference=reference,
        oracle=oracle,
        shrinker=shrinker,
        protocol=protocol,
        seed=seed,
        processes=processes,
    )
    return experiment.run(events=events, progress=progress, resume=resume)


def _names(f: Function, g: Function) -> tuple[str, str]:
    names = [getattr(function, "__name__", "<none>") for function in (f, g)]
    if names[0] == names[1] or any(name.startswith("<") for name in names):
        return "f", "g"
    return names[0], names[1]


def _implementation(name: str, given: Function | WorkerSpec) -> Implementation:
    if isinstance(given, WorkerSpec):
        return Implementation.worker(name, "", given)
    return Implementation.stateless(name, "", given)


def _as_implementations(given: object) -> dict[str, Function | WorkerSpec]:
    if not isinstance(given, Mapping):
        raise reject_type("implementations", given, "a dict of names and callables")
    if not given:
        raise ValueError("implementations must hold at least one implementation, not none")
    for name, function in given.items():
        require_text("a name in implementations", name)
        if (issue := name_issue("a name in implementations", name)) is not None:
            raise ValueError(str(issue))
        if not isinstance(function, WorkerSpec):
            require_callable(f"implementations[{name!r}]", function)
    return dict(given)


def _as_sizes(given: object) -> tuple[int, ...]:
    sizes = as_scales("sizes", given)
    for issue in scale_issues("sizes", sizes):
        raise ValueError(str(issue))
    return sizes


def _require_name(what: str, given: object) -> None:
    if not isinstance(given, str):
        raise reject_type(what, given, "a str")
    if not given.strip():
        raise ValueError(f"{what} must not be empty or blank, not {given!r}")


def _require_oracle(reference: object, oracle: object) -> None:
    if reference is not None:
        require_callable("reference", reference)
    if oracle is not None:
        reference_of(oracle)
    if reference is not None and oracle is not None:
        raise ValueError("the oracle brings its own reference: give reference or oracle, not both")

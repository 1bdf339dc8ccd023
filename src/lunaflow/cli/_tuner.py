"""The experiments of ``lunaflow tune``, one a kernel and element type, and the tuning they give."""

from collections.abc import Callable, Mapping

from lunaflow.cli._inputs import Inputs
from lunaflow.cli._kernels import KERNELS, Native, oracle_for
from lunaflow.experiment import (
    DEVELOPMENT,
    CannotResume,
    EventWriter,
    Experiment,
    ExperimentResult,
    Label,
    Protocol,
    RunContext,
    RunRecord,
    read_run,
    recorded_run,
)
from lunaflow.experiment.engine._progress import Report
from lunaflow.experiment.engine._resume import earlier_run
from lunaflow.policy import DeploymentPolicy, Fallback, Global, PolicySet
from lunaflow.runtime._machine import machine
from lunaflow.runtime._tuning_file import PARALLEL, SERIAL

QUICK = Protocol("tune --quick", pairs=20, processes=5, batch_seconds=0.0005)


def lengths(quick: bool) -> tuple[int, ...]:
    """Return the powers of two to measure at: from 2**8 to 2**20 (quick) or 2**24."""
    return tuple(1 << power for power in range(8, 21 if quick else 25))


class Tuner:
    """Validates and measures kernels, serial against parallel, with NumPy's own beside them.

    Parameters
    ----------
    kernels : tuple of str
        Names in `KERNELS`.
    inputs : mapping
        What each element type is measured on.
    sizes : tuple of int
        Lengths, ascending.
    quick : bool
        Whether to measure fewer pairs.
    seed : int
        Seed of inputs and orders.
    """

    def __init__(
        self,
        kernels: tuple[str, ...],
        inputs: Mapping[str, Inputs],
        sizes: tuple[int, ...],
        *,
        quick: bool,
        seed: int,
    ) -> None:
        here = machine()
        self._workers: int = here["cpus"] if here["openmp"] else 1
        self._experiments = [
            self._experiment(kernel, element_type, given, sizes, quick, seed)
            for kernel in kernels
            for element_type, given in inputs.items()
        ]
        self._seed = seed

    @property
    def fallback_reason(self) -> str | None:
        """Why there is nothing parallel to measure, or None."""
        if self._workers > 1:
            return None
        return "this build or process has one thread: there is no parallel kernel to measure"

    def run(self, writer: EventWriter, report: Report, *, resume: bool) -> None:
        """Run every experiment into one file of events; `report` hears of the whole.

        To resume is to go on from what the file holds.
        """
        total = len(self._experiments)
        with recorded_run(writer, seed=self._seed):
            for position, experiment in enumerate(self._experiments):
                part = _part(report, position, total)
                experiment.run(events=writer, progress=part, resume=resume)

    def require_resumable(self, writer: EventWriter) -> None:
        """Raise CannotResume if a file of events is of another run."""
        known = {experiment.name for experiment in self._experiments}
        others = [e.name for e in read_run(writer.path).experiments if e.name not in known]
        if others:
            begun = ", ".join(dict.fromkeys(others))
            raise CannotResume(writer.path, (f"kernels: there {begun}, here not",))
        for experiment in self._experiments:
            protocol = experiment.resolved_protocol()
            context = RunContext(self._seed, sink=writer, protocol=protocol, resume=True)
            earlier_run(experiment.plan(), context, protocol)

    def _experiment(
        self,
        kernel: str,
        element_type: str,
        inputs: Inputs,
        sizes: tuple[int, ...],
        quick: bool,
        seed: int,
    ) -> Experiment:
        implementations: dict[str, Callable[..., object]] = {SERIAL: Native(kernel, 1)}
        if self._workers > 1:
            implementations[PARALLEL] = Native(kernel, self._workers)
        implementations["numpy"] = KERNELS[kernel].numpy
        return Experiment(
            f"{kernel} {element_type}",
            implementations,
            sizes=sizes,
            make=inputs,
            oracle=oracle_for(kernel),
            protocol=QUICK if quick else DEVELOPMENT,
            seed=seed,
        )


def tuning_of(record: RunRecord, fallback_reason: str | None) -> PolicySet:
    """Return the tuning that a record supports: policies by kernel and element type.

    A kernel of which one side wins at all lengths that were decided, but that is undecided at the
    longest one, has no policy: the library's own rule is a better guess for what lies beyond. Nor
    has one whose serial form failed.
    """
    policies = {
        kernel_and_type(experiment): policy
        for experiment in record.experiments
        if (policy := _policy(experiment, fallback_reason)) is not None
    }
    return PolicySet(policies, machine())


def kernel_and_type(experiment: ExperimentResult) -> tuple[str, str]:
    """Return the kernel and the element type that an experiment is about."""
    kernel, element_type = experiment.name.split()
    return kernel, element_type


def _policy(experiment: ExperimentResult, fallback_reason: str | None) -> DeploymentPolicy | None:
    if fallback_reason is not None:
        return Fallback(SERIAL, fallback_reason)
    if any(failure.implementation == SERIAL for failure in experiment.failures):
        return None
    policy = experiment.policy(SERIAL, PARALLEL, fallback=SERIAL)
    at_longest = experiment.labels(SERIAL, PARALLEL)[-1]
    return None if isinstance(policy, Global) and at_longest is Label.UNKNOWN else policy


def _part(report: Report, position: int, total: int) -> Report:
    # each experiment counts its own steps; the bar shows them as one part of the whole
    def of_whole(done: int, steps: int, text: str) -> object:
        return report(position * 1000 + 1000 * done // steps, total * 1000, text)

    return of_whole

"""What belongs to one run of one plan."""

from dataclasses import dataclass

from lunaflow.experiment._protocol import Protocol
from lunaflow.experiment._spec import ValidatedBenchPlan
from lunaflow.experiment.engine._parcel import Parcel, Parts
from lunaflow.experiment.engine._progress import StepCounter
from lunaflow.experiment.engine._standing import Standing
from lunaflow.experiment.engine._story import Story


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """One run of one plan.

    Parameters
    ----------
    plan : ValidatedBenchPlan
        What is run.
    parts, parcel : Parts, Parcel or None
        Its implementations, and the same for fresh interpreters; None to stay in this one.
    protocol : Protocol
        How much is validated and measured.
    seed : int
        Seed of inputs and orders.
    standing : Standing
        How far the run is; kept up to date.
    story : Story
        Takes what is found.
    counter : StepCounter
        Is told of each step.
    """

    plan: ValidatedBenchPlan
    parts: Parts
    parcel: Parcel | None
    protocol: Protocol
    seed: int
    standing: Standing
    story: Story
    counter: StepCounter

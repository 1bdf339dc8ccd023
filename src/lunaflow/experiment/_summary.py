"""What a run came to: what was validated, on how much, and what was found."""

from collections.abc import Iterator
from dataclasses import dataclass

from lunaflow.experiment._outcomes import ExpectedDifference
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._statuses import Valid
from lunaflow.experiment._texts import counted, words


@dataclass(frozen=True, slots=True)
class Coverage:
    """On how much one implementation was validated.

    Parameters
    ----------
    implementation : str
        Which one.
    sizes : int
        At how many sizes.
    inputs : int
        On how many different inputs, over all sizes.
    calls : int
        In how many calls; a sequence has several on one input.
    right_sizes : int
        At how many sizes it was right on every input.
    """

    implementation: str
    sizes: int
    inputs: int
    calls: int
    right_sizes: int

    def __str__(self) -> str:
        calls = "" if self.calls == self.inputs else f" in {counted(self.calls, 'call')}"
        return (
            f"{self.implementation}: right at {self.right_sizes} of {counted(self.sizes, 'size')}, "
            f"validated on {counted(self.inputs, 'input')}{calls}"
        )


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run came to.

    Parameters
    ----------
    result : ExperimentResult
        Observations, verdicts and failures.
    coverage : tuple of Coverage
        One an implementation.
    odd_ones_out : tuple of (int, str)
        Sizes, and the implementation that disagrees there with all others, which agree.
    """

    result: ExperimentResult
    coverage: tuple[Coverage, ...]
    odd_ones_out: tuple[tuple[int, str], ...]

    @property
    def is_right(self) -> bool:
        """Whether nothing failed."""
        return not self.result.failures

    def __str__(self) -> str:
        lines = [str(self.result), *map(str, self.coverage)]
        for name in dict.fromkeys(name for _, name in self.odd_ones_out):
            sizes = [str(size) for size, one in self.odd_ones_out if one == name]
            noun = "size" if len(sizes) == 1 else "sizes"
            lines.append(f"{name} disagrees with all others at {noun} {words(sizes)}")
        return "\n".join(lines)


def summary_of(result: ExperimentResult) -> RunSummary:
    """Return the summary of a result."""
    odd = [(one.size, one.odd_one_out) for one in result.relations if one.odd_one_out]
    return RunSummary(result, tuple(_coverage(result)), tuple(dict.fromkeys(odd)))


def _coverage(result: ExperimentResult) -> Iterator[Coverage]:
    for name in result.implementations:
        found = [one for one in result.validations if one.implementation == name]
        yield Coverage(
            implementation=name,
            sizes=len(found),
            inputs=sum(one.inputs for one in found),
            calls=sum(one.inputs * one.steps for one in found),
            right_sizes=sum(isinstance(one.status, (Valid, ExpectedDifference)) for one in found),
        )

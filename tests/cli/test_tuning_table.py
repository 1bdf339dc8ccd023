"""What the table of ``tune`` says of crossovers, in each of their forms."""

import pytest

from lunaflow.cli import _tuning_table as tuning_table
from lunaflow.experiment import ExperimentResult, Label, ScaleDomain, crossover_with_band


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ("AABB", "from 4 (serial at 2)"),
        ("AUBB", "from 4 (undecided above 1)"),
        ("AABU", "from 4 to 4, undecided above (serial at 2)"),
        ("BBAA", "up to 2 only (serial from 4)"),
        ("AAAA", "nowhere (serial is faster at 4 of 4 lengths)"),
        ("AAUU", "nowhere (serial is faster at 2 of 4 lengths; no rule, undecided at the longest)"),
        ("UBBB", "everywhere (faster at 3 of 4 lengths)"),
        ("UUUU", "undecided: no clear difference"),
        ("ABAB", "no single crossover"),
    ],
)
def test_the_table_says_where_parallel_wins(
    monkeypatch: pytest.MonkeyPatch, labels: str, said: str
) -> None:
    names = {"A": Label.A, "B": Label.B, "U": Label.UNKNOWN}
    domain = ScaleDomain((1, 2, 4, 8))
    found = crossover_with_band(domain, [names[label] for label in labels])
    monkeypatch.setattr(ExperimentResult, "crossover", lambda *_: found)
    experiment = object.__new__(ExperimentResult)
    object.__setattr__(experiment, "implementations", ("serial", "parallel"))
    assert tuning_table.crossover(experiment) == said

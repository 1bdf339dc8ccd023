"""The top of a page says what it is about, when it was measured, and on what."""

from dataclasses import replace
from typing import Any

import pytest

from lunaflow.experiment import RunRecord
from lunaflow.experiment.report._heading import environment_of, started_text, title_of

EMPTY = RunRecord({}, (), True, "finished")


def test_the_title_names_an_experiment_that_is_alone(make_result: Any) -> None:
    one, other = make_result("running sums", sizes=(100,)), make_result("other", sizes=(100,))
    assert title_of(replace(EMPTY, experiments=(one,))) == "running sums: lunaflow report"
    assert title_of(replace(EMPTY, experiments=(one, other))) == "lunaflow report"
    assert title_of(EMPTY) == "lunaflow report"
    long = replace(one, name="long\n" * 100)
    assert len(title_of(replace(EMPTY, experiments=(long,)))) < 130


@pytest.mark.parametrize(
    ("started", "text"),
    [
        ("2025-01-02T03:04:05Z", "2025-01-02 03:04:05 UTC"),
        ("2025-01-02T03:04:05.678+02:00", "2025-01-02 01:04:05 UTC"),
        ("2025-01-02T03:04:05", "2025-01-02T03:04:05"),
        ("0001-01-01T00:00:00+23:00", "0001-01-01T00:00:00+23:00"),
        ("yesterday", "yesterday"),
        ("", ""),
    ],
)
def test_the_start_is_in_utc_or_as_it_stands(started: str, text: str) -> None:
    assert started_text(replace(EMPTY, started=started)) == text


def test_the_environment_begins_with_the_cpu_and_ends_with_the_start() -> None:
    environment = {"numpy": "2.1", "shop": "X", "cpus": 2, "platform": "P", "cpu": "C"}
    record = replace(
        EMPTY, environment=environment, library_version="0.1", started="2025-01-02T03:04:05Z"
    )
    assert environment_of(record) == (
        ("CPU", "C"),
        ("CPUs", "2"),
        ("lunaflow", "0.1"),
        ("NumPy", "2.1"),
        ("platform", "P"),
        ("shop", "X"),
        ("started", "2025-01-02 03:04:05 UTC"),
    )
    # what the environment itself says is not said twice
    twice = replace(record, environment={"lunaflow": "0.2"}, started="")
    assert environment_of(twice) == (("lunaflow", "0.2"),)

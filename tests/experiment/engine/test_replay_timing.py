"""M10: what fails only while it is timed is timed again, or the event says why it cannot be."""

import threading
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lunaflow._texts import text_of
from lunaflow.experiment import (
    BenchSpec,
    Experiment,
    Fixture,
    Implementation,
    Invalid,
    Protocol,
    RunContext,
    Valid,
    compare,
    read_events,
    read_run,
    run,
    to_pytest,
)
from lunaflow.experiment._source import NoSource
from lunaflow.experiment.engine._replay import CannotReplay, replay_failure

ALONE = Protocol("ALONE", pairs=2, processes=1, batch_seconds=1e-5, resamples=50, inputs=2)


def failures(file: Path) -> list[dict[str, Any]]:
    return [event for event in read_events(file).events if event["event"] == "failure"]


@pytest.mark.parametrize(
    ("name", "size", "reason"),
    [
        ("raising_while_measured", 4, "raised while it was timed: OSError: not here"),
        ("changing_while_measured", 4, "changed its input"),
        ("exiting_at_eight", 8, "exit code 7"),
    ],
)
def test_m10_who_fails_only_while_it_is_timed_is_timed_again(
    functions: types.ModuleType, tmp_path: Path, name: str, size: int, reason: str
) -> None:
    file = tmp_path / "run.jsonl"
    wrong = getattr(functions, name)
    compare(
        functions.total, wrong, sizes=[size], make=functions.make, protocol=ALONE, events=file,
        progress=False,
    )  # fmt: skip
    (failure,) = failures(file)
    assert reason in failure["status"]["reason"]
    assert failure["minimal"].shape == (size,)
    assert failure["input"] == text_of(failure["minimal"])
    assert len(failure["fingerprint"]) == 64
    assert failure["draw"] == 0
    assert failure["command"] == f"lunaflow replay {file} --id {failure['id']} --yes"
    assert failure["unreplayable"] is None
    replayed = replay_failure(failure)
    assert (replayed.fails, replayed.same) == (True, True)
    assert reason in str(replayed.status)
    (found,) = read_run(file).experiments[0].failures
    with pytest.raises(NoSource, match="only while it is timed"):
        to_pytest(found)


def test_m10_a_timed_failure_that_is_gone_is_said_to_be(
    functions: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.jsonl"
    monkeypatch.setenv("LUNAFLOW_TEST_RAISES", "1")
    compare(
        functions.total,
        functions.raising_while_measured_if_told_to,
        sizes=[4],
        make=functions.make,
        protocol=ALONE,
        events=file,
        progress=False,
    )
    monkeypatch.delenv("LUNAFLOW_TEST_RAISES")
    (failure,) = failures(file)
    replayed = replay_failure(failure)
    assert (replayed.status, replayed.fails) == (Valid(), False)


def test_m10_the_fault_of_a_fixture_while_it_is_timed_is_replayed(tmp_path: Path) -> None:
    def clone(x: Any) -> Any:
        clone.calls = getattr(clone, "calls", 0) + 1  # type: ignore[attr-defined]
        return x + (clone.calls > 3)  # type: ignore[attr-defined]

    file = tmp_path / "run.jsonl"
    spec = BenchSpec(
        "fixture",
        Fixture(lambda size, rng: np.arange(size), clone=clone),
        [Implementation.stateless("a", "", np.sum)],
        None,
        [4],
    )
    run(spec.compile().unwrap(), RunContext(sink=file, protocol=replace(ALONE, inputs=1)))
    failure = failures(file)[-1]
    assert failure["implementation"] is None
    assert "clone gave another input" in failure["status"]["reason"]
    assert replay_failure(failure).same


def test_m10_where_nothing_can_be_sent_the_event_says_why(tmp_path: Path) -> None:
    lock = threading.Lock()

    def locked(x: Any) -> Any:
        with lock:
            return x + 1

    file = tmp_path / "run.jsonl"
    Experiment(
        "e",
        {"f": locked},
        sizes=[3],
        make=lambda size, rng: np.int64(size),
        reference=abs,
        protocol=ALONE,
    ).run(events=file, progress=False)
    (failure,) = failures(file)
    assert (failure["recipe"], failure["command"]) == (None, None)
    assert failure["unreplayable"].startswith("implementations['f'] cannot be sent to a fresh")
    assert "processes=1" not in failure["unreplayable"]
    with pytest.raises(CannotReplay, match=r"implementations\['f'\] cannot be sent"):
        replay_failure(failure)
    (found,) = read_run(file).experiments[0].failures
    assert found.unreplayable == failure["unreplayable"]


def test_m10_an_input_that_cannot_be_copied_says_so(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    result = compare(
        str,
        repr,
        sizes=[1, 2],
        make=lambda size, rng: size if size == 1 else threading.Lock(),
        protocol=ALONE,
        events=file,
        progress=False,
    )
    (failure,) = result.failures
    assert failure.size == 2
    assert failure.unreplayable == "the input could not be used"
    assert not isinstance(failure.status, Invalid)

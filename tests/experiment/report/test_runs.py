"""Two runs side by side: what changed, with intervals, and what differs in the environment."""

from dataclasses import replace
from typing import Any

from lunaflow.experiment import Invalid, RunRecord
from lunaflow.experiment._observations import Failure
from lunaflow.experiment.report._runs import ChangesView, changes_of


def record(*experiments: Any, **environment: Any) -> RunRecord:
    return RunRecord(environment, experiments, True, "finished", library_version="1")


def changes(before: RunRecord, after: RunRecord) -> ChangesView:
    return changes_of(before, after, ("old", "new"), "c0")


def test_what_changed_is_told_with_its_interval(make_result: Any) -> None:
    times = {"f": lambda n: 1e-9 * n, "g": lambda n: 2e-9 * n}
    slower = {"f": lambda n: 3e-9 * n, "g": lambda n: 2e-9 * n}
    before, after = (record(make_result(times=t, sizes=(10, 100))) for t in (times, slower))
    view = changes(before, after)
    assert view.summary[0] == "4 figures compared: 2 slower, 2 equivalent."
    assert "Holm" in view.summary[1]
    assert view.environment is None
    (one,) = view.experiments
    assert len(one.lines) == 2
    assert one.lines[0].startswith("f at n = 10 is slower: +")
    assert " to +" in one.lines[0]
    assert [head for head, _ in one.table.rows] == ["f, 10", "f, 100", "g, 10", "g, 100"]
    assert [cells[2].text for _, cells in one.table.rows] == ["slower"] * 2 + ["equivalent"] * 2
    assert [head.text for head in one.table.heads[1:3]] == ["old", "new"]
    assert one.figure is not None
    assert [entry.name for entry in one.figure.legend] == ["f", "g"]
    assert "negative: faster in new" in one.table.note


def test_m11_what_fails_now_is_told_and_has_no_figure(make_result: Any) -> None:
    good = make_result(sizes=(100, 1_000))
    bad = replace(good, failures=(Failure("parallel", 100, Invalid("wrong")),))
    view = changes(record(good), record(bad))
    assert "1 figure became something else; 1 of them failed after." in view.summary
    (one,) = view.experiments
    assert one.lines == ("parallel at n = 100: timed before, failed now.",)
    cells = dict(one.table.rows)["parallel, 100"]
    assert [cell.text for cell in cells[:4]] == ["timed", "failed", "failed", ""]
    assert cells[1].kind == "bad"
    assert one.figure is not None
    assert ">timed, now failed<" in one.figure.svg


def test_experiments_of_one_run_alone_have_no_figure(make_result: Any) -> None:
    view = changes(record(), record(make_result(sizes=(100,))))
    (one,) = view.experiments
    assert one.figure is None
    assert one.lines[0] == "serial at n = 100: not there before, timed now."
    assert view.summary == ("0 figures compared: none.", "2 figures became something else.")


def test_facts_that_differ_are_flagged(make_result: Any) -> None:
    result = make_result(sizes=(100,))
    view = changes(record(result, cpu="A", cpu_mode=1), record(result, cpu="B", cpu_mode=1, x=None))
    assert view.environment is not None
    assert [(head, cells[0].text, cells[1].text) for head, cells in view.environment.rows] == [
        ("cpu", "A", "B")
    ]


def test_m9_a_run_that_is_not_whole_says_so(make_result: Any) -> None:
    cut = replace(record(make_result(sizes=(100,))), complete=False, ending="cut off")
    view = changes(cut, record(make_result(sizes=(100,))))
    assert (view.before.banner.kind, view.after.banner.kind) == ("partial", "complete")
    assert view.before.name == "old"

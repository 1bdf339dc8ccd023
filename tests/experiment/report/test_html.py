"""The page is valid, self-contained and accessible, whatever the texts in it (M13)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import html5lib
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lunaflow.experiment import ExperimentResult, Invalid, RunRecord
from lunaflow.experiment._observations import Failure
from lunaflow.experiment.report import render, write
from lunaflow.experiment.report._texts import showable

HTML = "{http://www.w3.org/1999/xhtml}"
HOSTILE = [
    "</script><b>x",
    "</SCRIPT >",
    "<!--<script>",
    "a & b &lt; c",
    "\"double\" 'single'",
    "line\u2028separator",
    "lone \ud800 surrogate",
    "</style></title><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }} {% raw %}",
    "$\\frac{broken$ math",
    "nul \x00, escape \x1b, right to left \u202e",
    "]]>",
]


def parsed(page: str) -> Any:
    return html5lib.HTMLParser(strict=True).parse(page)


def elements(tree: Any, name: str) -> list[Any]:
    return [e for e in tree.iter() if isinstance(e.tag, str) and e.tag.rpartition("}")[2] == name]


def texts(tree: Any) -> str:
    return "".join(tree.itertext())


def attributes(tree: Any) -> Iterator[tuple[str, str, str]]:
    for element in tree.iter():
        if isinstance(element.tag, str):
            for name, value in element.attrib.items():
                yield element.tag, name, value


def test_the_page_is_valid_html_with_unique_ids(rich_record: RunRecord) -> None:
    tree = parsed(render(rich_record))
    ids = [value for _, name, value in attributes(tree) if name == "id"]
    assert len(set(ids)) == len(ids)
    referenced = {
        v for _, name, value in attributes(tree) for v in value.split() if name == "aria-labelledby"
    }
    linked = {value[1:] for _, name, value in attributes(tree) if name.endswith("href")}
    assert referenced | linked <= set(ids)


def test_the_page_loads_nothing_and_runs_nothing(rich_record: RunRecord) -> None:
    page = render(rich_record)
    tree = parsed(page)
    for _, name, value in attributes(tree):
        assert not name.startswith("on")
        assert name not in ("src", "srcset", "action", "data", "poster")
        assert not name.endswith("href") or value.startswith("#")
    for unwanted in ("script", "link", "iframe", "object", "embed", "img", "image", "base"):
        assert elements(tree, unwanted) == []
    assert re.findall(r"(?i)https?:|//|@import|url\((?!#)", page) == []


def test_figures_tables_and_headings_are_accessible(rich_record: RunRecord) -> None:
    tree = parsed(render(rich_record))
    figures = [e for e in tree.iter() if isinstance(e.tag, str) and e.attrib.get("role") == "img"]
    # times, order and pairs; of the pairs with what failed everywhere there is none
    assert len(figures) == 3 + 3 + 5
    for figure in figures:
        children = [e for e in figure if isinstance(e.tag, str)][:2]
        assert [e.tag.rpartition("}")[2] for e in children] == ["title", "desc"]
        assert all(texts(e) for e in children)
        assert figure.attrib["aria-labelledby"] == children[0].attrib["id"]
        assert figure.attrib["aria-describedby"] == children[1].attrib["id"]
    assert len(elements(tree, "figcaption")) == len(figures)
    assert all(texts(elements(table, "caption")[0]) for table in elements(tree, "table"))
    assert all(header.attrib["scope"] for header in elements(tree, "th"))
    levels = [
        int(e.tag[-1]) for e in tree.iter() if isinstance(e.tag, str) and re.search(r"}h\d$", e.tag)
    ]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    (html,) = elements(tree, "html")
    assert html.attrib["lang"] == "en"
    regions = [
        e for e in tree.iter() if isinstance(e.tag, str) and e.attrib.get("role") == "region"
    ]
    assert all(region.attrib["tabindex"] == "0" for region in regions)
    assert len(regions) >= len(figures)
    # what scrolls has a name of its own
    names = [region.attrib["aria-labelledby"] for region in regions]
    assert len(set(names)) == len(names)
    assert all(len(elements(tree, name)) == 1 for name in ("main", "footer", "h1"))


def test_the_page_tells_banner_verdict_failure_overflow_and_environment(
    rich_record: RunRecord,
) -> None:
    told = texts(parsed(render(rich_record, title="Nightly")))
    for part in (
        "Nightly",
        "The run was interrupted",
        "Line 7 of the record could not be read",
        "serial is faster up to 4,096, parallel from 10,000 on.",
        "wrong failed at n = 4,096: value mismatch",
        "overflows from n = 100,000 (serial and parallel)",
        "run started 2025-01-02 03:04:05 UTC",
        "value mismatch: 7 is not 8 at [3]",
        "array([1, 2])",
        "serial overflows from n = 100,000",
        "Some CPU at 3 GHz",
        "Noise floor (A/A controls, each against itself, in its own percent)",
        "Holm",
    ):
        assert part in told


def with_texts(result: ExperimentResult, given: list[str]) -> RunRecord:
    """Return a record that has a foreign text in every place for one."""
    name, one, other, reason, data, key = given
    old, blocks = dict(zip(result.implementations, (one, other), strict=True)), []
    old |= {f"{before} (control)": f"{now} (control)" for before, now in old.items()}
    for block in result.blocks:
        order = tuple(old[t] for t in block.order)
        blocks.append(replace(block, order=order))
    failure = Failure(other, 100, Invalid(f"{reason}\n{reason}"), data)
    changed = replace(
        result,
        name=name,
        implementations=(one, other),
        controls=(f"{one} (control)", f"{other} (control)"),
        oracle=reason,
        blocks=tuple(blocks),
        failures=(failure,),
    )
    return RunRecord({key: data}, (changed,), False, "cut off")


@pytest.fixture
def small(make_result: Any) -> ExperimentResult:
    result: ExperimentResult = make_result(sizes=(100, 1_000))
    return result


def test_m13_hostile_texts_stay_texts(small: ExperimentResult) -> None:
    ordinary = [f"text {i}" for i in range(6)]
    elements_wanted = [e.tag for e in parsed(render(with_texts(small, ordinary), title="x")).iter()]
    for start in range(0, len(HOSTILE), 3):
        given = [f"{HOSTILE[start + i % 3]} {i}" for i in range(6)]
        page = render(with_texts(small, given), title=given[0])
        page.encode("utf-8")
        tree = parsed(page)
        assert [e.tag for e in tree.iter()] == elements_wanted
        told = texts(tree)
        assert all(showable(text) in told for text in given)


TEXTS = st.lists(
    st.text(st.characters(codec=None, exclude_categories=()), min_size=1, max_size=8),
    min_size=6,
    max_size=6,
)


@given(TEXTS)
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_m13_any_texts_give_a_valid_page(small: ExperimentResult, given: list[str]) -> None:
    distinct = [f"{i}{text}" for i, text in enumerate(given)]
    tree = parsed(render(with_texts(small, distinct)))
    assert elements(tree, "script") == []
    assert len(elements(tree, "article")) == 1


def test_a_run_without_experiments_has_a_page() -> None:
    record = RunRecord({}, (), True, "finished")
    assert "The record holds no experiment." in texts(parsed(render(record)))


def test_one_experiment_alone_has_a_page(small: ExperimentResult) -> None:
    assert "Complete" in texts(parsed(render(small)))
    told = texts(parsed(render(replace(small, finished=False))))
    assert "Partial" in told
    assert "Not finished: sum of int32." in told


def test_the_page_is_titled_by_its_one_experiment_and_its_start(small: ExperimentResult) -> None:
    tree = parsed(render(small))
    assert [texts(e) for e in elements(tree, "h1")] == ["sum of int32: lunaflow report"]
    record = RunRecord({}, (small,), True, "finished", started="2025-01-02T03:04:05Z")
    tree = parsed(render(record, title="Nightly"))
    assert [texts(e) for e in elements(tree, "h1")] == ["Nightly"]
    (head,) = elements(tree, "head")
    assert [texts(e) for e in elements(head, "title")] == ["Nightly, 2025-01-02 03:04:05 UTC"]


def test_overview_environment_and_cards_follow_each_other(
    rich_record: RunRecord, small: ExperimentResult
) -> None:
    for shown in (rich_record, small):
        headings = [texts(e) for e in elements(parsed(render(shown)), "h2")]
        assert headings[:2] == ["Overview", "Environment"]
        assert headings[2] == "sum of int32"
    assert "Not known here: the events file of a run records it." in texts(parsed(render(small)))
    known = texts(parsed(render(replace(small, environment=(("cpu", "a certain CPU"),)))))
    assert "a certain CPU" in known
    assert "Not known here" not in known


def test_the_overview_has_a_row_an_experiment_linked_to_its_card(rich_record: RunRecord) -> None:
    table = elements(parsed(render(rich_record)), "table")[0]
    rows = [(texts(e), e) for e in elements(table, "tr")]
    assert len(rows) == 3
    assert [elements(row, "a")[0].attrib["href"] for _, row in rows] == ["#e0", "#e1", "#e2"]
    scan = rows[1][0]
    assert "wrong failed at n = 4,096: value mismatch" in scan
    assert "overflows from n = 100,000 (serial and parallel)" in scan
    assert "not finished" in rows[2][0]
    # a sentence a pair
    assert scan.count(" against ") == 3
    assert "serial against wrong: wrong failed, so nothing is recommended." in scan


def test_each_pair_has_figure_words_and_table_and_all_but_the_first_are_folded(
    rich_record: RunRecord,
) -> None:
    cards = elements(parsed(render(rich_record)), "article")
    folded = [
        [e for e in elements(card, "details") if e.attrib.get("class") == "other"] for card in cards
    ]
    assert list(map(len, folded)) == [0, 2, 0]
    told = [texts(elements(one, "summary")[0]) for one in folded[1]]
    assert told == ["serial against wrong", "parallel against wrong"]
    for one in folded[1]:
        heads = [texts(e) for e in elements(one, "th") if e.attrib["scope"] == "col"]
        assert heads == ["n", "verdict", "difference", "interval", "noise floor", "because"]
        assert "Difference: median of the paired differences" in texts(one)
        assert len(elements(one, "figure")) == 1
    times, main = elements(cards[1], "table")[:2]
    heads = [texts(e) for e in elements(times, "th") if e.attrib["scope"] != "row"]
    assert heads == ["n", "serial", "parallel", "wrong"]
    assert texts(elements(main, "caption")[0]) == "serial against parallel: paired differences"
    assert [len(elements(row, "td")) for row in elements(main, "tr")[1:]] == [5] * 6


def test_every_table_that_may_be_wide_is_in_a_box_that_scrolls(rich_record: RunRecord) -> None:
    tree = parsed(render(rich_record))
    boxes = [e for e in tree.iter() if isinstance(e.tag, str) and e.attrib.get("class") == "scroll"]
    tables = [e for e in elements(tree, "table") if e.attrib["class"] == "data"]
    assert [table for box in boxes for table in elements(box, "table")] == tables
    assert all(box.attrib["role"] == "region" for box in boxes)


def test_an_experiment_without_times_has_a_page(make_result: Any) -> None:
    tree = parsed(render(make_result(blocks=())))
    assert "Nothing was timed, so there is no figure." in texts(tree)
    assert elements(tree, "figure") == []


def test_m13_runs_side_by_side_have_a_page_whatever_they_are_called(
    small: ExperimentResult, rich_record: RunRecord
) -> None:
    changed = replace(rich_record, environment={"python": "3.12", "</td>": HOSTILE[0]})
    for start in range(0, len(HOSTILE), 4):
        names = HOSTILE[start : start + 3]
        runs = dict(zip(names, (rich_record, changed, rich_record), strict=True))
        tree = parsed(render(runs))
        ids = [value for _, name, value in attributes(tree) if name == "id"]
        assert len(set(ids)) == len(ids)
        headings = [texts(e) for e in elements(tree, "h2")]
        first, second, third = map(showable, names)
        assert headings[:3] == [
            f"What changed from {first} to {second}",
            f"What changed from {first} to {third}",
            f"Overview of {third}",
        ]
        told = texts(tree)
        assert told.count("What differs in the environment") == 1
        assert "The environment is the same." in told
        assert f"{first}: Partial" in told
    # one run by name is that run
    assert "What changed" not in texts(parsed(render({"alone": rich_record})))


def test_the_same_record_gives_the_same_page(rich_record: RunRecord) -> None:
    assert render(rich_record) == render(rich_record)


def test_other_types_are_refused() -> None:
    wrong: Any = [1]
    with pytest.raises(TypeError, match="record must be a RunRecord, an ExperimentResult or"):
        render(wrong)
    wrong = {"experiments": []}
    with pytest.raises(TypeError, match=r"record\['experiments'\] must be a RunRecord, not list"):
        render(wrong)
    with pytest.raises(TypeError, match="a name in record must be a str"):
        render({1: RunRecord({}, (), True, "finished")})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="record must hold at least one run, not none"):
        render({})
    with pytest.raises(TypeError, match="title must be a str"):
        render(RunRecord({}, (), True, "finished"), title=wrong)


def test_writing_is_all_or_nothing(
    rich_record: RunRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report.html"
    write(rich_record, str(target))
    assert target.read_text(encoding="utf-8") == render(rich_record)
    write(rich_record, target, title="second")
    whole = target.read_bytes()

    def fail(*_: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write(rich_record, target, title="third")
    assert target.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_is_followed_and_a_missing_folder_is_an_error(
    small: ExperimentResult, tmp_path: Path
) -> None:
    target, link = tmp_path / "target.html", tmp_path / "link.html"
    link.symlink_to(target)
    write(small, link)
    assert link.is_symlink()
    assert target.stat().st_size > 1000
    with pytest.raises(FileNotFoundError):
        write(small, tmp_path / "missing" / "report.html")

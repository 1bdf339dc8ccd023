"""Files of policies: exact, strict, and written all or not at all."""

import json
import math
import os
import stat
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lunaflow.policy import (
    Fallback,
    Global,
    Lookup,
    Pareto,
    ParetoPoint,
    Piecewise,
    PolicySet,
    Region,
    load,
    save,
)

STORED = Path(__file__).parents[1] / "data" / "policies_version_1.json"
EXAMPLE = PolicySet(
    {
        ("sum", "i32"): Piecewise(
            (Region(1, 1024, "serial", ("r1", 2)), Region(4096, None, "parallel")), (2048,)
        ),
        ("sum", "i64"): Global("parallel"),
        ("scan", "i32"): Fallback("serial", "no crossover: \u20ac"),
        ("sort", "f64"): Lookup(
            ((1, "a"), (2**53 + 1, "b"), (math.inf, "c"), (Fraction(1, 3), "d"))
        ),
        ("sort", "str"): Lookup((("dense", "a"), ("sparse", "b"))),
        ("fit", "f64"): Pareto((ParetoPoint("a", (("time", 0.5), ("bytes", 2**60))),)),
    },
    {"cpus": [0, 1], "isa": "v3", "openmp": True, "load": None, "nested": {"float": "inf"}},
)


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_set_survives_the_round_trip(
    policy_sets: st.SearchStrategy[PolicySet], tmp_path_factory: Any, data: st.DataObject
) -> None:
    one = data.draw(policy_sets)
    path = tmp_path_factory.mktemp("round") / "set.json"
    save(one, path)
    again = load(path)
    assert again == one
    assert repr(again) == repr(one)  # 1 and 1.0 are equal, but stay what they are


def test_the_file_is_strict_ascii_json(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    save(EXAMPLE, str(path))

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    stored = json.loads(path.read_text(encoding="ascii"), parse_constant=refuse)
    assert (stored["format"], stored["version"]) == ("lunaflow-policy-set", 1)
    assert '"0x20000000000001"' in path.read_text(encoding="ascii")


def test_files_of_version_1_load_for_ever() -> None:
    assert load(STORED) == EXAMPLE


def test_saving_replaces_an_old_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    save(EXAMPLE, path)
    save(PolicySet({}, {}), path)
    assert load(path) == PolicySet({}, {})
    assert names_in(tmp_path) == ["set.json"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "set.json"
    save(EXAMPLE, path)
    before = path.read_bytes()
    failure = OSError(28, "No space left on device")

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="No space") as caught:
        save(PolicySet({}, {}), path)
    assert caught.value is failure
    assert path.read_bytes() == before
    assert names_in(tmp_path) == ["set.json"]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "set.json", tmp_path / "link.json"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    save(EXAMPLE, link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert load(path) == EXAMPLE


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    save(EXAMPLE, tmp_path / "set.json")
    assert (tmp_path / "set.json").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_what_cannot_be_written_or_read_raises(tmp_path: Path) -> None:
    wrong: Any = {}
    with pytest.raises(FileNotFoundError):
        save(EXAMPLE, tmp_path / "no folder" / "set.json")
    with pytest.raises(ValueError, match="must be a regular file"):
        save(EXAMPLE, tmp_path)
    with pytest.raises(TypeError, match="set must be a PolicySet"):
        save(wrong, tmp_path / "set.json")
    with pytest.raises(TypeError, match="path must be"):
        save(EXAMPLE, wrong)
    with pytest.raises(TypeError, match="path must be"):
        load(wrong)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.json")
    assert names_in(tmp_path) == []


def test_a_file_cut_anywhere_is_refused_by_name(tmp_path: Path) -> None:
    whole = STORED.read_bytes().rstrip()
    path = tmp_path / "cut.json"
    for length in range(0, len(whole), 37):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"cut\.json: "):
            load(path)


@pytest.mark.parametrize(
    "raw",
    [
        b"\xff\xfe",
        b"[]",
        b"[" * 100_000,
        b'{"format": NaN}',
        b'{"format": 1, "format": 2}',
        b"null",
        b'{"a": ' + b"1" * 5000 + b"}",
    ],
)
def test_files_that_are_no_json_object_are_refused_by_name(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(raw)
    with pytest.raises(ValueError, match=r"bad\.json: "):
        load(path)

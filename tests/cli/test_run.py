"""``lunaflow run``: real data, results, issues, and every kind of bad input."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.conftest import FLIGHTS, Command


@pytest.mark.parametrize("workers", [1, 2, 7])
@pytest.mark.parametrize("backend", ["native", "reference"])
def test_sums_of_the_flights(lunaflow: Command, workers: int, backend: str) -> None:
    options = ("--kernel", "sum", "--workers", workers, "--backend", backend)
    miles = lunaflow("run", "reduce", f"{FLIGHTS}:distance", *options)
    assert miles.status == 0
    assert miles.out.splitlines()[-1] == "result: 350217607"
    assert f"{workers} worker" in miles.out
    seconds = lunaflow("run", "reduce", f"{FLIGHTS}:departure_epoch_s", *options)
    assert "result: 462340700337600" in seconds.out


@pytest.mark.parametrize("backend", ["native", "reference"])
def test_an_overflow_is_status_1_and_names_the_exact_total(lunaflow: Command, backend: str) -> None:
    data = f"{FLIGHTS}:distance_squared"
    total = lunaflow("run", "reduce", data, "--kernel", "sum", "--backend", backend)
    assert total.status == 1
    assert "545256276179" in total.err
    prefix = lunaflow("run", "scan", data, "--backend", backend)
    assert prefix.status == 1
    assert "index 1284" in prefix.err
    assert "2146846538 + 685584" in prefix.err


def test_arrays_are_shown_shortened_and_written_whole(lunaflow: Command, tmp_path: Path) -> None:
    out = tmp_path / "scanned.npy"
    ended = lunaflow("run", "scan", f"{FLIGHTS}:distance", "--out", out)
    assert ended.status == 0
    assert "..., 350215582" in ended.out
    with np.load(FLIGHTS) as flights:
        assert np.array_equal(np.load(out), np.cumsum(flights["distance"], dtype=np.int32))
    assert [path.name for path in tmp_path.iterdir()] == ["scanned.npy"]


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        ("map", [], "[2, -4, 6]"),
        ("scan", ["--kernel", "min"], "[1, -2, -2]"),
        ("reduce", ["--kernel", "max"], "result: 3"),
        ("map-reduce", ["--kernel", "sum"], "result: 4"),
    ],
)
def test_every_kind(
    lunaflow: Command, tmp_path: Path, kind: str, options: list[str], expected: str
) -> None:
    np.save(tmp_path / "x.npy", np.array([1, -2, 3]))
    ended = lunaflow("run", kind, tmp_path / "x.npy", *options)
    assert (ended.status, expected in ended.out) == (0, True)


def test_every_issue_is_printed(lunaflow: Command) -> None:
    ended = lunaflow("run", "reduce", f"{FLIGHTS}:distance", "--workers=0", "--chunk-size=-3")
    assert ended.status == 2
    for issue in (
        "ChunkSizeMustBePositive: chunk_size is -3",
        "WorkerCountMustBePositive: worker_count is 0",
        "MissingReductionKernel",
    ):
        assert issue in ended.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--workers", "999999999"], "WorkerCountExceedsInput"),
        (["--chunk-size", "999999999"], "ChunkSizeDoesNotFitInput"),
        (["--workers", "2", "--chunk-size", "5"], "CoverConditionViolated"),
        (["--workers", "nan"], "'nan' is not a valid integer"),
        (["--workers", "1.5"], "not a valid integer"),
        (["--kernel", "median"], "median"),
        (["--out", "x.txt"], ".npy"),
    ],
)
def test_wrong_options_are_status_2(lunaflow: Command, options: list[str], said: str) -> None:
    ended = lunaflow("run", "scan", f"{FLIGHTS}:distance", *options)
    assert ended.status == 2
    assert said in ended.err


def test_the_input_is_never_overwritten(lunaflow: Command, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.arange(9))
    before = (tmp_path / "x.npy").read_bytes()
    (tmp_path / "link.npy").symlink_to(tmp_path / "x.npy")
    for out in ("x.npy", "link.npy"):
        ended = lunaflow("run", "scan", tmp_path / "x.npy", "--out", tmp_path / out)
        assert ended.status == 2
        assert "never overwritten" in ended.err
    assert (tmp_path / "x.npy").read_bytes() == before


def test_an_explicit_count_beats_a_wrong_environment(
    lunaflow: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUNAFLOW_WORKERS", "abc")
    reduce = ("run", "reduce", f"{FLIGHTS}:distance", "--kernel", "sum")
    assert "result: 350217607" in lunaflow(*reduce, "--workers", 2).out
    ended = lunaflow(*reduce)
    assert ended.status == 2
    assert "LUNAFLOW_WORKERS must be a positive integer" in ended.err


def test_out_is_for_arrays(lunaflow: Command, tmp_path: Path) -> None:
    out = tmp_path / "x.npy"
    ended = lunaflow("run", "reduce", f"{FLIGHTS}:distance", "--kernel=sum", "--out", out)
    assert ended.status == 2
    assert "one integer" in ended.err
    assert not out.exists()


ARRAYS: dict[str, Any] = {
    "floats": np.array([1.5, 2.5]),
    "unsigned": np.array([1], np.uint32),
    "table": np.zeros((2, 3), np.int64),
    "nothing": np.empty(0, np.int64),
}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("floats", "float64"),
        ("unsigned", "uint32"),
        ("table", "2 dimensions"),
        ("nothing", "Empty"),
    ],
)
def test_data_that_no_plan_takes(lunaflow: Command, tmp_path: Path, name: str, said: str) -> None:
    np.savez(tmp_path / "x.npz", **ARRAYS)
    ended = lunaflow("run", "scan", f"{tmp_path / 'x.npz'}:{name}")
    assert ended.status == 2
    assert said in ended.err


def test_a_name_may_have_colons_in_it(lunaflow: Command, tmp_path: Path) -> None:
    named: dict[str, Any] = {"a:b": np.array([1, 2])}
    np.savez(tmp_path / "x.npz", **named)
    ended = lunaflow("run", "reduce", f"{tmp_path / 'x.npz'}:a:b", "--kernel", "sum")
    assert "result: 3" in ended.out


def write_bad_files(folder: Path) -> dict[str, Path]:
    paths = {name: folder / name for name in ("empty.npy", "text.npy", "cut.npy", "cut.npz")}
    paths["empty.npy"].touch()
    paths["text.npy"].write_text("1, 2, 3\n")
    np.save(folder / "whole.npy", np.arange(1000))
    paths["cut.npy"].write_bytes((folder / "whole.npy").read_bytes()[:500])
    np.savez(folder / "whole.npz", x=np.arange(1000))
    paths["cut.npz"].write_bytes((folder / "whole.npz").read_bytes()[:500])
    paths["objects.npy"] = folder / "objects.npy"
    np.save(paths["objects.npy"], np.array([1, None]), allow_pickle=True)
    paths["other.npz"] = folder / "other.npz"
    with zipfile.ZipFile(paths["other.npz"], "w") as archive:
        archive.writestr("notes.txt", "no array")
    paths["missing.npy"] = folder / "missing.npy"
    paths["folder.npy"] = folder / "folder.npy"
    paths["folder.npy"].mkdir()
    return paths


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("empty.npy", "is empty"),
        ("text.npy", "no .npy or .npz file"),
        ("cut.npy", "cannot be read"),
        ("cut.npz", "cannot be read"),
        ("objects.npy", "cannot be read"),
        ("other.npz", "no array"),
        ("missing.npy", "there is no file"),
        ("folder.npy", "no regular file"),
    ],
)
def test_files_that_are_none(lunaflow: Command, tmp_path: Path, name: str, said: str) -> None:
    ended = lunaflow("run", "scan", write_bad_files(tmp_path)[name])
    assert ended.status == 2
    assert said in ended.err
    assert "Traceback" not in ended.err


def test_a_missing_name_lists_the_names(lunaflow: Command) -> None:
    for given in (f"{FLIGHTS}:distances", str(FLIGHTS)):
        ended = lunaflow("run", "scan", given)
        assert ended.status == 2
        for name in ("distance", "dep_delay", "departure_epoch_s"):
            assert name in ended.err


def test_an_output_that_cannot_be_written_leaves_no_file(lunaflow: Command, tmp_path: Path) -> None:
    ended = lunaflow("run", "map", f"{FLIGHTS}:distance", "--out", tmp_path / "none" / "x.npy")
    assert ended.status == 2
    assert "cannot write" in ended.err
    assert list(tmp_path.iterdir()) == []

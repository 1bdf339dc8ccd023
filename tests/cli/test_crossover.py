"""``lunaflow crossover``: real files of other tools, the policy that is written, the refusals."""

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Command

from lunaflow.policy import Basis, Choice, choose, load

DATA = Path(__file__).parents[1] / "data" / "foreign"
PYPERF = DATA / "pyperf.json"


def test_a_policy_is_written_from_a_real_file(lunaflow: Command, tmp_path: Path) -> None:
    out = tmp_path / "policy.json"
    ended = lunaflow("crossover", PYPERF, "--a", "list", "--b", "array", "--out", out)
    assert (ended.status, ended.err) == (0, "")
    assert "pyperf JSON" in ended.out
    assert "median of 18 samples; interval over processes" in ended.out
    assert "crossover: list is faster up to 64, array from 1024 on" in ended.out
    stored = load(out)
    policy = stored.policies["list or array", "any"]
    assert choose(policy, 64) == Choice("list", Basis.MEASURED)
    assert choose(policy, 4096) == Choice("array", Basis.MEASURED)
    assert stored.environment["source"] == "pyperf JSON"


def test_the_name_of_a_file_says_nothing(lunaflow: Command, tmp_path: Path) -> None:
    disguised = tmp_path / "results.csv"
    shutil.copy(PYPERF, disguised)
    ended = lunaflow("crossover", disguised, "--a", "array", "--b", "list", "--threshold", "5")
    assert ended.status == 0
    assert "crossover: list is faster up to 64, array from 1024 on" in ended.out


def test_the_operation_is_the_users(lunaflow: Command, tmp_path: Path) -> None:
    out = tmp_path / "policy.json"
    options = ["--a", "twice", "--b", "growing", "--operation", "rounds", "--out", out]
    ended = lunaflow("crossover", DATA / "google_benchmark.csv", *options)
    assert ended.status == 0
    assert "none: growing is faster at every decided scale" in ended.out
    assert "policy: growing at every size" in ended.out
    assert list(load(out).policies) == [("rounds", "any")]


def write(path: Path, rows: dict[int, tuple[float, float]]) -> Path:
    lines = [f"{size},{a},{b}" for size, (a, b) in rows.items()]
    path.write_text("\n".join(["size,a,b", *lines]))
    return path


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ({1: (1, 2), 2: (2, 1), 4: (1, 2)}, "the faster one changes more than once"),
        ({1: (1, 1), 2: (1, 1)}, "no implementation is known to be faster at any scale"),
        ({1: (0, 1)}, "no implementation is known to be faster at any scale"),
    ],
)
def test_without_a_rule_no_policy_is_written_and_the_reason_is_told(
    lunaflow: Command, tmp_path: Path, rows: dict[int, tuple[float, float]], reason: str
) -> None:
    out = tmp_path / "policy.json"
    file = write(tmp_path / "figures", rows)
    ended = lunaflow("crossover", file, "--a", "a", "--b", "b", "--out", out)
    assert ended.status == 1
    assert f"crossover: none: {reason}" in ended.out
    assert "no policy: " in ended.out
    assert not out.exists()
    for word in ("inf", "nan"):
        assert word not in ended.out


def hyperfine(path: Path, *failing: str) -> Path:
    """Write times of sort (the faster one) and list at 1000 and 100000; some ended with exit 1."""
    results = [
        {
            "command": f"{name} {size}",
            "times": [seconds * size * (1 + i / 1000) for i in range(10)],
            "exit_codes": [int(f"{name} {size}" in failing)] * 10,
            "parameters": {"n": str(size), "tool": name},
        }
        for name, seconds in (("sort", 1e-6), ("list", 2e-6))
        for size in (1000, 100000)
    ]
    path.write_text(json.dumps({"results": results}))
    return path


@pytest.mark.parametrize("wrong", ["sort", "list"])
def test_m11_what_failed_at_a_size_gets_no_policy_from_another(
    lunaflow: Command, tmp_path: Path, wrong: str
) -> None:
    out = tmp_path / "policy.json"
    file = hyperfine(tmp_path / "h.json", f"{wrong} 100000")
    ended = lunaflow("crossover", file, "--a", "sort", "--b", "list", "--out", out)
    assert ended.status == 1
    assert f"no policy: {wrong} failed at size 100000: it ended with exit code 1" in ended.out
    assert not out.exists()
    both = hyperfine(tmp_path / "h.json", "sort 1000", "list 1000")
    ended = lunaflow("crossover", both, "--a", "sort", "--b", "list")
    assert ended.status == 1
    assert (
        "no policy: sort failed at size 1000: it ended with exit code 1; list failed" in ended.out
    )


def test_e19_a_policy_from_some_sizes_says_which(lunaflow: Command, tmp_path: Path) -> None:
    file = write(tmp_path / "figures", {1: (1, 2), 2: (1, 1), 4: (1, 2), 8: (1, 1.01)})
    ended = lunaflow("crossover", file, "--a", "a", "--b", "b")
    assert ended.status == 0
    assert (
        "policy: a at every size, as it is faster at the 2 sizes that are decided (1 and 4); "
        "undecided at 2 and 8" in ended.out
    )
    file = write(tmp_path / "figures", {1: (1, 2), 2: (1, 1)})
    ended = lunaflow("crossover", file, "--a", "a", "--b", "b")
    assert "faster at the one size that is decided (1); undecided at 2" in ended.out
    file = write(tmp_path / "figures", {1: (1, 2), 2: (1, 2)})
    ended = lunaflow("crossover", file, "--a", "a", "--b", "b")
    assert ended.out.endswith("policy: a at every size\n")


def test_several_parameters_are_asked_about(lunaflow: Command, tmp_path: Path) -> None:
    path = tmp_path / "results"
    lines = [f"{f},{n},{t},{s}" for f, s in (("a", 1), ("b", 2)) for n in (1, 2) for t in (4, 8)]
    path.write_text("\n".join(["name,n,threads,seconds", *lines]))
    asked = lunaflow("crossover", path, "--a", "a", "--b", "b")
    assert asked.status == 2
    assert "--size-parameter n" in asked.err
    assert "threads (4, 8)" in asked.err
    options = ["--size-parameter", "n", "--only", "threads=4"]
    assert lunaflow("crossover", path, "--a", "a", "--b", "b", *options).status == 0
    wrong = lunaflow("crossover", path, "--a", "a", "--b", "b", "--only", "threads")
    assert wrong.status == 2
    assert "'threads' is no NAME=VALUE" in wrong.err


def test_a_damaged_file_is_refused_with_the_place(lunaflow: Command, tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text(PYPERF.read_text()[:5000])
    ended = lunaflow("crossover", path, "--a", "list", "--b", "array")
    assert ended.status == 2
    assert f"{path}: line 1, column 5000" in ended.err
    assert "damaged JSON" in ended.err
    path.write_text(json.dumps({"benchmarks": [{"name": "a/1", "stats": {}}]}))
    ended = lunaflow("crossover", path, "--a", "a", "--b", "b")
    assert "benchmarks[0].stats has no data, median or mean" in ended.err


def test_wrong_options_are_refused(lunaflow: Command, tmp_path: Path) -> None:
    names = ["--a", "list", "--b", "array"]
    for extra in (["--threshold", "0"], ["--out", PYPERF], ["--out", tmp_path / "no" / "p.json"]):
        assert lunaflow("crossover", PYPERF, *names, *extra).status == 2
    assert lunaflow("crossover", PYPERF, "--a", "list").status == 2
    unknown = lunaflow("crossover", PYPERF, "--a", "list", "--b", "tuple")
    assert "nothing goes by the name 'tuple'; the file has 'list', 'array'" in unknown.err


def test_markup_in_names_is_no_markup(lunaflow: Command, tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_text("size,[red]a,b[/]\n1,1,2\n")
    ended = lunaflow("crossover", path, "--a", "[red]a", "--b", "b[/]")
    assert ended.status == 0
    assert "[red]a" in ended.out

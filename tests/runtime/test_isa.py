"""R8: the level in use is the widest or the one asked for, and changes no result."""

import os
import subprocess
import sys

import pytest
from tests.runtime.fresh import interpreter, python

from lunaflow.runtime import _isa, build_info
from lunaflow.runtime._cpu import cpu_level

# else there is one build of the kernels, as the compiler likes
LEVELS = _isa.built() != ["base"]


def test_r8_the_widest_that_the_cpu_has_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LUNAFLOW_ISA", raising=False)
    assert _isa.chosen() == _isa.runnable()[-1]
    if LEVELS:
        assert _isa.chosen() == f"v{cpu_level()}"
        for level, name in ((4, "v4"), (3, "v3"), (2, "v2")):
            monkeypatch.setattr(_isa, "cpu_level", lambda level=level: level)
            assert _isa.chosen() == name


def test_r8_every_level_can_be_forced_and_gives_the_same_results() -> None:
    told = {
        name: interpreter("-m", "tests.runtime.levels", LUNAFLOW_ISA=name).split()
        for name in _isa.runnable()
    }
    digests = {digest for *_, digest in told.values()}
    assert len(digests) == 1, told
    if LEVELS:
        assert {name: level for name, (level, _) in told.items()} == {
            f"v{n}": f"x86-64-v{n}" for n in range(2, cpu_level() + 1)
        }


def test_build_info_tells_the_level() -> None:
    shown = build_info()["instruction_set"]
    assert shown == (f"x86-64-{_isa.ISA}" if LEVELS else "the compiler's own choice")
    ask = "from lunaflow.runtime import build_info; print(build_info()['instruction_set'])"
    lowest = _isa.runnable()[0]
    assert python(ask, LUNAFLOW_ISA=lowest) == ("x86-64-v2" if LEVELS else shown)


@pytest.mark.parametrize("wanted", ["v5", "avx2", "V3", "3", "v", "\u0663"])
def test_r8_nonsense_is_refused_at_import(wanted: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import lunaflow"],
        env=os.environ | {"LUNAFLOW_ISA": wanted, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    allowed = ", ".join(_isa.runnable())
    assert last.startswith("ImportError: LUNAFLOW_ISA is ")
    assert last.endswith(
        f", and that is no level; here it may be {allowed}, or unset for the widest"
    )


def test_r8_a_level_that_the_cpu_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_isa, "built", lambda: ["v2", "v3", "v4"])
    monkeypatch.setattr(_isa, "cpu_level", lambda: 3)
    for wanted in ("v2", " v3 "):
        monkeypatch.setenv("LUNAFLOW_ISA", wanted)
        assert _isa.chosen() == wanted.strip()
    monkeypatch.setenv("LUNAFLOW_ISA", "v4")
    with pytest.raises(ImportError) as refused:
        _isa.chosen()
    assert str(refused.value) == (
        "LUNAFLOW_ISA is 'v4', and this CPU is of level v3 only; here it may be v2, v3, or unset "
        "for the widest"
    )


def test_r8_a_level_that_was_not_built_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_isa, "built", lambda: ["base"])
    monkeypatch.setattr(_isa, "cpu_level", lambda: 4)
    monkeypatch.setenv("LUNAFLOW_ISA", "v3")
    with pytest.raises(ImportError, match="this build has no kernels for it; here it may be base"):
        _isa.chosen()
    monkeypatch.delenv("LUNAFLOW_ISA")
    assert _isa.chosen() == "base"


@pytest.mark.parametrize("wanted", ["", "v2"])
def test_r8_a_cpu_that_can_run_none_is_told_so(
    monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    monkeypatch.setattr(_isa, "built", lambda: ["v2", "v3", "v4"])
    monkeypatch.setattr(_isa, "cpu_level", lambda: 1)
    monkeypatch.setenv("LUNAFLOW_ISA", wanted)
    with pytest.raises(
        ImportError, match="built for v2, v3, v4 of x86-64, and this CPU is of level v1:"
    ):
        _isa.chosen()

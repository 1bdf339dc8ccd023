"""R8: the level in use is the widest or the one asked for, and changes no result."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.runtime.fresh import ROOT, interpreter, python

from lunaflow.runtime import _isa, build_info
from lunaflow.runtime._cpu import cpu_level

# else the build for every CPU is the only one
LEVELS = _isa.built() != ["base"]
ANY_CPU = "the compiler's own choice"
# what each level lets a compiler use, by Linux's names
NEEDS = {
    2: {"cx16", "lahf_lm", "pni", "popcnt", "sse4_1", "sse4_2", "ssse3"},
    3: {"abm", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"},
    4: {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"},
}
# the same by the names and by the bits that the compiler is asked for: leaf and bit of ECX
NAMES = {"pni": "sse3", "sse4_1": "sse4.1", "sse4_2": "sse4.2", "bmi1": "bmi"}
BITS = {"cx16": (1, 13), "movbe": (1, 22), "f16c": (1, 29)}
BITS |= {"lahf_lm": (0x80000001, 0), "abm": (0x80000001, 5)}


def test_r8_the_widest_that_the_cpu_has_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LUNAFLOW_ISA", raising=False)
    assert _isa.chosen() == _isa.runnable()[-1]
    assert _isa.built()[0] == "base"
    if LEVELS:
        assert _isa.chosen() == (f"v{cpu_level()}" if cpu_level() > 1 else "base")
        for level, name in ((4, "v4"), (3, "v3"), (2, "v2"), (1, "base")):
            monkeypatch.setattr(_isa, "cpu_level", lambda level=level: level)
            assert _isa.chosen() == name


def test_r8_a_level_is_what_the_system_tells_of_the_cpu() -> None:
    told = Path("/proc/cpuinfo").read_text().partition("\nflags")[2].partition("\n")[0].split()
    expected = int("lm" in told)
    for level, needed in NEEDS.items():
        expected += expected == level - 1 and needed <= set(told)
    assert cpu_level() == expected


# the CPU of argv: what it lacks, by a name, or by a leaf and the bits of its ECX
CPU = """
#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char **lacks;
static int has(const char *name) { return strcmp(name, lacks[1]) != 0; }
static int ask(unsigned leaf, unsigned *a, unsigned *b, unsigned *c, unsigned *d) {
    *a = *b = *d = 0;
    *c = leaf == strtoul(lacks[2], 0, 10) ? ~(1u << atoi(lacks[3])) : ~0u;
    return 1;
}
#define __builtin_cpu_supports(name) has(name)
#define __get_cpuid ask
#include "_cpu_shim.h"
int main(int count, char **given) {
    (void)count;
    lacks = given;
    printf("%d", lunaflow_cpu_level());
    return 0;
}
"""


@pytest.mark.compiler
def test_r8_a_cpu_that_lacks_anything_of_a_level_is_below_it(tmp_path: Path) -> None:
    if cpu_level() == 0:
        return
    (tmp_path / "cpu.c").write_text(CPU)
    program = tmp_path / "cpu"
    headers = ROOT / "src" / "lunaflow" / "runtime"
    subprocess.run(["cc", "-I", headers, "-o", program, tmp_path / "cpu.c"], check=True)

    def level_without(name: str, leaf: int = 0, bit: int = 0) -> int:
        return int(subprocess.check_output([program, name, str(leaf), str(bit)]))

    assert level_without("nothing") == 4
    found = {
        level: {
            name: level_without(NAMES.get(name, name), *BITS.get(name, (0, 0))) for name in needed
        }
        for level, needed in NEEDS.items()
    }
    assert found == {level: dict.fromkeys(names, level - 1) for level, names in NEEDS.items()}


def test_r8_every_level_can_be_forced_and_gives_the_same_results() -> None:
    told = {
        name: interpreter("-m", "tests.runtime.levels", LUNAFLOW_ISA=name).rsplit(maxsplit=1)
        for name in _isa.runnable()
    }
    digests = {digest for _, digest in told.values()}
    assert len(digests) == 1, told
    expected = {"base": ANY_CPU}
    if LEVELS:
        expected |= {f"v{n}": f"x86-64-v{n}" for n in range(2, cpu_level() + 1)}
    assert {name: level for name, (level, _) in told.items()} == expected


def test_build_info_tells_the_level() -> None:
    shown = build_info()["instruction_set"]
    assert shown == (ANY_CPU if _isa.ISA == "base" else f"x86-64-{_isa.ISA}")
    ask = "from lunaflow.runtime import build_info; print(build_info()['instruction_set'])"
    assert python(ask, LUNAFLOW_ISA="base") == ANY_CPU


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
    monkeypatch.setattr(_isa, "built", lambda: ["base", "v2", "v3", "v4"])
    monkeypatch.setattr(_isa, "cpu_level", lambda: 3)
    for wanted in ("v2", " v3 "):
        monkeypatch.setenv("LUNAFLOW_ISA", wanted)
        assert _isa.chosen() == wanted.strip()
    monkeypatch.setenv("LUNAFLOW_ISA", "v4")
    with pytest.raises(ImportError) as refused:
        _isa.chosen()
    assert str(refused.value) == (
        "LUNAFLOW_ISA is 'v4', and this CPU is of level v3 only; here it may be base, v2, v3, or "
        "unset for the widest"
    )


def test_r8_a_level_that_was_not_built_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_isa, "built", lambda: ["base"])
    monkeypatch.setattr(_isa, "cpu_level", lambda: 4)
    monkeypatch.setenv("LUNAFLOW_ISA", "v3")
    with pytest.raises(ImportError, match="this build has no kernels for it; here it may be base"):
        _isa.chosen()
    monkeypatch.delenv("LUNAFLOW_ISA")
    assert _isa.chosen() == "base"

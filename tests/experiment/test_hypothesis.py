"""M8: inputs from Hypothesis are the same for the same generator, in this process and others."""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from lunaflow.experiment import from_hypothesis

SCRIPT = """
import sys

import numpy as np
from hypothesis import strategies as st

from lunaflow.experiment import from_hypothesis

{constants}
mixed = st.integers() | st.floats() | st.text(st.characters(codec="ascii"), max_size=9)
make = from_hypothesis(lambda size: st.lists(mixed, min_size=size, max_size=size))
print([make(20, np.random.default_rng(seed)) for seed in range(5)])
"""


def drawn(folder: Path, constants: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(constants=constants)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path])},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout


def test_m8_modules_of_the_user_do_not_change_the_inputs(tmp_path: Path) -> None:
    body = "\n".join(f"x{i} = [{10**9 + i}, {i}.25e7, 'word{i}']" for i in range(200))
    (tmp_path / "with_constants.py").write_text(body)
    assert drawn(tmp_path, "") == drawn(tmp_path, "import with_constants")


@pytest.mark.parametrize("seed", [0, 1, 2**32])
def test_m8_the_generator_determines_the_input(seed: int) -> None:
    make = from_hypothesis(lambda n: st.lists(st.integers(), min_size=n, max_size=n))
    for size in (0, 1, 5):
        found = [make(size, np.random.default_rng(seed)) for _ in range(2)]
        assert found[0] == found[1]
        assert len(found[0]) == size


def test_inputs_vary_with_the_generator() -> None:
    make, rng = from_hypothesis(st.integers()), np.random.default_rng(0)
    assert len({make(1, rng) for _ in range(20)}) > 10


def floats_of(size: int) -> Any:
    return st.lists(st.floats(), min_size=size)


def test_inputs_are_made_alike_wherever_the_strategy_travels() -> None:
    plain, of_size = from_hypothesis(st.lists(st.integers())), from_hypothesis(floats_of)
    travelled = [cloudpickle.loads(cloudpickle.dumps(plain)), pickle.loads(pickle.dumps(of_size))]
    for make, again in zip((plain, of_size), travelled, strict=True):
        first, second = (m(3, np.random.default_rng(7)) for m in (make, again))
        assert repr(first) == repr(second)


def test_what_is_no_strategy_is_refused() -> None:
    wrong: Any = 3
    with pytest.raises(TypeError, match="strategy must be a Hypothesis strategy, or a callable"):
        from_hypothesis(wrong)
    with pytest.raises(TypeError, match=r"what strategy\(size\) returns must be a Hypothesis"):
        from_hypothesis(lambda size: size)(1, np.random.default_rng(0))
    with pytest.raises(Unsatisfiable):
        from_hypothesis(st.nothing())(1, np.random.default_rng(0))

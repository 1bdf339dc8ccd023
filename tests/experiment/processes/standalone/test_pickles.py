"""M8, M14: copies of an input in another process lie where they should, and changes are seen."""

import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lunaflow.arithmetic import same_value
from lunaflow.experiment.processes.standalone import _pickles
from lunaflow.experiment.processes.standalone._pickles import Held, dumps, loads, whole

# of dates NumPy's own pickles lose the byte order
DTYPES = hnp.scalar_dtypes().map(lambda d: d.newbyteorder("=") if d.kind in "mM" else d)
ARRAYS = hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, min_side=0, max_side=4))
VALUES = st.recursive(
    st.none() | st.integers() | st.text() | st.binary() | ARRAYS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


def held(value: Any) -> Held:
    data, buffers = dumps(value)
    views = [buffer.raw() for buffer in buffers]
    found = Held(data, [bytes(view) for view in views], [not view.readonly for view in views])
    found.settle()
    return found


@given(VALUES)
def test_m8_a_fresh_copy_is_the_same_and_not_changed(value: Any) -> None:
    kept = held(value)
    for seed in range(3):
        copy = kept.fresh(random.Random(seed))
        assert same_value(copy, value)
        assert kept.change_in(copy) is None
    assert same_value(loads(whole(value)), value)


def test_m14_arrays_lie_on_a_line_at_an_offset_within_a_page_that_is_drawn() -> None:
    kept = held([np.arange(10), np.arange(5.0)])
    drawn = random.Random(0)
    copies = [kept.fresh(drawn) for _ in range(40)]
    offsets = [array.ctypes.data % 4096 for copy in copies for array in copy]
    assert all(offset % 64 == 0 for offset in offsets)
    assert len(set(offsets)) > 20
    same = kept.fresh(random.Random(0))
    assert [array.ctypes.data % 4096 for array in same] == offsets[:2]


def test_m8_a_change_is_seen_with_what_it_made_of_the_input() -> None:
    kept = held({"x": np.arange(3), "y": [1]})
    copy = kept.fresh(random.Random(0))
    copy["x"][1] = 7
    now = kept.change_in(copy)
    assert now
    assert loads(now)["x"].tolist() == [0, 7, 2]
    copy["y"] = lambda: 0
    assert kept.change_in(copy) == b""


def test_read_only_arrays_stay_read_only() -> None:
    array = np.arange(3)
    array.flags.writeable = False
    copies = held([array, np.arange(3)]).fresh(random.Random(0))
    assert [copy.flags.writeable for copy in copies] == [False, True]


@pytest.mark.parametrize("module", ["numpy.core.multiarray", "numpy._core.multiarray"])
def test_arrays_of_another_numpy_are_read_by_either_name(module: str) -> None:
    array = np.arange(3)
    data = pickle.dumps(array, protocol=0)
    here = np.ndarray.__reduce__(array)[0].__module__.encode()
    assert here in data
    assert loads(data.replace(here, module.encode())).tolist() == [0, 1, 2]


def test_what_is_nowhere_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        loads(b"cno_such_module\nname\n.")
    assert _pickles._names_of("numpy.coreless") == ["numpy.coreless"]

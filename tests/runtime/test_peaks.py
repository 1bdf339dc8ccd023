"""R7: beyond input and output, memory grows by blocks alone, whatever input and plan are."""

import json

from tests.runtime.fresh import interpreter
from tests.runtime.peaks import SIZE

# the smallest input measured, of one byte an element, is four times as large
ALLOWED_KIB = 1024


def test_r7_nothing_is_copied_as_a_whole_and_nothing_kept_for_each_worker() -> None:
    # what is freed goes back to the system at once, and is seen when it is taken again
    environment = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    found = json.loads(interpreter("-m", "tests.runtime.peaks", **environment))
    assert found.pop("a copy") > 0.9 * SIZE / 1024
    assert len(found) > 90
    grown = {name: kib for name, kib in found.items() if kib > ALLOWED_KIB}
    assert grown == {}

"""Sum of the integers below n, by a list and by an array: run it with pytest-benchmark."""

import numpy as np
import pytest


@pytest.mark.parametrize("n", [4, 64, 1024, 4096])
def test_list(benchmark, n):  # type: ignore[no-untyped-def]
    numbers = list(range(n))
    assert benchmark.pedantic(sum, (numbers,), rounds=25, iterations=200) == n * (n - 1) // 2


@pytest.mark.parametrize("n", [4, 64, 1024, 4096])
def test_array(benchmark, n):  # type: ignore[no-untyped-def]
    array = np.arange(n)
    assert benchmark.pedantic(np.sum, (array,), rounds=25, iterations=200) == n * (n - 1) // 2

"""Sum of the integers below n, by a list and by an array: run it with pyperf."""

import numpy as np
import pyperf

runner = pyperf.Runner(processes=6, values=3, warmups=1, min_time=0.005)
for n in (4, 64, 1024, 4096):
    numbers = list(range(n))
    array = np.arange(n)
    runner.bench_func(f"list/{n}", sum, numbers)
    runner.bench_func(f"array/{n}", np.sum, array)

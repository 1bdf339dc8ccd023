"""``python -m tests.runtime.levels``: a digest of what the block kernels in use compute.

Random arrays of a few blocks, each in two layouts and in several divisions into chunks and parts,
and arrays of every dtype, with flags and from bits, are compared with Python integers. Every level
of the instruction set must print the same digest.
"""

import hashlib
import itertools
import random
from typing import Any

import numpy as np
from tests.runtime.kit import LAYOUTS, Array, exact, limits
from tests.runtime.memory import DTYPES, STEPS, laid_out
from tests.runtime.memory import limits as limits_of

from lunaflow.runtime import build_info
from lunaflow.runtime._bits import Bits
from lunaflow.runtime._map import double_chunks
from lunaflow.runtime._reduce import HIGH, LOW, TOTAL, reduce_chunks
from lunaflow.runtime._scan import scan_chunks

CASES = 60
OPERATIONS = {"SUM": (0, 0), "MIN": (1, 2**63 - 1), "MAX": (2, -(2**63))}


def main() -> None:
    """Print the instruction set and the digest."""
    rng = random.Random(0)
    digest = hashlib.sha256()
    for _ in range(CASES):
        values = _values(rng, rng.choice([np.int32, np.int64]))
        digest.update(repr(_outcome(rng, values)).encode())
        digest.update(repr(_of_any_kind(rng)).encode())
    print(build_info()["instruction_set"], digest.hexdigest())


def _outcome(rng: random.Random, values: Array) -> list[Any]:
    numbers = values.tolist()
    expected = [
        (sum(numbers), min(numbers), max(numbers)),
        *(_expected("SCAN", operation, values) for operation in OPERATIONS),
        _expected("MAP", None, values),
    ]
    for layout in (LAYOUTS[0], rng.choice(LAYOUTS)):
        for _ in range(3):
            chunks = rng.randint(1, len(values))
            parts = rng.randint(1, min(chunks, 8))
            found = _computed(layout(values), chunks, parts)
            assert found == expected, f"{layout.__name__}, {chunks} chunks, {parts} parts: {values}"
    return expected


def _of_any_kind(rng: random.Random) -> list[Any]:
    # what is gathered into blocks: other dtypes, steps and byte orders, flags, and bits
    dtype, size = rng.choice(DTYPES), rng.randint(1, 4000)
    low, high = limits_of(dtype)
    numbers = [rng.randint(max(low, -(2**40)), min(high, 2**40)) for _ in range(size)]
    x = laid_out(np.array(numbers, dtype), [0], [rng.choice(STEPS)], rng.randrange(2))
    flags = np.array([rng.random() < 0.5 for _ in range(size)], bool)
    first = rng.randrange(9)
    ahead = flags[:first]
    bits = Bits(np.packbits([*ahead, *flags], bitorder="little"), len(ahead), size)
    kept = [v for v, flag in zip(numbers, flags, strict=True) if flag] or [0]
    expected: list[Any] = [(sum(kept), min(kept), max(kept)), list(itertools.accumulate(numbers))]
    for mask in (flags, bits):
        found = reduce_chunks(x, 1, 1, TOTAL | LOW | HIGH, mask, 1)
        assert found[3] == flags.sum()
        assert found[3] == 0 or found[:3] == expected[0]
    assert reduce_chunks(x, 1, 1, LOW)[1] == min(numbers)
    assert reduce_chunks(x, 1, 1, HIGH)[2] == max(numbers)
    out = np.empty(size, np.int64)
    assert scan_chunks(x, out, 0, 0, *limits(np.int64), 1, 1, True) == -1
    assert out.tolist() == expected[1]
    assert double_chunks(x, out, 1, 1) == -1
    assert out.tolist() == [2 * v for v in numbers]
    return expected


def _expected(kind: str, operation: str | None, values: Array) -> int | list[int]:
    # the first position that fails, or the results
    outcome = exact(kind, operation, values.tolist(), values.dtype)
    result: int | list[int] = outcome[1]
    return result


def _computed(x: Array, chunks: int, parts: int) -> list[Any]:
    dtype = x.dtype.newbyteorder("=")
    low, high = limits(dtype)
    found: list[Any] = [tuple(reduce_chunks(x, chunks, parts, TOTAL | LOW | HIGH)[:3])]
    for operation, start in OPERATIONS.values():
        out = np.empty(len(x), dtype)
        failed = scan_chunks(x, out, operation, start, low, high, chunks, parts, True)
        found.append(out.tolist() if failed < 0 else failed)
    out = np.empty(len(x), dtype)
    failed = double_chunks(x, out, chunks, parts)
    return [*found, out.tolist() if failed < 0 else failed]


def _values(rng: random.Random, dtype: Any) -> Array:
    low, high = limits(dtype)
    length = rng.choice([rng.randint(1, 70), rng.randint(1, 6000), 1535, 1536, 1537, 3072])
    if rng.random() < 0.01:
        length = 65536 + rng.choice([-1, 0, 1, 700])
    bound = rng.choice([100, high // length, high // 2, high])
    numbers = [rng.randint(-bound, bound) for _ in range(length)]
    if rng.random() < 0.3:
        # something extreme, anywhere
        numbers[rng.randrange(length)] = rng.choice([low, high, low // 2, high // 2 + 1])
    return np.array(numbers, dtype)


if __name__ == "__main__":
    main()

"""Nothing stays behind: blocks of memory, references; and duals that threads share."""

import contextlib
import gc
import pickle
import sys
import threading
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from lunaflow.autodiff._dual import Dual, div_checked, fresh_level, seed, sqrt_checked

X: Any = Dual(2.0, 1.0)
Y: Any = Dual(3.0, 0.5)
NESTED: Any = Dual(X, Y)
EXACT: Any = Dual(Fraction(1, 3), Fraction(2, 7))
DECIMAL: Any = Dual(Decimal("1.5"), Decimal("2.5"))
CHECKED = seed(2.0, 1.0, fresh_level(), True)
ARRAY = np.array([X, Y])


def quietly(run: Callable[[], object]) -> Callable[[], object]:
    def failing() -> None:
        with contextlib.suppress(TypeError, ValueError, ArithmeticError):
            run()

    return failing


WORK: dict[str, Any] = {
    "ring": lambda: (X * Y + X - Y) * 2.5 - 1,
    "quotient": lambda: 1 / (X / Y) / 2,
    "rare quotient": lambda: Dual(1e-300, 1e300) / Dual(1e300, 1.0),
    "nested": lambda: (NESTED * NESTED + X - 2) / NESTED,
    "fractions": lambda: (EXACT * EXACT + 1) / EXACT,
    "decimals": lambda: div_checked(DECIMAL, 3).unwrap() - DECIMAL,
    "checked": lambda: (div_checked(X, Y), sqrt_checked(X), div_checked(NESTED, NESTED)),
    "failing": lambda: (div_checked(X, 0), sqrt_checked(Dual(0.0, 1.0)), div_checked(NESTED, 0)),
    "mode": lambda: CHECKED * CHECKED / 3 - 1,
    "making": lambda: (Dual(1, 2), Dual(X, 1), Dual(Fraction(1), 2), Dual.constant(2)),
    "components": lambda: (X.value, NESTED.tangent, X.identical(Y), NESTED.identical(NESTED)),
    "comparing": lambda: (X < Y, X == 2, EXACT.value <= NESTED, bool(X), X != "a"),
    "arrays": lambda: (ARRAY @ ARRAY, ARRAY * X, X < ARRAY, np.float64(2) * X),
    "text": lambda: (repr(NESTED), f"{X:.2f}", pickle.loads(pickle.dumps(NESTED))),
    "raising": quietly(lambda: CHECKED / 0),
    "tie": quietly(lambda: CHECKED < 2),
    "refused": quietly(lambda: X + "a"),
    "refused number": quietly(lambda: X + Fraction(1)),
    "refused making": quietly(lambda: Dual("a", 1)),
    "too large": quietly(lambda: X * 10**400),
    "lossy": quietly(lambda: float(X)),
}


@pytest.mark.parametrize("name", WORK)
def test_operations_leave_no_memory_behind(name: str) -> None:
    work, times = WORK[name], 500
    blocks = []
    for _ in range(4):
        for _ in range(times):
            work()
        gc.collect()
        blocks.append(sys.getallocatedblocks())
    # a lost block a turn would be `times` of them in every round; caches grow in some
    assert min(later - earlier for earlier, later in pairwise(blocks)) < times // 10


def test_components_are_referenced_as_often_as_they_are_held() -> None:
    value, tangent = Fraction(10**30, 7), Fraction(10**30, 11)
    before = sys.getrefcount(value), sys.getrefcount(tangent)
    x = Dual(value, tangent)
    held = sys.getrefcount(value), sys.getrefcount(tangent)
    assert held == (before[0] + 1, before[1] + 1)
    results = [x + 1, x * x, x / 3, -x, div_checked(x, x), x.value, x.tangent, repr(x), x < 1]
    del results
    assert (sys.getrefcount(value), sys.getrefcount(tangent)) == held
    y: Any = Dual(x, x)
    assert sys.getrefcount(x) >= 2
    del y, x
    assert (sys.getrefcount(value), sys.getrefcount(tangent)) == before


def test_a_dual_is_released_with_its_last_reference() -> None:
    class Watched(Fraction):
        alive = 0

        def __new__(cls, *arguments: Any) -> "Watched":
            cls.alive += 1
            return super().__new__(cls, *arguments)

        def __del__(self) -> None:
            type(self).alive -= 1

    duals: list[Any] = [Dual(Watched(n), Watched(1)) for n in range(1000)]
    assert Watched.alive == 2000
    duals = [Dual(d, d) for d in duals]
    assert Watched.alive == 2000
    del duals
    assert Watched.alive == 0


def test_long_chains_of_duals_end_without_recursion() -> None:
    held: Any = None
    for _ in range(200_000):
        held = (Dual(1.0, 2.0), held)
    del held
    deep: Any = Dual(1.0, 2.0)
    for _ in range(10):
        deep = Dual(deep, 0)
    assert (deep * deep).identical(deep + deep * (deep - 1))


def test_threads_share_duals() -> None:
    def expected() -> tuple[Any, ...]:
        return (
            X * Y / X - 1,
            NESTED * NESTED / X,
            EXACT * EXACT / 3,
            div_checked(DECIMAL, 7).unwrap(),
            div_checked(NESTED, Y).unwrap(),
            sqrt_checked(X).unwrap(),
            CHECKED * 2 / CHECKED,
        )

    results, failures, levels = expected(), [], [[] for _ in range(8)]  # type: ignore[var-annotated]
    start = threading.Barrier(8)

    def hammer(number: int) -> None:
        start.wait()
        for _ in range(300):
            levels[number].append(fresh_level())
            if not all(map(Dual.identical, expected(), results)):
                failures.append(number)

    threads = [threading.Thread(target=hammer, args=(n,)) for n in range(8)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures
    assert len({level for own in levels for level in own}) == 8 * 300
    assert all(own == sorted(own) for own in levels)

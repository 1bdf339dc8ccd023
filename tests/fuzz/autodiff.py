"""Random points and directions through every rule: each tangent must keep the bound of law D8."""

import math
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random

from tests.autodiff import points
from tests.autodiff.exact import SLOPES, Measured, measure

from lunaflow.autodiff import Dual
from lunaflow.autodiff._kernels import BINARY, UNARY

CHUNK = 2_000
PROCESSES = 2
KERNELS = UNARY | BINARY


@dataclass(frozen=True, slots=True)
class Case:
    """What a rule returned, and how far that is from the exact tangent."""

    rule: str
    point: tuple[float, ...]
    along: tuple[float, ...]
    got: float
    measured: Measured


def fuzz(cases: int, seed: int) -> str:
    """Return the worst errors of `cases` cases a rule; AssertionError shows what breaks D8."""
    began = time.monotonic()
    starts = range(0, cases, CHUNK)
    tasks = [(rule, start, min(CHUNK, cases - start), seed) for rule in SLOPES for start in starts]
    worst: dict[str, tuple[Case, Case]] = {}
    with ProcessPoolExecutor(PROCESSES) as pool:
        for found in pool.map(_run, tasks):
            rule = found[0].rule
            worst[rule] = _worst([*worst.get(rule, ()), *found])
    beyond = [str(case) for case, _ in worst.values() if not case.measured.share <= 1]
    assert not beyond, f"seed {seed}, beyond the bound of D8:\n" + "\n".join(beyond)
    took = time.monotonic() - began
    rows = [_row(rule, *found) for rule, found in worst.items()]
    title = f"{'rule':24} bound {'ulp':>8}  the worst of {cases} cases is nearest to its bound at"
    return "\n".join([title, *rows, f"all within the bound of D8 (seed {seed}, {took:.0f} s)"])


def _row(rule: str, nearest: Case, farthest: Case) -> str:
    numbers = f"{nearest.measured.share:5.3f} {farthest.measured.ulps:8.3g}"
    return f"{rule:24} {numbers}  {nearest.point} along {nearest.along}"


def _worst(cases: Sequence[Case]) -> tuple[Case, Case]:
    """Return the case nearest to its bound, and the one with most ulp."""
    return (
        max(cases, key=lambda case: case.measured.share),
        max(cases, key=lambda case: case.measured.ulps),
    )


def _run(task: tuple[str, int, int, int]) -> tuple[Case, Case]:
    rule, start, cases, seed = task
    rng = Random(f"{seed} {rule} {start}")
    return _worst([draw(rule, rng) for _ in range(cases)])


def draw(rule: str, rng: Random) -> Case:
    """Draw one case of a rule, at a point that has a slope."""
    point = points.point(rng, rule)
    while not _has_slope(rule, point):
        point = points.point(rng, rule)
    slopes = SLOPES[rule](*point)
    along = tuple(points.direction(rng, slopes))
    got = _tangent(rule, point, along)
    return Case(rule, point, along, got, measure(rule, point, slopes, along, got))


def _has_slope(rule: str, point: tuple[float, ...]) -> bool:
    if not all(map(math.isfinite, point)):
        return False
    if rule == "division":
        return point[1] != 0
    return KERNELS[rule].trouble_at(*point) == "fine"


def _tangent(rule: str, point: tuple[float, ...], along: tuple[float, ...]) -> float:
    pairs = list(zip(point, along, strict=True))
    if rule == "division":
        x, y = (Dual(a, b) for a, b in pairs)
        return float((x / y).tangent)
    return KERNELS[rule].evaluate_at(*(x for pair in pairs for x in pair))[1]

"""Where rules are hard: neighbourhoods of each function, and draws that reach them all.

A draw takes a `random.Random`; Hypothesis gives one too (``st.randoms``).
"""

import math
import struct
import sys
from collections.abc import Callable
from random import Random

from tests.autodiff.exact import MP, Real

from lunaflow.autodiff._kernels import UNARY

LEAST, LARGEST = 5e-324, sys.float_info.max
HALF_PI = math.pi / 2
GAMMA_ROOT = 1.4616321449683623  # of the slopes of gamma and lgamma
ANGLES = (*(k * HALF_PI for k in range(-30, 31)), *(2.0**k * HALF_PI for k in range(5, 1024, 9)))
TAIL = (20.0, 350.0, 373.0, 700.0, 709.79, 710.5, 745.14, 1000.0, 1400.0, 1454.0)
BOTH_TAILS = (0.0, *TAIL, *(-x for x in TAIL))
POLES = tuple(float(-k) for k in range(180))

# points near which something is hard, besides 0, 1, the least and the largest double
CENTRES: dict[str, tuple[float, ...]] = {
    "cbrt": (1e-200, 1e200, 8.0),
    "exp": BOTH_TAILS,
    "exp2": (0.0, 1000.0, 1024.0, 2097.0, -1000.0, -1022.0, -1075.0, -2097.0),
    "expm1": BOTH_TAILS,
    "log": (1e-300, 1e-308),
    "log2": (1e-300, 1e-308, 2.0),
    "log10": (1e-300, 1e-308, 10.0, 7e307),
    "log1p": (-1.0, -0.5, 2.0**53),
    "sin": ANGLES,
    "cos": ANGLES,
    "tan": ANGLES,
    "asin": (1.0, -1.0, 0.5),
    "acos": (1.0, -1.0, 0.5),
    "atan": (1e8, -1e8, 1e154),
    "sinh": BOTH_TAILS,
    "cosh": BOTH_TAILS,
    "tanh": BOTH_TAILS,
    "asinh": (1e8, -1e8, 1e154),
    "acosh": (1.0, 2.0, 1e8),
    "atanh": (1.0, -1.0, 0.5),
    "erf": (5.9, 26.4, 27.3, -27.3, 38.0, 316.2),
    "erfc": (5.9, 26.4, 27.3, -27.3, 38.0, 316.2),
    "gamma": (*POLES, GAMMA_ROOT, -0.504083008264455, 2.0, 10.0, 150.0, 171.6, 172.0, 300.0),
    "lgamma": (*POLES, GAMMA_ROOT, -0.504083008264455, 2.0, 10.0, 150.0, 1e-20, 2.5e305),
    "floor": (3.0, -3.0, 2.0**52),
    "ceil": (3.0, -3.0, 2.0**52),
    "trunc": (3.0, -3.0, 2.0**52),
}

# where the function is neither saturated nor nearly a power
RANGES: dict[str, tuple[float, float]] = {
    "exp": (-2200.0, 1500.0),
    "exp2": (-2200.0, 2100.0),
    "expm1": (-800.0, 1500.0),
    "sin": (-1000.0, 1000.0),
    "cos": (-1000.0, 1000.0),
    "tan": (-1000.0, 1000.0),
    "asin": (-1.0, 1.0),
    "acos": (-1.0, 1.0),
    "sinh": (-1500.0, 1500.0),
    "cosh": (-1500.0, 1500.0),
    "tanh": (-400.0, 400.0),
    "acosh": (1.0, 100.0),
    "atanh": (-1.0, 1.0),
    "erf": (-30.0, 30.0),
    "erfc": (-30.0, 30.0),
    "gamma": (-320.0, 320.0),
    "lgamma": (-320.0, 320.0),
}


def any_float(rng: Random) -> float:
    """A finite float, uniform over the bit patterns."""
    x = math.nan
    while not math.isfinite(x):
        (x,) = struct.unpack("<d", rng.getrandbits(64).to_bytes(8, "little"))
    return float(x)


def near(rng: Random, centre: float) -> float:
    """A float some ulp from `centre`: one, or thousands, or as many as reach the next binade."""
    (pattern,) = struct.unpack("<q", struct.pack("<d", abs(centre)))
    largest = struct.unpack("<q", struct.pack("<d", LARGEST))[0]
    moved = pattern + rng.choice((-1, 1)) * rng.getrandbits(rng.randint(0, 52))
    (x,) = struct.unpack("<d", struct.pack("<q", min(max(moved, 0), largest)))
    return math.copysign(x, centre or rng.choice((-1, 1)))


def short(rng: Random) -> float:
    """A float as people write them: a few digits, or a small integer or half."""
    if rng.random() < 0.5:
        return rng.randint(-24, 24) / 2
    return float(f"{rng.uniform(-10, 10):.{rng.randint(1, 5)}g}")


def argument(rng: Random, name: str) -> float:
    """An argument for the function of one argument."""
    style = rng.randrange(5)
    if style == 0:
        return any_float(rng)
    if style == 1:
        return near(rng, rng.choice((0.0, 1.0, -1.0, LEAST, LARGEST)))
    if style == 2:
        return short(rng)
    low, high = RANGES.get(name, (-10.0, 10.0))
    if style == 3:
        return rng.uniform(low, high)
    return near(rng, rng.choice(CENTRES.get(name, (low, high))))


def _of_size(rng: Random, exponent: int) -> float:
    size = math.ldexp(rng.uniform(1, 2), min(max(exponent, -1080), 1023))
    return rng.choice((-1, 1)) * size


def pair(rng: Random) -> tuple[float, float]:
    """Two arguments: unrelated, or of nearly one size, or multiples of each other."""
    a = rng.choice((any_float, short))(rng)
    style = rng.randrange(5)
    if style == 0:
        return a, rng.choice((any_float, short))(rng)
    if style == 1:
        return a, near(rng, a) * rng.choice((-1, 1))
    if style == 2:
        return a, _of_size(rng, math.frexp(a)[1] + round(rng.gauss(0, 40)))
    if style == 3:  # the first is about a multiple of the second
        return near(rng, max(min(short(rng) * a, LARGEST), -LARGEST)), a
    return rng.uniform(-10, 10), rng.uniform(-10, 10)


def base_and_exponent(rng: Random) -> tuple[float, float]:
    """A base and an exponent whose power is about a double, or comes back to one by a factor."""
    style = rng.randrange(6)
    if style == 0:
        return pair(rng)
    a = abs(rng.choice((any_float(rng), near(rng, 1.0), rng.uniform(0, 20), short(rng)))) or 1.0
    if style == 1:
        return a, short(rng)
    if style == 2:
        return a, near(rng, rng.choice((0.0, 0.5, 1.0, 2.0, -1.0)))
    twos = math.log2(a)
    c = rng.uniform(-2200, 2200) / twos if twos else any_float(rng)
    if style == 3 and abs(c) < 1e300:
        return -a, float(round(c))
    return a, c if math.isfinite(c) else 1.0


POINTS: dict[str, Callable[[Random], tuple[float, ...]]] = {
    "power": base_and_exponent,
    "power_constant_exponent": base_and_exponent,
    "power_constant_base": base_and_exponent,
}


def point(rng: Random, name: str) -> tuple[float, ...]:
    """A point at which to differentiate; the function need not have a slope there."""
    if name in POINTS:
        return POINTS[name](rng)
    return (argument(rng, name),) if name in UNARY else pair(rng)


def direction(rng: Random, slopes: tuple[Real, ...]) -> list[float]:
    """Tangents of the arguments: 1, any, or such that the products are doubles or cancel."""
    style = rng.randrange(4)
    if style == 0:
        return [1.0 for _ in slopes]
    if style == 1:
        return [any_float(rng) for _ in slopes]
    target = rng.randint(-1080, 1026)
    along = [_of_size(rng, target - MP.mag(s)) if s else any_float(rng) for s in slopes]
    if style == 2 and all(slopes) and len(slopes) == 2:
        other = float(-slopes[0] * along[0] / slopes[1])
        along[1] = other if math.isfinite(other) else along[1]
    return along

"""Dual numbers beside plain floats and other packages: ``python benchmarks/autodiff.py``.

Each row of the table is one experiment of `lunaflow.experiment`: fresh processes, balanced blocks,
an A/A control for each candidate. A candidate returns the derivatives that it computed, and is not
timed where they differ from the first one's. Packages that are not installed are named.
"""

import argparse
import json
import math
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import pairwise, repeat
from pathlib import Path
from timeit import Timer
from types import CodeType
from typing import Any

import numpy as np

from lunaflow.experiment import DEVELOPMENT, QUICK_CHECK, Experiment, ReferenceOracle

Candidates = dict[str, Callable[[Any], Any]]
Real = Callable[[Any], Any]

PEERS = {"num_dual": "num-dual", "hyperjet": "hyperjet", "ad": "ad", "jax": "JAX"}
OPERATIONS = 1000  # a call makes so many, so that making its operands counts for nothing
CALLS = 100
BARS = [  # row, candidate, beside which, at most so many times its time
    ("x * y", "lunaflow", "float", 1.5),
    ("x * y", "lunaflow", "num-dual", 0.1),
    ("x / y", "div_checked", "lunaflow", 4.0),
    ("derivative of 20 operations", "ieee", "float", 3.0),
    ("derivative of 20 operations", "raise", "ieee", 1.3),
]


@dataclass(frozen=True)
class Library:
    """How a package makes two variables, what it takes the sine with, and a result's tangent."""

    variables: Callable[[float, float], tuple[Any, Any]]
    tangent: Callable[[Any], float]
    function: Callable[[], Callable[..., Any]]


def main() -> None:
    """Measure what was asked for, print the ratios, write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer pairs, one process")
    parser.add_argument("--only", default="", help="only the rows whose names contain this")
    parser.add_argument("--json", type=Path, help="where to write the medians")
    given = parser.parse_args()
    missing = [name for module, name in PEERS.items() if find_spec(module) is None]
    if missing:
        print("not installed, so not compared:", ", ".join(missing))
    medians: dict[str, dict[str, float]] = {}
    for name, candidates, size in rows():
        if given.only in name:
            medians[name] = measured(name, candidates, size, quick=given.quick)
            print(line(name, medians[name]), flush=True)
    for text in bars(medians):
        print(text)
    if given.json is not None:
        given.json.write_text(json.dumps(medians, indent=1))


def rows() -> Iterator[tuple[str, Candidates, int]]:
    """Yield the name, candidates and size of each experiment."""
    known = libraries()
    for expression, slope in (
        ("x + y", lambda *_: 2.0),
        ("x * y", lambda x, y: x + y),
        ("x / y", lambda x, y: (y - x) / y**2),
        ("sin(x)", lambda x, _: math.cos(x)),
    ):
        candidates: Candidates = {"float": partial(plain, expression, slope)}
        candidates |= {
            key: partial(operated, key, expression, library) for key, library in known.items()
        }
        if expression == "x / y":
            checked = Library(our_variables, lambda ok: ok.unwrap().tangent, our_division)
            candidates["div_checked"] = partial(operated, "checked", "f(x, y)", checked)
        yield expression, candidates, 1
    yield "derivative of 20 operations", derivatives(), 1
    for n in (2, 10, 100):
        yield f"gradient of Rosenbrock, n = {n}", gradients(), n


def measured(name: str, candidates: Candidates, size: int, *, quick: bool) -> dict[str, float]:
    """Return the median seconds of a call of each candidate that agrees with the first."""
    first = next(iter(candidates.values()))
    result = Experiment(
        name,
        candidates,
        sizes=[size],
        make=points,
        oracle=ReferenceOracle.close("close", first, rel=1e-9, abs=1e-12),
        protocol=QUICK_CHECK if quick else DEVELOPMENT,
    ).run(progress=False)
    for failure in result.failures:
        print(f"{name}: {failure.implementation} is not timed: {failure.status}")
    timed = {key: result.times(key, size) for key in candidates}
    return {key: statistics.median(times) for key, times in timed.items() if len(times)}


def line(name: str, medians: dict[str, float]) -> str:
    """Return a row of the table: the first candidate's time is 1."""
    if not medians:
        return f"{name}: nothing was timed"
    base = next(iter(medians.values()))
    ratios = [f"{key} {seconds / base:.3g}" for key, seconds in medians.items()]
    return f"{name}: " + ", ".join(ratios)


def bars(medians: dict[str, dict[str, float]]) -> Iterator[str]:
    """Yield how each promise stands."""
    for row, candidate, beside, most in BARS:
        times = medians.get(row, {})
        if candidate in times and beside in times:
            ratio = times[candidate] / times[beside]
            verdict = "met" if ratio <= most else "MISSED"
            yield f"{row}, {candidate} / {beside}: {ratio:.3g}, at most {most:g}: {verdict}"


def points(size: int, rng: np.random.Generator) -> list[float]:
    """Return numbers near 1: two for an operation, else as many as there are variables."""
    return [float(x) for x in rng.uniform(0.5, 1.5, max(size, 2))]


def libraries() -> dict[str, Library]:
    """Return the packages that are there."""
    found = {"lunaflow": Library(our_variables, lambda d: d.tangent, our_sine)}
    if find_spec("num_dual"):
        found["num-dual"] = Library(num_dual_variables, lambda d: d.first_derivative, sine_method)
    if find_spec("hyperjet"):
        found["hyperjet"] = Library(hyperjet_variables, lambda d: float(d.g[0]), sine_method)
    if find_spec("ad"):
        found["ad"] = Library(ad_variables, lambda d: sum(d.d().values()), ad_sine)
    return found


def our_variables(x: float, y: float) -> tuple[Any, Any]:
    """Make two duals; like the others, it imports in the process that measures."""
    from lunaflow.autodiff import Dual

    return Dual(x, 1.0), Dual(y, 1.0)


def our_sine() -> Real:
    """Return our sine."""
    from lunaflow.autodiff.elementary import sin

    return sin


def our_division() -> Callable[..., Any]:
    """Return our checked division."""
    from lunaflow.autodiff.checked import div_checked

    return div_checked


def num_dual_variables(x: float, y: float) -> tuple[Any, Any]:
    """Make two of num-dual's scalars."""
    from num_dual import Dual64

    return Dual64(x, 1.0), Dual64(y, 1.0)


def hyperjet_variables(x: float, y: float) -> tuple[Any, Any]:
    """Make two of hyperjet's first-order scalars of one variable."""
    from hyperjet import D1Scalar

    return D1Scalar(x, [1.0]), D1Scalar(y, [1.0])


def ad_variables(x: float, y: float) -> tuple[Any, Any]:
    """Make two of ad's numbers."""
    from ad import adnumber

    return adnumber(x), adnumber(y)


def ad_sine() -> Real:
    """Return ad's sine."""
    from ad.admath import sin

    sine: Real = sin
    return sine


def sine_method() -> Real:
    """Return the sine of packages that have it as a method."""
    return lambda d: d.sin()


def math_sine() -> Real:
    """Return the sine of floats."""
    return math.sin


_LOOPS: dict[tuple[str, str], tuple[Timer, CodeType, dict[str, Any]]] = {}


def operated(name: str, expression: str, library: Library, given: list[float]) -> float:
    """Evaluate an expression many times, as `timeit` does it, and return its tangent.

    Each package has its loop, so that the interpreter can specialise it.
    """
    if (name, expression) not in _LOOPS:
        names = {"sin": library.function(), "f": library.function()}
        once = compile(expression, "expression", "eval")
        _LOOPS[name, expression] = Timer(expression, globals=names), once, names
    timer, once, names = _LOOPS[name, expression]
    names["x"], names["y"] = library.variables(*given)
    timer.timeit(OPERATIONS)
    return library.tangent(eval(once, names))  # noqa: S307


def plain(expression: str, slope: Callable[[float, float], float], given: list[float]) -> float:
    """Compute with floats, and return the slope that is known."""
    floats = Library(lambda x, y: (x, y), float, math_sine)
    operated("float", expression, floats, given)
    return slope(*given)


def twenty(x: Any) -> Any:
    """Compute a rational function of 20 operations."""
    a = x * x + 1.5
    b = a * x - 2.0
    c = b / (x + 3.0)
    d = c + x * 0.5
    e = d * (x - 0.25)
    f = (e + 2.0) / (x * x + 1.0)
    g = f - x
    h = g * 0.75 + d
    i = h / (a + 4.0)
    return i + e


def derivatives() -> Candidates:
    """Return the ways to differentiate `twenty`; the first only computes it."""
    candidates: Candidates = {
        "float": called,
        "ieee": partial(differentiated, "ieee"),
        "raise": partial(differentiated, "raise"),
        "result": partial(differentiated, "result"),
    }
    if find_spec("num_dual"):
        candidates["num-dual"] = by_num_dual
    if find_spec("hyperjet"):
        candidates["hyperjet"] = by_hyperjet
    if find_spec("ad"):
        candidates["ad"] = by_ad
    if find_spec("jax"):
        candidates["JAX"] = partial(by_jax, compiled=False)
        candidates["JAX, compiled"] = partial(by_jax, compiled=True)
    return candidates


def called(given: list[float]) -> float:
    """Call the function itself many times; its slope comes from one dual."""
    from lunaflow.autodiff import derivative

    x = given[0]
    for _ in repeat(None, CALLS):
        twenty(x)
    return float(derivative(twenty, x))


def differentiated(errors: Any, given: list[float]) -> float:
    """Differentiate many times in one of the modes."""
    from lunaflow.autodiff import derivative

    x = given[0]
    for _ in repeat(None, CALLS):
        slope = derivative(twenty, x, errors=errors)
    return float(slope.unwrap() if errors == "result" else slope)


def by_num_dual(given: list[float]) -> float:
    """Differentiate by num-dual."""
    from num_dual import first_derivative

    for _ in repeat(None, CALLS):
        _, slope = first_derivative(twenty, given[0])
    return float(slope)


def by_hyperjet(given: list[float]) -> float:
    """Differentiate by hyperjet."""
    from hyperjet import D1Scalar

    for _ in repeat(None, CALLS):
        slope = twenty(D1Scalar(given[0], [1.0])).g[0]
    return float(slope)


def by_ad(given: list[float]) -> float:
    """Differentiate by ad."""
    from ad import adnumber

    for _ in repeat(None, CALLS):
        x = adnumber(given[0])
        slope = twenty(x).d(x)
    return float(slope)


def by_jax(given: list[float], *, compiled: bool) -> float:
    """Differentiate by JAX, in 64 bits."""
    grad = jax_gradient("twenty", compiled)
    for _ in repeat(None, CALLS):
        slope = grad(given[0])
    return float(slope)


def rosenbrock(x: Any) -> Any:
    """Compute Rosenbrock's function, one term after the other."""
    total: Any = 0.0
    for a, b in pairwise(x):
        total = total + 100.0 * (b - a * a) * (b - a * a) + (1.0 - a) * (1.0 - a)
    return total


def gradients() -> Candidates:
    """Return the ways to the gradient of Rosenbrock's function; the first is written by hand."""
    candidates: Candidates = {
        "by hand": by_hand,
        "ieee": partial(our_gradient, "ieee"),
        "raise": partial(our_gradient, "raise"),
    }
    if find_spec("num_dual"):
        candidates["num-dual"] = num_dual_gradient
    if find_spec("hyperjet"):
        candidates["hyperjet"] = hyperjet_gradient
    if find_spec("ad"):
        candidates["ad"] = ad_gradient
    if find_spec("jax"):
        candidates["JAX"] = partial(jax_rosenbrock, compiled=False)
        candidates["JAX, compiled"] = partial(jax_rosenbrock, compiled=True)
    return candidates


def by_hand(x: list[float]) -> list[float]:
    """Compute value and slopes together in plain floats."""
    slopes = [0.0] * len(x)
    for i in range(len(x) - 1):
        a, b = x[i], x[i + 1]
        slopes[i] += -400.0 * a * (b - a * a) - 2.0 * (1.0 - a)
        slopes[i + 1] += 200.0 * (b - a * a)
    return slopes


def our_gradient(errors: Any, x: list[float]) -> list[float]:
    """Pass a dual through the function for each variable."""
    from lunaflow.autodiff import gradient

    slopes: list[float] = gradient(rosenbrock, x, errors=errors).tolist()
    return slopes


def num_dual_gradient(x: list[float]) -> list[float]:
    """Take num-dual's gradient, whose tangents are vectors."""
    from num_dual import gradient

    return [float(slope) for slope in gradient(rosenbrock, x)[1]]


def hyperjet_gradient(x: list[float]) -> list[float]:
    """Take hyperjet's first-order scalars, whose tangents are vectors."""
    from hyperjet import DScalar

    slopes: list[float] = rosenbrock(DScalar.variables(x)).g.tolist()
    return slopes


def ad_gradient(x: list[float]) -> list[float]:
    """Take ad's gradient, which keeps the tangents in dicts."""
    from ad import adnumber

    variables = adnumber(x)
    slopes: list[float] = rosenbrock(variables).gradient(variables)
    return slopes


def jax_rosenbrock(x: list[float], *, compiled: bool) -> list[float]:
    """Take JAX's reverse mode over the function written on whole arrays."""
    slopes: list[float] = jax_gradient("rosenbrock", compiled)(np.asarray(x)).tolist()
    return slopes


_JAX: dict[tuple[str, bool], Real] = {}


def jax_gradient(name: str, compiled: bool) -> Real:
    """Return the gradient function, made once in each process, as users of JAX do."""
    if (name, compiled) not in _JAX:
        import jax

        jax.config.update("jax_enable_x64", True)
        function = {"twenty": twenty, "rosenbrock": rosenbrock_of_arrays}[name]
        grad = jax.grad(function)
        _JAX[name, compiled] = jax.jit(grad) if compiled else grad
    return _JAX[name, compiled]


def rosenbrock_of_arrays(x: Any) -> Any:
    """Compute Rosenbrock's function on whole arrays."""
    a, b = x[:-1], x[1:]
    return (100.0 * (b - a * a) ** 2 + (1.0 - a) ** 2).sum()


if __name__ == "__main__":
    main()

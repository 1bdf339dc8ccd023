"""Inputs drawn from Hypothesis strategies, the same for the same generator in every process."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lunaflow._arguments import as_count, reject_type

# the first examples that Hypothesis tries are the simplest ones; a later one is a random draw
_EXAMPLES = 12


def from_hypothesis(strategy: Any) -> Callable[[int, np.random.Generator], Any]:
    """Return a `make` that draws inputs from a Hypothesis strategy.

    Parameters
    ----------
    strategy : SearchStrategy, or callable
        A strategy for all sizes, or ``strategy(size)``, which returns that of a size. A function
        that can be imported travels to every fresh interpreter; of the strategies themselves not
        all can be pickled. Hypothesis is made for small inputs: for long arrays let it draw what is
        special and fill up the rest.

    Returns
    -------
    callable
        ``make(size, rng)`` draws one input. It is determined by the state of `rng`, the strategy
        and the version of Hypothesis, and by nothing else: the constants that Hypothesis finds in
        the modules at hand, which differ between processes, take no part.

    Raises
    ------
    TypeError
        If `strategy` is neither; from ``make``, if it returns no strategy.
    ImportError
        If Hypothesis is not installed.
    """
    if not (_is_strategy(strategy) or callable(strategy)):
        raise reject_type("strategy", strategy, "a Hypothesis strategy, or a callable of the size")
    return _Drawn(strategy)


@dataclass(frozen=True, slots=True)
class _Drawn:
    strategy: Any

    def __call__(self, size: int, rng: np.random.Generator) -> Any:
        strategy = self.strategy
        if not _is_strategy(strategy):
            strategy = strategy(as_count("size", size, 0))
            if not _is_strategy(strategy):
                raise reject_type("what strategy(size) returns", strategy, "a Hypothesis strategy")
        return _draw(strategy, int(rng.integers(2**63)))


def _draw(strategy: Any, seed: int) -> Any:
    import hypothesis

    found: list[Any] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=_EXAMPLES,
        phases=[hypothesis.Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        backend=_registered_backend(),
    )
    @hypothesis.given(strategy)
    def draw(value: Any) -> None:
        found.append(value)

    draw()
    return found[-1]


def _registered_backend() -> str:
    """Return the name of Hypothesis' own way of drawing, without constants of local modules."""
    from hypothesis.internal.conjecture import providers

    name = "lunaflow"

    class WithoutConstants(providers.HypothesisProvider):
        def _maybe_draw_constant(self, *_args: Any, **_kwargs: Any) -> None:
            return None

    providers.AVAILABLE_PROVIDERS.setdefault(name, WithoutConstants)
    return name


def _is_strategy(given: object) -> bool:
    from hypothesis.strategies import SearchStrategy

    return isinstance(given, SearchStrategy)

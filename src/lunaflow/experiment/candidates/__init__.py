"""Ready-made candidate functions for `Shrinker`: how inputs of the usual kinds get simpler.

Each takes an input and returns an iterable of simpler ones, drawn lazily: the biggest cuts first
(halves, then blocks, then single elements), then smaller values. No candidate equals the input, and
each is simpler by the strict order that its function states, so that a descent cannot run in
circles. An input of another kind is a TypeError, at once.

What a function needs beside the input is bound with `functools.partial`, which can be pickled::

    Shrinker(partial(candidates.sequences, elements=candidates.integers))
"""

from lunaflow.experiment.candidates._arrays import arrays
from lunaflow.experiment.candidates._combined import by_type, one_of, product
from lunaflow.experiment.candidates._containers import mappings, sequences
from lunaflow.experiment.candidates._kinds import WrongKind
from lunaflow.experiment.candidates._numbers import floats, integers
from lunaflow.experiment.candidates._texts import strings

__all__ = [
    "WrongKind",
    "arrays",
    "by_type",
    "floats",
    "integers",
    "mappings",
    "one_of",
    "product",
    "sequences",
    "strings",
]

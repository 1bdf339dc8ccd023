"""A failure of an experiment as a test that pytest runs."""

import contextlib
import pickle
import sys
from collections.abc import Callable, Iterator
from typing import Any

from lunaflow._arguments import require
from lunaflow.experiment._fixture import SetupPolicy
from lunaflow.experiment._observations import Failure
from lunaflow.experiment._oracles import ReferenceOracle
from lunaflow.experiment._pytest_source import pytest_source
from lunaflow.experiment._relational import ReferenceAndRelational, RelationalOracle
from lunaflow.experiment._source import NoSource
from lunaflow.experiment.engine._parcel import Parts, unpack_parts
from lunaflow.experiment.engine._replayable import Recipe


def to_pytest(failure: Failure) -> str:
    """Return the source of a test of the smallest input on which an implementation failed.

    The test imports the implementation and the reference by name, and fails until the
    implementation is right on this input.

    Parameters
    ----------
    failure : Failure
        One of ``result.failures``, or of a file of events. Its recipe is a pickle, and reading it
        runs what it says: take only files that you trust.

    Returns
    -------
    str
        ASCII text; save it as ``test_NAME.py``.

    Raises
    ------
    NoSource
        If the failure cannot be replayed, a function cannot be imported by name, the input cannot
        be written as source, or what failed is more than one call: a worker, a sequence, or an
        input that is prepared.
    """
    require("failure", failure, Failure, "a Failure")
    if failure.recipe is None:
        why = f": {failure.unreplayable}" if failure.unreplayable else ""
        raise NoSource(f"the failure cannot be replayed, so there is no input to test{why}")
    with _read(failure.recipe) as (recipe, parts, oracle, argument):
        return pytest_source(
            _function(parts, str(recipe.name)),
            argument,
            _reference_oracle(recipe, parts, oracle),
            name=failure.implementation,
            size=failure.size,
            reason=getattr(failure.status, "reason", ""),
            may_change_input=parts.fixture.setup_policy is not SetupPolicy.SHARED,
        )


@contextlib.contextmanager
def _read(data: bytes) -> Iterator[tuple[Recipe, Parts, Any, Any]]:
    """Read a recipe, with the modules beside the experiment at hand as they were then."""
    before = list(sys.path)
    try:
        recipe, parts, oracle, argument = _unpickled(data)
        yield recipe, parts, oracle, argument
    finally:
        sys.path[:] = before


def _unpickled(data: bytes) -> tuple[Recipe, Parts, Any, Any]:
    try:
        recipe = pickle.loads(data)  # noqa: S301 (the docstring says so)
        if recipe.timing is not None:
            raise NoSource("it fails only while it is timed, and one call says nothing of that")
        sys.path += [entry for entry in recipe.path if entry not in sys.path]
        parts = unpack_parts(recipe.parcel)
        oracle = None if recipe.oracle is None else pickle.loads(recipe.oracle)  # noqa: S301
        argument = pickle.loads(recipe.argument)  # noqa: S301
    except NoSource:
        raise
    except Exception as error:
        raise NoSource(f"the recipe cannot be read: {type(error).__name__}: {error}") from error
    if parts.steps > 1:
        raise NoSource("a sequence of steps has failed, which is more than one call")
    if parts.fixture.prepare is not None:
        raise NoSource("the input is prepared by the fixture, which a test does not do")
    return recipe, parts, oracle, argument


def _function(parts: Parts, name: str) -> Callable[[Any], Any]:
    function = parts.implementation(name).function
    if function is None:
        raise NoSource(f"{name} is no plain function of the input, which a test could call")
    return function


def _reference_oracle(recipe: Recipe, parts: Parts, oracle: Any) -> ReferenceOracle:
    if oracle is None:
        if recipe.reference is None:
            raise NoSource("the recipe has neither an oracle nor a reference")
        return ReferenceOracle.equal("equal", _function(parts, recipe.reference))
    if isinstance(oracle, ReferenceAndRelational):
        return oracle.reference
    if isinstance(oracle, RelationalOracle):
        others = [one.id for one in parts.implementations if one.id != recipe.name]
        if oracle != RelationalOracle.equal(oracle.id) or not others:
            raise NoSource(f"the relation {oracle.id!r} cannot be written as source")
        return ReferenceOracle.equal(oracle.id, _function(parts, others[0]))
    found: ReferenceOracle = oracle
    return found

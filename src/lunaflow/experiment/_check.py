"""Whether an implementation is right on one input, without an experiment around it."""

import copy
from collections.abc import Callable
from typing import Any

from lunaflow._arguments import require, require_callable
from lunaflow.experiment._fingerprint import is_unchanged
from lunaflow.experiment._oracles import ReferenceOracle, expected_result, judge
from lunaflow.experiment._outcomes import OperationResult, Outcome, Value, outcome_of_exception
from lunaflow.experiment._statuses import Invalid, Status


def check(
    implementation: Callable[[Any], Any],
    input: Any,  # noqa: A002
    oracle: ReferenceOracle,
    *,
    may_change_input: bool = False,
) -> Status:
    """Return what an oracle says of an implementation on one input.

    Parameters
    ----------
    implementation : callable
        ``implementation(input)`` returns a value, an outcome or an OperationResult; an exception is
        the outcome `Trapped`. It gets a copy of the input.
    input : object
        The input.
    oracle : ReferenceOracle
        Says which results are right; asked for step 0, from its initial context.
    may_change_input : bool
        Whether the implementation may change its input; if not, one that does is
        ``Invalid("changed its input")``.
    """
    require_callable("implementation", implementation)
    require("oracle", oracle, ReferenceOracle, "a ReferenceOracle")
    expected = expected_result(oracle, copy.deepcopy(input), 0, oracle.initial_context)
    given = copy.deepcopy(input)
    try:
        result = implementation(given)
    except Exception as error:
        result = outcome_of_exception(error)
    if not may_change_input and not is_unchanged(given, input):
        return Invalid("changed its input")
    actual = result if isinstance(result, (OperationResult, Outcome)) else Value(result)
    return judge(oracle, input, 0, expected, actual)

"""`run`: a plan and its data through every check, in a fixed order, to a backend."""

from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from lunaflow._arguments import as_integer, reject_type, require
from lunaflow._texts import text_of
from lunaflow._user_code import user_location
from lunaflow.arithmetic import ArithmeticError, Err, Ok
from lunaflow.plan import (
    Custom,
    DataDomain,
    Plan,
    PlanKind,
    ReductionKernel,
    ValueType,
    validate,
)
from lunaflow.runtime._column import Elements
from lunaflow.runtime._cover import chunk_count, cover_policy
from lunaflow.runtime._errors import (
    CoverConditionViolated,
    InvalidInput,
    InvalidPlan,
    UnsupportedPlan,
)
from lunaflow.runtime._inputs import INT32, INT64, element_dtype, vector_of
from lunaflow.runtime._native import NativeBackend, native
from lunaflow.runtime._outputs import check_output
from lunaflow.runtime._reference import ReferenceBackend
from lunaflow.runtime._task import Task, operation_name
from lunaflow.runtime._tuning import workers_for

Backend = NativeBackend | ReferenceBackend
RunError = InvalidPlan | UnsupportedPlan | CoverConditionViolated | InvalidInput | ArithmeticError
RunResult = Ok[Any] | Err[RunError]

_REFUSALS = (InvalidPlan, UnsupportedPlan, CoverConditionViolated, InvalidInput, ArithmeticError)
_DTYPES: dict[object, np.dtype[Any]] = {ValueType.I32: INT32, ValueType.I64: INT64}


@overload
def run(
    plan: Plan,
    data: object,
    *,
    out: npt.NDArray[Any] | None = None,
    backend: Backend = native,
    errors: Literal["raise"] = "raise",
) -> int | npt.NDArray[Any]: ...
@overload
def run(
    plan: Plan,
    data: object,
    *,
    out: npt.NDArray[Any] | None = None,
    backend: Backend = native,
    errors: Literal["result"],
) -> RunResult: ...
def run(
    plan: Plan,
    data: object,
    *,
    out: npt.NDArray[Any] | None = None,
    backend: Backend = native,
    errors: Literal["raise", "result"] = "raise",
) -> int | npt.NDArray[Any] | RunResult:
    """Compute `plan` on `data`, exactly.

    The kinds mean: MAP doubles every element; REDUCE combines all; SCAN gives every inclusive
    prefix (a running sum without a kernel); MAP_REDUCE reduces the doubled elements. The result,
    or where it overflows, does not depend on worker count, chunk size or backend.

    Parameters
    ----------
    plan : Plan
        What to compute.
    data : array
        1-D, of the plan's length and element type (int32 or int64), of any stride, alignment and
        byte order; or anything with the buffer protocol or ``__array__``, or an Arrow column
        without nulls. Never changed, unless it is `out` and the call succeeds.
    out : ndarray, optional
        Where the result of MAP or SCAN goes: writable, of the plan's type and length; it may be
        `data` itself. After an error a separate `out` has no promised contents.
    backend : native or reference
        Compiled kernels on OpenMP threads, or Python integers.
    errors : {"raise", "result"}
        Whether a refusal is raised, or returned as Err.

    Returns
    -------
    int or ndarray
        An int for REDUCE and MAP_REDUCE, an array in native byte order for MAP and SCAN; in
        ``Ok`` or ``Err`` with ``errors="result"``.

    Raises
    ------
    InvalidPlan, UnsupportedPlan, CoverConditionViolated, InvalidInput
        In this order of checks: plan, kernel, the backend's own condition, input, output.
    ArithmeticError
        OVERFLOW: the exact result does not fit the element type; ``index`` is the first failing
        prefix or element, ``exact`` the true total of a sum.
    TypeError
        If an argument is of a wrong type (a list as `data`, for one).
    """
    if not isinstance(plan, Plan):
        raise reject_type("plan", plan, "a lunaflow.plan.Plan")
    if not isinstance(backend, (NativeBackend, ReferenceBackend)):
        raise reject_type(
            "backend", backend, "lunaflow.runtime.native or lunaflow.runtime.reference"
        )
    require("errors", errors, str, 'the str "raise" or "result"')
    if errors not in ("raise", "result"):
        raise ValueError(f'errors must be "raise" or "result", not {errors!r}')
    try:
        result = backend.compute(_prepare(plan, data, out, backend))
    except _REFUSALS as error:
        add_location(error)
        if errors == "result":
            return Err(error.with_traceback(None))
        raise
    return Ok(result) if errors == "result" else result


def plan_for(
    data: object,
    kind: PlanKind,
    reduction: ReductionKernel | None = None,
    *,
    workers: int | None = None,
    label: str = "",
) -> Plan:
    """Return a plan of `kind` whose sizes are those of `data` and always cover it.

    Parameters
    ----------
    data : array
        1-D int32 or int64.
    kind : PlanKind
        What to compute.
    reduction : ReductionKernel, optional
        The kernel of a REDUCE, SCAN or MAP_REDUCE.
    workers : int, optional
        Positive; None follows the tuning in force, or the measured default.
    label : str
        The plan's label.

    Returns
    -------
    Plan
        Of so many chunks as workers; over an empty input one that `validate` calls EmptyInput.

    Raises
    ------
    InvalidInput
        If `data` has another dtype or dimension, or null elements.
    ValueError
        If ``workers <= 0``.
    TypeError
        If an argument is of a wrong type.
    """
    if not isinstance(kind, PlanKind):
        raise reject_type("kind", kind, "a PlanKind")
    array = vector_of("data", data)
    if workers is None:
        workers = workers_for(operation_name(kind, reduction), array.dtype, array.size)
    element_type = ValueType.I32 if element_dtype(array) == INT32 else ValueType.I64
    return Plan(
        label,
        kind,
        DataDomain(element_type, array.size),
        cover_policy(array.size, as_integer("workers", workers)),
        reduction,
    )


def add_location(error: BaseException) -> None:
    """Note the line of user code that made the call, once."""
    location = user_location()
    if location is not None:
        error.add_note(f"called at {location}")


def _prepare(plan: Plan, data: object, out: object, backend: Backend) -> Task:
    if issues := validate(plan):
        raise InvalidPlan(issues)
    reduction = _kernel(plan)
    backend.check(plan)
    dtype = _DTYPES[plan.domain.element_type]
    array = _input(plan, data, dtype)
    if out is not None:
        if plan.kind in (PlanKind.REDUCE, PlanKind.MAP_REDUCE):
            kind = plan.kind.name
            raise InvalidInput("out", f"was given to a {kind}, whose result is an int", "no out")
        check_output(out, array, dtype, array.shape)
    return Task(
        kind=plan.kind,
        reduction=reduction,
        data=array,
        dtype=dtype,
        out=out,  # type: ignore[arg-type]
        chunks=chunk_count(array.size, plan.policy.chunk_size),
        workers=plan.policy.worker_count,
    )


def _kernel(plan: Plan) -> ReductionKernel | None:
    reduction = plan.reduction
    if plan.kind is PlanKind.MAP:
        if reduction is not None:
            raise UnsupportedPlan(f"a MAP takes no reduction kernel, and this one has {reduction}")
        return None
    if isinstance(reduction, Custom):
        raise UnsupportedPlan(
            f"a {plan.kind.name} takes SUM, MIN or MAX, and this one has {reduction}"
        )
    return ReductionKernel.SUM if reduction is None else reduction


def _input(plan: Plan, data: object, dtype: np.dtype[Any]) -> Elements:
    array = vector_of("data", data)
    if element_dtype(array) != dtype:
        raise InvalidInput(
            "data",
            f"has dtype {array.dtype}, and the plan is for {plan.domain.element_type}",
            f"{dtype.name}, of any stride and byte order",
        )
    if array.size != plan.domain.input_length:
        raise InvalidInput(
            "data",
            f"has {array.size} elements, and the plan is for {text_of(plan.domain.input_length)}",
            "data of the plan's length",
        )
    return array

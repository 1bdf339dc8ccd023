"""Every issue of a plan, in a fixed order, from its fields alone."""

from collections.abc import Iterator

from lunaflow._arguments import reject_type
from lunaflow.plan._issues import (
    ChunkSizeDoesNotFitInput,
    ChunkSizeMustBePositive,
    EmptyInput,
    MissingReductionKernel,
    ScanRequiresStableOrdering,
    UnsupportedBackend,
    UnsupportedMode,
    UnsupportedOrdering,
    UnsupportedReductionKernel,
    UnsupportedValueType,
    ValidationIssue,
    WorkerCountExceedsInput,
    WorkerCountMustBePositive,
)
from lunaflow.plan._model import ExecutionPolicy, OrderingGuarantee, Plan, PlanKind
from lunaflow.plan._profile import V1, RuntimeProfile


def validate(plan: Plan, profile: RuntimeProfile = V1) -> list[ValidationIssue]:
    """Return every issue of `plan`, in the order of the table of issues.

    Whether the workers cover all chunks is not asked here: that is a condition of a backend.

    Parameters
    ----------
    plan : Plan
        Any plan, however wrong its numbers.
    profile : RuntimeProfile
        What the runtime accepts.

    Returns
    -------
    list of issues
        Empty exactly when the plan is runnable.

    Raises
    ------
    TypeError
        If `plan` is no Plan or `profile` no RuntimeProfile.
    """
    if not isinstance(plan, Plan):
        raise reject_type("plan", plan, "a Plan")
    if not isinstance(profile, RuntimeProfile):
        raise reject_type("profile", profile, "a RuntimeProfile")
    return [
        *_domain_issues(plan, profile),
        *_size_issues(plan),
        *target_issues(plan.policy, profile),
        *_reduction_issues(plan, profile),
        *_ordering_issues(plan, profile),
    ]


def is_runnable(plan: Plan, profile: RuntimeProfile = V1) -> bool:
    """Say whether `validate` has nothing to report.

    Parameters
    ----------
    plan : Plan
        Any plan.
    profile : RuntimeProfile
        What the runtime accepts.

    Raises
    ------
    TypeError
        If `plan` is no Plan or `profile` no RuntimeProfile.
    """
    return validate(plan, profile) == []


def _domain_issues(plan: Plan, profile: RuntimeProfile) -> Iterator[ValidationIssue]:
    if plan.domain.input_length <= 0:
        yield EmptyInput()
    if plan.domain.element_type not in profile.value_types:
        yield UnsupportedValueType(plan.domain.element_type)


def _size_issues(plan: Plan) -> Iterator[ValidationIssue]:
    length, policy = plan.domain.input_length, plan.policy
    yield from chunk_issues(policy)
    if policy.chunk_size > length > 0:
        yield ChunkSizeDoesNotFitInput(policy.chunk_size, length)
    yield from worker_issues(policy)
    if policy.worker_count > length > 0:
        yield WorkerCountExceedsInput(policy.worker_count, length)


def chunk_issues(policy: ExecutionPolicy) -> Iterator[ChunkSizeMustBePositive]:
    """Yield the issue of a chunk size that suits no input."""
    if policy.chunk_size <= 0:
        yield ChunkSizeMustBePositive(policy.chunk_size)


def worker_issues(policy: ExecutionPolicy) -> Iterator[WorkerCountMustBePositive]:
    """Yield the issue of a worker count that suits no input."""
    if policy.worker_count <= 0:
        yield WorkerCountMustBePositive(policy.worker_count)


def target_issues(
    policy: ExecutionPolicy, profile: RuntimeProfile
) -> Iterator[UnsupportedBackend | UnsupportedMode]:
    """Yield the issues of the policy's backend and mode."""
    if policy.backend not in profile.backends:
        yield UnsupportedBackend(policy.backend)
    if policy.mode not in profile.modes:
        yield UnsupportedMode(policy.mode)


def _reduction_issues(plan: Plan, profile: RuntimeProfile) -> Iterator[ValidationIssue]:
    if plan.kind not in (PlanKind.REDUCE, PlanKind.MAP_REDUCE):
        return
    if plan.reduction is None:
        yield MissingReductionKernel()
    elif plan.reduction not in profile.reductions:
        yield UnsupportedReductionKernel(plan.reduction)


def _ordering_issues(plan: Plan, profile: RuntimeProfile) -> Iterator[ValidationIssue]:
    if plan.ordering is OrderingGuarantee.PRESERVE_INPUT_ORDER:
        return
    if plan.kind not in profile.relaxed_kinds:
        yield UnsupportedOrdering(plan.kind, plan.ordering)
    if plan.kind is PlanKind.SCAN:
        yield ScanRequiresStableOrdering()

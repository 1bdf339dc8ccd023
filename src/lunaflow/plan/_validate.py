"""Every issue of a plan, in a fixed order, from its fields alone."""

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
    found: list[ValidationIssue] = []
    _check_domain(plan, profile, found)
    _check_policy(plan, profile, found)
    _check_reduction(plan, profile, found)
    if plan.ordering is not OrderingGuarantee.PRESERVE_INPUT_ORDER:
        _check_relaxed_order(plan, profile, found)
    return found


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


def _check_domain(plan: Plan, profile: RuntimeProfile, found: list[ValidationIssue]) -> None:
    if plan.domain.input_length <= 0:
        found.append(EmptyInput())
    if plan.domain.element_type not in profile.value_types:
        found.append(UnsupportedValueType(plan.domain.element_type))


def _check_policy(plan: Plan, profile: RuntimeProfile, found: list[ValidationIssue]) -> None:
    length, policy = plan.domain.input_length, plan.policy
    found += chunk_issues(policy)
    if policy.chunk_size > length > 0:
        found.append(ChunkSizeDoesNotFitInput(policy.chunk_size, length))
    found += worker_issues(policy)
    if policy.worker_count > length > 0:
        found.append(WorkerCountExceedsInput(policy.worker_count, length))
    found += target_issues(policy, profile)


# no generators below: every run of a plan begins here, and has 4 microseconds in all


def chunk_issues(policy: ExecutionPolicy) -> tuple[ChunkSizeMustBePositive, ...]:
    """Return the issue of a chunk size that suits no input."""
    return (ChunkSizeMustBePositive(policy.chunk_size),) if policy.chunk_size <= 0 else ()


def worker_issues(policy: ExecutionPolicy) -> tuple[WorkerCountMustBePositive, ...]:
    """Return the issue of a worker count that suits no input."""
    return (WorkerCountMustBePositive(policy.worker_count),) if policy.worker_count <= 0 else ()


def target_issues(
    policy: ExecutionPolicy, profile: RuntimeProfile
) -> list[UnsupportedBackend | UnsupportedMode]:
    """Return the issues of the policy's backend and mode."""
    found: list[UnsupportedBackend | UnsupportedMode] = []
    if policy.backend not in profile.backends:
        found.append(UnsupportedBackend(policy.backend))
    if policy.mode not in profile.modes:
        found.append(UnsupportedMode(policy.mode))
    return found


def _check_reduction(plan: Plan, profile: RuntimeProfile, found: list[ValidationIssue]) -> None:
    if plan.kind is not PlanKind.REDUCE and plan.kind is not PlanKind.MAP_REDUCE:
        return
    if plan.reduction is None:
        found.append(MissingReductionKernel())
    elif plan.reduction not in profile.reductions:
        found.append(UnsupportedReductionKernel(plan.reduction))


def _check_relaxed_order(plan: Plan, profile: RuntimeProfile, found: list[ValidationIssue]) -> None:
    if plan.kind not in profile.relaxed_kinds:
        found.append(UnsupportedOrdering(plan.kind, plan.ordering))
    if plan.kind is PlanKind.SCAN:
        found.append(ScanRequiresStableOrdering())

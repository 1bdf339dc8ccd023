"""Execution policies checked on their own, before there is a plan."""

from lunaflow._arguments import reject_type
from lunaflow.arithmetic import Err, Ok
from lunaflow.plan._issues import PolicyIssue
from lunaflow.plan._model import BackendTarget, ExecutionMode, ExecutionPolicy, OrderingGuarantee
from lunaflow.plan._profile import V1
from lunaflow.plan._validate import chunk_issues, target_issues, worker_issues


class PolicyError(ValueError):
    """An execution policy that no plan could run under.

    Two errors are equal when their issues are; the object is hashable and picklable.

    Parameters
    ----------
    issue : PolicyIssue
        The first problem of the policy.

    Raises
    ------
    TypeError
        If `issue` is none of the four issues of a policy.
    """

    __slots__ = ("_issue",)

    def __init__(self, issue: PolicyIssue) -> None:
        if not isinstance(issue, PolicyIssue):
            raise reject_type("issue", issue, "an issue of an execution policy")
        super().__init__(issue)
        self._issue = issue

    @property
    def issue(self) -> PolicyIssue:
        """The first problem of the policy."""
        return self._issue

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PolicyError):
            return NotImplemented
        return self._issue == other._issue

    def __hash__(self) -> int:
        return hash((PolicyError, self._issue))


def make_execution_policy(
    *,
    backend: BackendTarget = BackendTarget.NATIVE,
    mode: ExecutionMode = ExecutionMode.SYNCHRONOUS,
    worker_count: int = 1,
    chunk_size: int = 1,
    ordering: OrderingGuarantee = OrderingGuarantee.PRESERVE_INPUT_ORDER,
) -> Ok[ExecutionPolicy] | Err[PolicyError]:
    """Make an execution policy, or say what is first wrong with it.

    Parameters
    ----------
    backend, mode, worker_count, chunk_size, ordering
        The fields of `ExecutionPolicy`, with its defaults.

    Returns
    -------
    Ok or Err
        ``Ok(ExecutionPolicy)``, or ``Err(PolicyError)`` with the first of `validate_policy`.

    Raises
    ------
    TypeError
        If an argument has a wrong type.
    """
    policy = ExecutionPolicy(
        backend=backend,
        mode=mode,
        worker_count=worker_count,
        chunk_size=chunk_size,
        ordering=ordering,
    )
    issues = validate_policy(policy)
    return Err(PolicyError(issues[0])) if issues else Ok(policy)


def validate_policy(policy: ExecutionPolicy) -> list[PolicyIssue]:
    """Return every issue of `policy` that does not depend on an input.

    In this order: worker count, chunk size, backend, mode.

    Parameters
    ----------
    policy : ExecutionPolicy
        Any policy.

    Returns
    -------
    list of issues
        Empty for a policy that the first runtime takes.

    Raises
    ------
    TypeError
        If `policy` is no ExecutionPolicy.
    """
    if not isinstance(policy, ExecutionPolicy):
        raise reject_type("policy", policy, "an ExecutionPolicy")
    return [*worker_issues(policy), *chunk_issues(policy), *target_issues(policy, V1)]

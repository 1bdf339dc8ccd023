"""Failures that are alike are told together, and none is lost."""

from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import InfrastructureFailure, Invalid, Skipped
from lunaflow.experiment._failure_groups import failure_groups, reason_of
from lunaflow.experiment._observations import Failure

STATUSES = st.builds(Invalid, st.sampled_from(["wrong: 1", "wrong: 2", "late"])) | st.builds(
    InfrastructureFailure, st.sampled_from(["wrong: 1", ""])
)
FAILURES = st.builds(
    Failure, st.sampled_from(["f", "g", None]), st.integers(1, 4) | st.none(), STATUSES
)


@given(st.lists(FAILURES))
def test_every_failure_is_in_one_group_with_its_like(failures: list[Failure]) -> None:
    groups = failure_groups(failures)
    kept = [failure for group in groups for failure in group.failures]
    assert sorted(map(repr, kept)) == sorted(map(repr, failures))
    identities = [(group.who, group.kind, group.reason.partition(":")[0]) for group in groups]
    assert len(set(identities)) == len(groups)
    for group, (who, kind, alike) in zip(groups, identities, strict=True):
        assert {f.implementation or "the measurement" for f in group.failures} == {who}
        assert {type(f.status).__name__ for f in group.failures} == {kind}
        assert {reason_of(f).partition(":")[0] for f in group.failures} == {alike}
        assert group.sizes == tuple(sorted({f.size for f in group.failures if f.size is not None}))


def test_a_status_without_a_reason_has_an_empty_one() -> None:
    (group,) = failure_groups([Failure("f", 4, Invalid("x"), flaky=True)])
    assert (group.reason, group.flaky) == ("x", True)
    assert isinstance(reason_of(Failure("f", 4, Skipped("later"))), str)

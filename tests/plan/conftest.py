"""Any plan that a person could build by hand, right or wrong."""

import pytest
from hypothesis import strategies as st

from lunaflow.plan import (
    BackendTarget,
    Custom,
    DataDomain,
    ExecutionMode,
    ExecutionPolicy,
    Opaque,
    OrderingGuarantee,
    Plan,
    PlanKind,
    ReductionKernel,
    ValueType,
)

NAMES = st.text() | st.sampled_from([*ValueType.__members__, *ReductionKernel.__members__])
COUNTS = st.integers(-3, 12) | st.integers(2**53 - 2, 2**53 + 2) | st.integers()


@pytest.fixture(scope="session")
def plans() -> st.SearchStrategy[Plan]:
    """Plans with arbitrary fields of the right types."""
    policies = st.builds(
        ExecutionPolicy,
        backend=st.sampled_from(BackendTarget),
        mode=st.sampled_from(ExecutionMode),
        worker_count=COUNTS,
        chunk_size=COUNTS,
        ordering=st.sampled_from(OrderingGuarantee),
    )
    types = st.sampled_from(ValueType) | st.builds(Opaque, NAMES)
    kernels = st.none() | st.sampled_from(ReductionKernel) | st.builds(Custom, NAMES)
    return st.builds(
        Plan,
        NAMES,
        st.sampled_from(PlanKind),
        st.builds(DataDomain, types, COUNTS),
        policies,
        kernels,
        st.sampled_from(OrderingGuarantee),
    )

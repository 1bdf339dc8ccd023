"""Every memory layout in turn, as a fixture."""

from collections.abc import Callable

import pytest
from tests.runtime.kit import LAYOUTS, Array


@pytest.fixture(params=LAYOUTS, ids=lambda layout: layout.__name__)
def layout(request: pytest.FixtureRequest) -> Callable[[Array], Array]:
    chosen: Callable[[Array], Array] = request.param
    return chosen

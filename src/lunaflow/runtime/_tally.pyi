"""A sum, extremes and a count, to which others are added in one step."""

class Tally:
    """Unbounded Python integers, of which any number of threads may add to and read all at once."""

    def __init__(self) -> None: ...
    def add(self, total: int, low: int, high: int, count: int) -> None:
        """Add a sum and a count and widen the extremes, or do nothing if the count is 0."""

    def read(self) -> tuple[int, int, int, int]:
        """Return the sum, the smallest, the largest and the count; 0 if there was nothing."""

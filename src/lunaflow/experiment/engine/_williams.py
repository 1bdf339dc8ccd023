"""Williams designs: orders of treatments balanced for position and for the neighbour before."""

from lunaflow._arguments import as_integer


def williams_square(treatments: int) -> tuple[tuple[int, ...], ...]:
    """Return orders of ``0 .. treatments - 1`` that favour none of them.

    Over all rows each treatment takes each position equally often, and each ordered pair of
    neighbours occurs equally often.

    Parameters
    ----------
    treatments : int
        Number of treatments m, at least 1.

    Returns
    -------
    tuple of tuple of int
        m rows if m is even (or 1), else 2m rows.

    References
    ----------
    E. J. Williams, "Experimental designs balanced for the estimation of residual effects of
    treatments", Australian Journal of Scientific Research A 2 (1949).
    """
    m = as_integer("treatments", treatments)
    if m < 1:
        raise ValueError(f"treatments must be at least 1, not {m}")
    first = _zigzag(m)
    rows = [tuple((start + shift) % m for start in first) for shift in range(m)]
    if m % 2 and m > 1:
        # an odd square balances neighbours only together with its mirror image
        rows += [row[::-1] for row in rows]
    return tuple(rows)


def _zigzag(m: int) -> list[int]:
    # 0, 1, m-1, 2, m-2, ...: the steps between neighbours are all different modulo m (m even)
    ends = [0]
    low, high = 1, m - 1
    while low <= high:
        ends.append(low)
        if low < high:
            ends.append(high)
        low, high = low + 1, high - 1
    return ends

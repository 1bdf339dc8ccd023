"""Sizes as the commands take them: ``100``, ``2^10``, ``2^8..2^20``, and lists of them."""

import re

_POWER = re.compile(r"(\d+)(?:\^|\*\*)(\d+)")
_MOST = 10_000
_LARGEST = 2**63 - 1


def sizes_from(text: str) -> tuple[int, ...]:
    """Return the sizes that a text names, ascending.

    It is a list separated by commas. ``2^8..2^20`` is every power of 2 between the two, both of
    them included; ``100..1000`` doubles from 100 as long as that is not more than 1000.

    Raises
    ------
    ValueError
        If it is something else, or names too many or too large sizes.
    """
    sizes: set[int] = set()
    for part in text.split(","):
        low, dots, high = part.strip().partition("..")
        sizes.update(_range(low, high) if dots else [_number(low)])
        if len(sizes) > _MOST:
            raise ValueError(f"{text!r} names more than {_MOST} sizes")
    if max(sizes) > _LARGEST:
        raise ValueError(f"{text!r} names a size above {_LARGEST}")
    return tuple(sorted(sizes))


def _range(low: str, high: str) -> list[int]:
    first, last = _number(low), _number(high)
    if not 0 < first <= last:
        raise ValueError(f"{low}..{high} must ascend from above 0")
    base = _common_base(low, high)
    sizes = [first]
    while sizes[-1] * base <= last:
        sizes.append(sizes[-1] * base)
    return sizes


def _common_base(low: str, high: str) -> int:
    powers = _POWER.fullmatch(low.strip()), _POWER.fullmatch(high.strip())
    bases = {int(power[1]) for power in powers if power is not None}
    return bases.pop() if None not in powers and len(bases) == 1 and min(bases) > 1 else 2


def _number(text: str) -> int:
    text = text.strip().replace("_", "")
    if (power := _POWER.fullmatch(text)) is not None:
        base, exponent = int(power[1]), int(power[2])
        if base > 1 and exponent > 63:
            raise ValueError(f"{text} is above {_LARGEST}")
        return int(base**exponent)
    if not text.isascii() or not text.isdigit() or len(text) > 19:
        raise ValueError(f"{text!r} is no size; write 100, 2^10 or 2^8..2^20")
    return int(text)

"""Numbers and enumerations as tables and reports show them."""

from collections.abc import Sequence

from lunaflow._texts import one_line

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_STEPS_SHOWN = 8
_STEP_SHOWN = 60


def seconds_text(seconds: float) -> str:
    """Return seconds to three digits, with the unit that suits: ``"1.25 µs"``."""
    rounded = float(f"{seconds:.3g}")
    for unit, name in _UNITS:
        if rounded >= unit:
            return f"{_three_digits(rounded / unit)} {name}"
    return f"{_three_digits(rounded / 1e-9)} ns"


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: ``"1 line"``, ``"2 lines"``."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def floor_text(percent: float) -> str:
    """Return a noise floor to two digits or more, never in powers of ten: ``"0.43 %"``."""
    decimals = 2 if percent < 0.995 else 1 if percent < 9.95 else 0
    return f"{percent:,.{decimals}f} %"


def words(items: Sequence[str]) -> str:
    """Return items as an enumeration."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def path_text(steps: Sequence[str]) -> str:
    """Return the inputs that shrinking went through, each cut, the ones between left out."""
    shown = [one_line(step, _STEP_SHOWN) for step in steps]
    if len(shown) > _STEPS_SHOWN:
        half = _STEPS_SHOWN // 2
        shown[half:-half] = [f"({len(shown) - _STEPS_SHOWN} more)"]
    return " -> ".join(shown)


def _three_digits(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:#.3g}"

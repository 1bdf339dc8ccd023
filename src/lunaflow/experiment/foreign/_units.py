"""Units of time, by the names that tools give them."""

from lunaflow.experiment.foreign._place import ForeignFileError

_SECONDS = {
    1e-15: ("fs", "femtoseconds"),
    1e-12: ("ps", "picoseconds"),
    1e-9: ("ns", "nsec", "nanosecond", "nanoseconds"),
    1e-6: ("us", "µs", "μs", "usec", "microsecond", "microseconds"),
    1e-3: ("ms", "msec", "millisecond", "milliseconds"),
    1.0: ("s", "sec", "secs", "second", "seconds"),
}
UNITS = {name: seconds for seconds, names in _SECONDS.items() for name in names}
"""How many seconds each unit is."""


def seconds_in(unit: str, where: str) -> float:
    """Return how many seconds a unit is; ForeignFileError for one that is none."""
    found = UNITS.get(unit.strip().lower())
    if found is None:
        known = ", ".join(names[0] for names in _SECONDS.values())
        raise ForeignFileError(f"{where} must be a unit of time ({known}), not {unit!r}")
    return found

"""The precision, rounding and exponent range that a decimal operation is asked to respect."""

import enum
from dataclasses import dataclass, field

from lunaflow._arguments import as_integer, reject_type


class RoundingMode(enum.Enum):
    """How a result that does not fit the precision is rounded."""

    TO_NEAREST_EVEN = "to nearest, ties to even"
    TOWARD_ZERO = "toward zero"
    TOWARD_POSITIVE = "toward positive infinity"
    TOWARD_NEGATIVE = "toward negative infinity"
    AWAY_FROM_ZERO = "away from zero"


@dataclass(frozen=True, slots=True)
class ArithmeticContext:
    """Immutable parameters of checked operations on types that have a precision.

    Parameters
    ----------
    precision : int
        Significant digits in the radix of the type, at least 1.
    rounding : RoundingMode
        How results are rounded.
    e_min, e_max : int, optional
        Smallest (at most 0) and largest (at least 0) adjusted exponent; None is unbounded.
    clamp : bool
        Whether exponents are clamped into the interchange format's range.

    Raises
    ------
    ValueError
        If ``precision < 1``, ``e_min > 0`` or ``e_max < 0``.
    """

    precision: int
    rounding: RoundingMode = field(default=RoundingMode.TO_NEAREST_EVEN, kw_only=True)
    e_min: int | None = field(default=None, kw_only=True)
    e_max: int | None = field(default=None, kw_only=True)
    clamp: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("precision", "e_min", "e_max"):
            given = getattr(self, name)
            if given is not None or name == "precision":
                object.__setattr__(self, name, as_integer(name, given))
        if not isinstance(self.rounding, RoundingMode):
            raise reject_type("rounding", self.rounding, "a RoundingMode")
        if not isinstance(self.clamp, bool):
            raise reject_type("clamp", self.clamp, "a bool")
        if self.precision < 1:
            raise ValueError(f"precision must be at least 1, not {self.precision}")
        if self.e_min is not None and self.e_min > 0:
            raise ValueError(f"e_min must be at most 0, not {self.e_min}")
        if self.e_max is not None and self.e_max < 0:
            raise ValueError(f"e_max must be at least 0, not {self.e_max}")

    @classmethod
    def decimal32(cls) -> "ArithmeticContext":
        """IEEE 754-2019 decimal32: 7 digits."""
        return cls(7, e_min=-95, e_max=96, clamp=True)

    @classmethod
    def decimal64(cls) -> "ArithmeticContext":
        """IEEE 754-2019 decimal64: 16 digits."""
        return cls(16, e_min=-383, e_max=384, clamp=True)

    @classmethod
    def decimal128(cls) -> "ArithmeticContext":
        """IEEE 754-2019 decimal128: 34 digits."""
        return cls(34, e_min=-6143, e_max=6144, clamp=True)

    @classmethod
    def binary64(cls) -> "ArithmeticContext":
        """IEEE 754-2019 binary64: 53 bits, the format of a Python float."""
        return cls(53, e_min=-1022, e_max=1023)

"""What the CPU offers."""

def cpu_level() -> int:
    """Return which level of x86-64 this CPU and system have: 1 to 4, or 0 on other CPUs."""

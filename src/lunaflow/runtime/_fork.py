"""Whether this process was forked, before we were loaded, from one that ran OpenMP."""

from lunaflow._host import told_by_system

# of the flags in /proc/self/stat: forked, and no other program started since
_FORKED_WITHOUT_EXEC = 0x40
_RUNTIMES = ("libgomp", "libomp", "libiomp")


def inherits_openmp() -> bool:
    """Say whether an OpenMP runtime came with a fork; its threads did not.

    To be asked before the library's own modules load a runtime. Where the system does not tell, the
    answer is False.
    """
    try:
        fields = told_by_system("/proc/self/stat").rpartition(")")[2].split()
        if not int(fields[6]) & _FORKED_WITHOUT_EXEC:
            return False
    except (IndexError, ValueError):
        return False
    loaded = told_by_system("/proc/self/maps")
    return any(runtime in loaded for runtime in _RUNTIMES)

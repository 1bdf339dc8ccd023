"""What the CPU offers."""

cdef extern from "_cpu_shim.h" nogil:
    int lunaflow_cpu_level()


def cpu_level():
    return lunaflow_cpu_level()

"""The shim to OpenMP: is it there, which library is loaded, and how many threads may start."""

cdef extern from "_openmp_shim.h" nogil:
    int LUNAFLOW_OPENMP_VERSION
    int lunaflow_fork_noted
    int lunaflow_forked()
    int lunaflow_watch_forks()
    const char* lunaflow_openmp_library()


def openmp_version():
    return LUNAFLOW_OPENMP_VERSION


def openmp_library():
    cdef const char* path = lunaflow_openmp_library()
    return None if path == NULL else path.decode("utf-8", "surrogateescape")


def stay_serial():
    global lunaflow_fork_noted
    lunaflow_fork_noted = 1


def threads_that_may_start(int wanted):
    if LUNAFLOW_OPENMP_VERSION == 0 or lunaflow_forked():
        return 1
    return wanted


if lunaflow_watch_forks() != 0:
    raise MemoryError("no memory to register the handler that keeps forked children serial")

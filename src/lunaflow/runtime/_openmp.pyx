"""The shim to OpenMP: is it there, which library is loaded, and how many threads may start."""

cdef extern from "_openmp_shim.h" nogil:
    int LUNAFLOW_OPENMP_VERSION
    int lunaflow_fork_noted
    int lunaflow_forked()
    int lunaflow_watch_forks()
    const char* lunaflow_openmp_library()

cdef extern from "_team_shim.h" nogil:
    int lunaflow_prepare_teams()
    int lunaflow_likely_team(int wanted)
    int lunaflow_take_team(int wanted)
    void lunaflow_give_team(int team)


def openmp_version():
    return LUNAFLOW_OPENMP_VERSION


def openmp_library():
    cdef const char* path = lunaflow_openmp_library()
    return None if path == NULL else path.decode("utf-8", "surrogateescape")


def stay_serial():
    global lunaflow_fork_noted
    lunaflow_fork_noted = 1


def threads_that_may_start(int wanted):
    return lunaflow_likely_team(wanted)


cdef int take_team(int wanted) noexcept nogil:
    return lunaflow_take_team(wanted)


cdef void give_team(int team) noexcept nogil:
    lunaflow_give_team(team)


if lunaflow_watch_forks() != 0 or lunaflow_prepare_teams() != 0:
    raise MemoryError("no memory to register what keeps forked children serial, and helpers few")

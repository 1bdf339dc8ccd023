"""The team of threads of a parallel region, for the compiled kernels."""

# the size of the team that a region may have now, from 1 to `wanted`; to be given back after it
cdef int take_team(int wanted) noexcept nogil
cdef void give_team(int team) noexcept nogil

"""The block kernels for whatever the compiler builds unless told otherwise."""

include "_blocks.pxi"

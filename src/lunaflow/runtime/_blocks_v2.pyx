"""The block kernels for x86-64-v2."""

include "_blocks.pxi"

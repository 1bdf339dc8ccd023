"""The block kernels for x86-64-v4."""

include "_blocks.pxi"

"""The block kernels for x86-64-v3."""

include "_blocks.pxi"

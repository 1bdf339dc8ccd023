"""The block kernels for x86-64-v3."""

def table() -> object:
    """Return the capsule of the table of kernels."""

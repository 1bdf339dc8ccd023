"""What an import says when a compiled module was not built."""


def not_built(missing: ModuleNotFoundError) -> ImportError:
    """Return the error that says how to build the module that `missing` names."""
    return ImportError(
        f"lunaflow's compiled module {missing.name} is missing: install the package with "
        "'pip install .', or build it in place with 'python setup.py build_ext --inplace'",
        name=missing.name,
    )

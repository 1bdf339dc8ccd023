"""The names of Arrow's types, and what to do about those that are no integers."""

_NAMES = {
    "n": "null",
    "b": "bool",
    "c": "int8",
    "C": "uint8",
    "s": "int16",
    "S": "uint16",
    "i": "int32",
    "I": "uint32",
    "l": "int64",
    "L": "uint64",
    "e": "float16",
    "f": "float32",
    "g": "float64",
    "z": "binary",
    "Z": "large binary",
    "vz": "binary view",
    "u": "string",
    "U": "large string",
    "vu": "string view",
    "+l": "list",
    "+L": "large list",
    "+vl": "list view",
    "+vL": "large list view",
    "+s": "struct",
    "+m": "map",
    "+r": "run-end encoded",
}
# by the letters that a format begins with, if it goes on with parameters
_FAMILIES = {
    "d:": "decimal",
    "w:": "fixed-size binary",
    "td": "date",
    "tt": "time",
    "ts": "timestamp",
    "tD": "duration",
    "ti": "interval",
    "+w:": "fixed-size list",
    "+u": "union",
}


def type_name(form: str, dictionary: bool, extension: str | None) -> str:
    """Return the name of the type of a format, as a person would say it."""
    name = _NAMES.get(form)
    if name is None:
        families = (name for start, name in _FAMILIES.items() if form.startswith(start))
        name = f"{next(families, 'of format')} ({form})"
    if extension is not None:
        return f"{extension} (an extension type over {name})"
    return f"dictionary (with {name} indices)" if dictionary else name


def advice(form: str, dictionary: bool, extension: str | None, accepted: str) -> str:
    """Return what would be accepted in the place of such a column."""
    if extension is not None:
        return f"{accepted}; the column of its storage, if the numbers in there are meant"
    if dictionary:
        return f"{accepted}; the decoded column, or the one of the indices"
    if form[:2] in {"td", "tt", "ts", "tD"}:
        return f"{accepted}; a cast to an integer type gives the ticks"
    if form in {"e", "f", "g"} or form.startswith("d:"):
        return f"{accepted}; numbers with fractions are never cast silently"
    if form == "L":
        return f"{accepted}; elements above 2**63 - 1 have no int64: check the maximum first"
    if form.startswith("+"):
        return f"{accepted}; one column of a table, or one field, flattened"
    return accepted

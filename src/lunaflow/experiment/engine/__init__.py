"""The engine: validates, measures and concludes; all that it finds goes into events."""

__all__: list[str] = []

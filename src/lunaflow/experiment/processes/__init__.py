"""Other processes: how they are started, what they are sent, and that none of them stays."""

__all__: list[str] = []

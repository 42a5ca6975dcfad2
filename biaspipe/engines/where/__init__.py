"""The condition of `where`: its tree as one expression that every engine answers alike."""

__all__: list[str] = []

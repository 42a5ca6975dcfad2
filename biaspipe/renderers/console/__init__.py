"""The story of a report on a terminal, and how stories are drawn there or as plain text."""

__all__: list[str] = []

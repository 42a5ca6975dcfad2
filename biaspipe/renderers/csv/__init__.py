"""A report as CSV: a row for each check, or for each rate of a group."""

__all__: list[str] = []

"""Tables of a database, counted where they are."""

__all__: list[str] = []

"""Files and relations, counted by DuckDB."""

__all__: list[str] = []

"""Files and frames, counted by Spark."""

__all__: list[str] = []

"""The fliptest: its exact search, its sample, and the passes that an engine runs for it."""

__all__: list[str] = []

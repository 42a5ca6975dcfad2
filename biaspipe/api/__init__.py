"""biaspipe in Python: a run of an audit, and its report as an object of its own."""

__all__: list[str] = []

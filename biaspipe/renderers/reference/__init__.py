"""What describes biaspipe rather than a report: its metrics, schemas and columns of CSV."""

__all__: list[str] = []

"""A report as the systems take it that run audits by themselves: alerts, annotations, files."""

__all__: list[str] = []

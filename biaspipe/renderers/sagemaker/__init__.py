"""A report as the files that SageMaker's tools write."""

__all__: list[str] = []

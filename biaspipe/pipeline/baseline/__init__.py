"""The earlier report, or the analysis of Clarify, that the values of an audit are compared with."""

__all__: list[str] = []

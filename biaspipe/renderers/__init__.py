"""Renderers: a report as a story that a page is drawn from, or as a file; they compute nothing."""

__all__: list[str] = []

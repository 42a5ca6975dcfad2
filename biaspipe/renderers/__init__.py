"""Renderers: a Report in, an output out; pure, they compute nothing."""

__all__: list[str] = []

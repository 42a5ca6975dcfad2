"""Renderers: what a person reads, on any width and with any data."""

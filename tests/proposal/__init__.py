"""Specs proposed for data that has none."""

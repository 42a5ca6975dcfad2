"""Tests of reading specs: YAML scalars, places, limits on size, and messages."""

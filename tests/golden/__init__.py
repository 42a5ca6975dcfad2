"""Outputs compared byte by byte with reviewed files; `pytest --regenerate` writes them anew."""

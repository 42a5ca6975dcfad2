"""Sources: finding, opening and reading files."""

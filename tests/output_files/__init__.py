"""Files that are written whole, and what is no file."""

"""The recipes of docs/recipes.md, each run by its host, in the host's own environment."""

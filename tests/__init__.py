"""The tests, one room for each room of the package."""

"""The rules of the house, and that what is shipped is fresh and true."""

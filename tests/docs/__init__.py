"""The documentation: fresh, complete, and true of the code."""

"""Tests of the report as a file: reading it, and finding what was changed in it."""

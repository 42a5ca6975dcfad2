"""Tests of the audit as a function."""

"""Tests of reports as CSV."""

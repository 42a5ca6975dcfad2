"""Tests of the page of a report."""

"""Tests of another tool's arithmetic."""

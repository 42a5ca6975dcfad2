"""Tests of what a policy lets specs reach."""

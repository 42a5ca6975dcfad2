"""Tests of what becomes of the configurations of other tools."""

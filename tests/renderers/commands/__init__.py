"""Tests of the pages of commands."""

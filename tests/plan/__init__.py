"""Tests of the comparisons that a spec asks for and of where each row goes."""

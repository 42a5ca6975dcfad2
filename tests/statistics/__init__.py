"""Intervals and tests of parity, against published numbers, laws and simulation."""

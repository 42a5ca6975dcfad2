"""Tests of reading and counting: formats, types, conditions, joins, weights."""

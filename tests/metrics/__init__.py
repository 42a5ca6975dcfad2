"""Tests of the counts and of the metrics made of them."""

"""Baselines: what they are, and what they are compared with."""

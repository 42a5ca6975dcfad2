"""Tests of whole audits, from spec and data to report."""

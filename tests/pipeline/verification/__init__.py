"""Verification of reports, and what forgers try."""

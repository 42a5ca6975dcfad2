"""Tests of what systems take that run audits by themselves."""

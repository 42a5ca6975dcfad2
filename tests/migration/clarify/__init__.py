"""Tests of what becomes of Clarify's configurations, part by part."""

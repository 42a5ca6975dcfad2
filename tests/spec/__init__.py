"""Tests of what a valid spec means."""

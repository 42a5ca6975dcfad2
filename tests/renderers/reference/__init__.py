"""Tests of what describes biaspipe itself."""

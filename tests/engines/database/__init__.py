"""Tests of databases: connections, permissions and what comes back."""

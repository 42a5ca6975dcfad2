"""Tests on a PostgreSQL server that the tests start themselves."""

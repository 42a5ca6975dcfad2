"""Tests on a Spark cluster that the tests start themselves."""

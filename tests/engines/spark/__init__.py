"""Tests of what a spec may ask of Spark, which need no Spark."""

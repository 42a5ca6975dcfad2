"""Tests of what becomes of Vertex AI's configurations, part by part."""

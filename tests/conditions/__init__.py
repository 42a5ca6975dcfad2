"""The language of conditions: what it reads, and what it refuses."""

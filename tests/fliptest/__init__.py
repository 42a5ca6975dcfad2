"""The fliptest: its searches, its sample, what it costs."""

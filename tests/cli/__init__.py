"""The command line: exit codes, messages, and what a run may not do."""

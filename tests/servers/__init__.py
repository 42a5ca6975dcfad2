"""Servers that the tests start on this machine, on loopback and sockets of their own, and stop."""

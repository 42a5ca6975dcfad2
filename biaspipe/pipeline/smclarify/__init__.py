"""Audits by smclarify's arithmetic; imported only where a spec says `compat: smclarify`."""

__all__: list[str] = []

"""What commands found beside the report of a run: its index, `diff`, `verify`, `waivers`."""

__all__: list[str] = []

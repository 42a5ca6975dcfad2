"""Sources: the files of an audit, found, opened and digested, whatever counts them."""

__all__: list[str] = []

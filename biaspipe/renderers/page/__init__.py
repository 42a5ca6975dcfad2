"""Stories as pages of HTML, with their pictures in them."""

__all__: list[str] = []

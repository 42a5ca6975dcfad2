"""biaspipe: a declarative bias audit, from a YAML spec to a verdict and its evidence."""

__version__ = "0.1.0"
__all__ = ["__version__"]

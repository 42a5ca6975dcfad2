"""biaspipe: a declarative bias audit, from a YAML spec to a verdict and its evidence."""

from biaspipe.api import run
from biaspipe.errors import BiaspipeError, DataError, SpecError, UsageError

__version__ = "0.1.0"
__all__ = ["BiaspipeError", "DataError", "SpecError", "UsageError", "__version__", "run"]

"""The code of the templates of pages, which is kept so that no page waits for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.renderers.page.compilation import KEPT, compiled_templates
from biaspipe.renderers.page.templating import environment

Golden = Callable[[Path, str], None]


@pytest.mark.locked
def test_kept_code_is_fresh(golden: Golden) -> None:
    """The code that is kept is what the locked version of Jinja2 makes of the templates."""
    golden(KEPT, compiled_templates(environment()))

"""The files for code scanning, test reports and merge requests, byte by byte."""

from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.renderers.formats import FORMATS
from tests.golden.audits import HERE, NAMES, code_of, report_of

ENDINGS = {"sarif": ".sarif", "junit": ".xml", "gitlab": ".json"}
Golden = Callable[[Path, str], None]


@pytest.mark.parametrize("form", ENDINGS)
@pytest.mark.parametrize("name", NAMES)
def test_file_is_the_reviewed_one(name: str, form: str, golden: Golden) -> None:
    """The file of an audit is the one that was read and found right."""
    report = report_of(name)
    text = FORMATS[form].text(report, code_of(report))
    golden(HERE / "ci_files" / f"{name}{ENDINGS[form]}", text)

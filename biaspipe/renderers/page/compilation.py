"""The templates as Jinja2 compiles them, kept beside them: to compile them takes 40 ms.

`pytest --regenerate tests/golden` writes them anew. A template that has changed since then is
compiled where a page is drawn, and so is each under another version of Jinja2.
"""

import json
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

__all__ = ["KEPT", "KeptTemplates", "compiled_templates"]

KEPT = Path(__file__).parent / "templates" / "compiled.json"
"""The version of Jinja2, and the Python code of each template by the digest of its text."""
JINJA = "jinja2"


class KeptTemplates(BytecodeCache):
    """Gives Jinja2 the code that is kept of a template.

    Parameters
    ----------
    file : where it is kept.
    """

    def __init__(self, file: Path = KEPT) -> None:
        self._file = file

    @cached_property
    def _codes(self) -> dict[str, str]:
        codes: dict[str, str] = json.loads(self._file.read_bytes())
        return codes if codes[JINJA] == version(JINJA) else {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket, which knows the digest of its template, with the code of that."""
        if code := self._codes.get(bucket.checksum):
            bucket.code = compile(code, f"<{bucket.key}>", "exec")

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep nothing of what had to be compiled: nobody asked for a file."""


def compiled_templates(environment: Environment) -> str:
    """Return what is to be kept of the templates of an environment.

    Parameters
    ----------
    environment : how templates are compiled, and where they are.
    """
    codes = {JINJA: version(JINJA)}
    for name in environment.list_templates(["html"]):
        source = environment.loader.get_source(environment, name)[0] if environment.loader else ""
        digest = KeptTemplates().get_source_checksum(source)
        codes[digest] = environment.compile(source, name, raw=True)
    return json.dumps(codes, indent=1) + "\n"

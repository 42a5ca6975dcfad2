"""The YAML language server, which editors ask what to offer and to explain, over its own pipe."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.browser.programs import MODULES

__all__ = ["Editor"]

SERVER = MODULES / "yaml-language-server" / "bin" / "yaml-language-server"
SETTINGS = {"completion": True, "hover": True, "schemaStore": {"enable": False}}


class Editor:
    """An editor on a folder, which shows a spec and asks about the place of its cursor.

    Parameters
    ----------
    folder : where specs are written, beside their schema.
    """

    def __init__(self, folder: Path) -> None:
        node = shutil.which("node")
        if node is None or not SERVER.is_file():
            pytest.fail("node or the YAML language server is missing; run `make test-page`")
        self.folder, self.asked = folder, 0
        self.server = subprocess.Popen(
            [node, str(SERVER), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        item = {"snippetSupport": True, "documentationFormat": ["markdown"]}
        able = {"completion": {"completionItem": item}, "hover": {"contentFormat": ["markdown"]}}
        given = {"textDocument": able, "workspace": {"configuration": True}}
        self.ask("initialize", {"rootUri": folder.as_uri(), "capabilities": given})
        self._send({"method": "initialized", "params": {}})

    def close(self) -> None:
        """End the server."""
        self.server.kill()
        self.server.communicate()

    def offered(self, spec: str) -> dict[str, str]:
        """Return what is offered at the sign | in a spec: what is inserted, by label."""
        found = self.at("textDocument/completion", spec)
        items = found["items"] if isinstance(found, dict) else found
        return {item["label"]: item.get("insertText", "") for item in items}

    def completed(self, spec: str) -> dict[str, str]:
        """Return the spec as it is after each completion at the sign | in it, by label.

        As editors do, lines that are inserted are set in as the line of the cursor is, and the
        places to be filled in hold what is proposed for them.
        """
        found = self.at("textDocument/completion", spec)
        text, done = spec.replace("|", "", 1), {}
        for item in found["items"] if isinstance(found, dict) else found:
            lines, edit = text.split("\n"), item["textEdit"]
            start, end = edit["range"]["start"], edit["range"]["end"]
            assert start["line"] == end["line"]
            line = lines[start["line"]]
            margin = line[: len(line) - len(line.lstrip())]
            inserted = re.sub(r"\$\{\d:([^}]*)\}", r"\1", edit["newText"])
            inserted = inserted.replace("\n", f"\n{margin}")
            whole = line[: start["character"]] + inserted + line[end["character"] :]
            lines[start["line"]] = whole
            done[item["label"]] = "\n".join(lines)
        return done

    def explained(self, spec: str) -> str:
        """Return what is said of the word at the sign | in a spec."""
        return str(self.at("textDocument/hover", spec)["contents"]["value"])

    def at(self, method: str, spec: str) -> Any:
        """Show a spec, and ask about the place of the sign | in it."""
        before, _, after = spec.partition("|")
        document = {"uri": (self.folder / f"{self.asked}.yaml").as_uri()}
        opened = {**document, "languageId": "yaml", "version": 1, "text": before + after}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": opened}})
        lines = before.split("\n")
        place = {"line": len(lines) - 1, "character": len(lines[-1])}
        return self.ask(method, {"textDocument": document, "position": place})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Ask the server, answer what it asks meanwhile, and return its answer."""
        self.asked += 1
        self._send({"id": self.asked, "method": method, "params": params})
        while True:
            said = self._read()
            if "method" not in said and said.get("id") == self.asked:
                return said.get("result")
            if "method" in said and "id" in said:
                sections = said["params"].get("items", ())
                mine = [SETTINGS if each["section"] == "yaml" else {} for each in sections]
                self._send({"id": said["id"], "result": mine})

    def _send(self, message: dict[str, Any]) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(text), text))
        self.server.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self.server.stdout
        size = 0
        while line := self.server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            size = int(value) if name.lower() == b"content-length" else size
        found: dict[str, Any] = json.loads(self.server.stdout.read(size))
        return found

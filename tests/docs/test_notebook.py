"""The notebook of the examples runs, and holds what it shows when it is run."""

import ast
import io
import json
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
NOTEBOOK = ROOT / "examples" / "notebook.ipynb"

Golden = Callable[[Path, str], None]
Cell = dict[str, Any]


def shown(value: object) -> dict[str, list[str]]:
    """Return what a notebook shows of a value: its text, and its HTML where it has some."""
    data = {"text/plain": repr(value)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_()
    return {kind: text.splitlines(keepends=True) for kind, text in data.items()}


def outputs(source: str, names: dict[str, Any], number: int) -> Iterator[Cell]:
    """Run a cell as a kernel does, and yield what it prints and the value of its last line."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)  # noqa: S102 - ours
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307 - ours
    if text := printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
    if value is not None:
        yield {
            "data": shown(value),
            "execution_count": number,
            "metadata": {},
            "output_type": "execute_result",
        }


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with the outputs that its cells have now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, number = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            made = list(outputs("".join(cell["source"]), names, number))
            cells.append({**cell, "execution_count": number, "outputs": made})
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


@pytest.mark.locked
def test_notebook_is_fresh(golden: Golden, tmp_path: Path) -> None:
    """The notebook runs from top to bottom, and the outputs that it holds are those of today."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    with chdir(tmp_path):
        fresh = executed(notebook)
    golden(NOTEBOOK, json.dumps(fresh, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
    assert NOTEBOOK.stat().st_size < 60_000


def test_a_cell_shows_its_last_line() -> None:
    """What a cell prints and the value of its last line are its outputs; a statement has none."""
    printed, value = outputs("print(1)\n'a'", {}, 3)
    assert printed["text"] == ["1\n"]
    assert (value["data"], value["execution_count"]) == ({"text/plain": ["'a'"]}, 3)
    assert list(outputs("a = 1", {}, 1)) == []

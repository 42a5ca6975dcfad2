"""The rules of the house that can be counted: sizes, names, docstrings, reasons, entries."""

import ast
import importlib
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import biaspipe
import biaspipe.errors
from biaspipe.errors import BiaspipeError

ROOT = Path(__file__).parent.parent.parent
PACKAGE = sorted((ROOT / "biaspipe").rglob("*.py"))
FOLDERS = ("biaspipe", "tests", "examples", "benchmarks", "docs", "schemas")
PYTHON = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))

MAX_LINES_OF_A_FILE = 400
LONGER_FILES: frozenset[str] = frozenset()
MAX_LINES_OF_A_FUNCTION = 40
VAGUE = {"utils", "util", "helpers", "helper", "base", "common", "misc"}
ENTRIES = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "audits",
    "benchmarks",
    "biaspipe",
    "docs",
    "examples",
    "pyproject.toml",
    "requirements",
    "schemas",
    "tests",
}

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def name_of(path: Path) -> str:
    """Return a path as the repository knows it."""
    return path.relative_to(ROOT).as_posix()


def tree_of(path: Path) -> ast.Module:
    """Parse a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def module_of(path: Path) -> str:
    """Return the name that a file of the package is imported by."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def definitions(tree: ast.Module) -> Iterator[Definition]:
    """Return every function and class, at whatever depth."""
    for node in ast.walk(tree):
        if isinstance(node, Definition):
            yield node


def long_functions(path: Path) -> Iterator[str]:
    """Name the functions of a file that are too long, docstring included."""
    for node in definitions(tree_of(path)):
        if not isinstance(node, ast.ClassDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_LINES_OF_A_FUNCTION:
                yield f"{name_of(path)}:{node.lineno} {node.name} has {lines} lines"


def test_no_function_is_long() -> None:
    """No function, tests included, has more than forty lines."""
    assert [long for path in PYTHON for long in long_functions(path)] == []


def test_no_file_is_long() -> None:
    """No file of the package has more than 400 lines, and no file is excepted."""
    lines = {name_of(p): len(p.read_text(encoding="utf-8").splitlines()) for p in PACKAGE}
    long = {name: n for name, n in lines.items() if n > MAX_LINES_OF_A_FILE}
    assert long == {}
    assert set() == LONGER_FILES


def test_no_module_has_a_vague_name() -> None:
    """No module or folder of Python files is named after nothing in particular."""
    parts = {name_of(path): {*path.relative_to(ROOT).parent.parts, path.stem} for path in PYTHON}
    assert [name for name, words in parts.items() if words & VAGUE] == []


def public(body: list[ast.stmt]) -> Iterator[Definition]:
    """Return the public functions and classes of a body, and the public methods of the latter.

    A signature of several that one function has is described where that stands.
    """
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            if any(isinstance(d, ast.Name) and d.id == "overload" for d in node.decorator_list):
                continue
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body)


def undocumented(path: Path) -> Iterator[str]:
    """Name what is public in a module, itself included, and has no docstring."""
    tree = tree_of(path)
    for node in (tree, *public(tree.body)):
        if not ast.get_docstring(node):
            yield f"{name_of(path)} {getattr(node, 'name', '')}"


def test_everything_public_has_a_docstring() -> None:
    """Every module, public function, class and method of the package says what it does."""
    assert [silent for path in PACKAGE for silent in undocumented(path)] == []


def test_package_exports_the_audit_its_errors_and_its_version() -> None:
    """The package itself exports two functions, what they return and raise, and its version."""
    errors = ["BiaspipeError", "DataError", "SpecError", "UsageError", "VerdictError"]
    assert biaspipe.__all__ == ["AuditReport", *errors, "__version__", "read_report", "run"]
    assert set(biaspipe.__all__) <= set(dir(biaspipe))
    assert re.fullmatch(r"\d+\.\d+\.\d+", biaspipe.__version__)


def wrong_exports(name: str) -> Iterator[str]:
    """Name what a module exports twice or does not have, or the list that it does not have."""
    module = importlib.import_module(name)
    exported: list[str] = getattr(module, "__all__", ["__all__"])
    for each in exported:
        if exported.count(each) > 1 or not hasattr(module, each):
            yield f"{name}.{each}"


def test_exports_are_declared_and_exist() -> None:
    """Every module declares what it exports, each name once, and has all of it."""
    names = [module_of(path) for path in PACKAGE if path.name != "__main__.py"]
    assert [wrong for name in names for wrong in wrong_exports(name)] == []


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """Return the comments of a file with their lines."""
    text = io.StringIO(path.read_text(encoding="utf-8"))
    for token in tokenize.generate_tokens(text.readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def lame(path: Path) -> Iterator[str]:
    """Name the comments that silence a tool without a code or without a reason."""
    for line, comment in comments(path):
        for mark, shape in SILENCERS.items():
            if mark in comment and not re.search(shape, comment):
                yield f"{name_of(path)}:{line} {comment}"


SILENCERS = {
    "noqa": r"# noqa: [A-Z0-9, ]+ - \w{2,}",
    "type: ignore": r"# type: ignore\[[a-z-, ]+\] # \w{2,}",
}


def test_each_silenced_rule_has_a_reason() -> None:
    """Every comment that silences a tool names the rule and says why."""
    assert [found for path in PYTHON for found in lame(path)] == []


def test_nothing_is_left_to_do() -> None:
    """No comment and no page puts work off."""
    marks = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
    found = [f"{name}: {m[0]}" for name in tracked() for m in marks.finditer(text_of(name))]
    assert found == []


def tracked() -> list[str]:
    """Return every file of the repository, the new ones included and the ignored ones not."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def text_of(name: str) -> str:
    """Read a file of the repository; one that is no text is empty."""
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def test_top_level_holds_what_belongs_there() -> None:
    """The top level of the repository has exactly the entries that the house allows."""
    assert {name.split("/")[0] for name in tracked()} == ENTRIES


def test_nothing_names_a_place_on_one_machine() -> None:
    """No file of the repository names a home folder or the folder that it was cloned to."""
    places = re.compile(rf"(?<![\w.])/(?:home|root|Users)/[\w.-]+|{re.escape(str(ROOT))}\b")
    found = [f"{name}: {m[0]}" for name in tracked() for m in places.finditer(text_of(name))]
    assert found == []


def silent_tests(path: Path) -> Iterator[str]:
    """Name the tests of a file that do not say in one sentence what holds."""
    for node in definitions(tree_of(path)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            words = ast.get_docstring(node) or ""
            if "\n" in words or not re.fullmatch(r"[^a-z].*[^.]\.", words):
                yield f"{name_of(path)}:{node.lineno} {node.name}"


def test_each_test_says_what_holds() -> None:
    """The docstring of every test is one line: a sentence with a full stop."""
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    assert [silent for path in tests for silent in silent_tests(path)] == []


def drawn() -> dict[str, tuple[str, int | None]]:
    """Return the classes of the tree drawn in the errors' docstring, each with parent and exit."""
    classes: dict[str, tuple[str, int | None]] = {}
    above: list[tuple[int, str]] = []
    for line in (biaspipe.errors.__doc__ or "").splitlines():
        if not (found := re.match(r"    ([│├└─ ]*)(\w+Error)\b(?:.*exit (\d))?", line)):
            continue
        depth, name, code = len(found[1]), found[2], found[3]
        above = [(d, parent) for d, parent in above if d < depth]
        classes[name] = (above[-1][1] if above else "Exception", int(code) if code else None)
        above.append((depth, name))
    return classes


def descendants(root: type[BiaspipeError]) -> Iterator[type[BiaspipeError]]:
    """Return a class and all classes derived from it, in any room."""
    yield root
    for child in root.__subclasses__():
        yield from descendants(child)


def test_exception_tree_is_drawn_as_it_is() -> None:
    """The tree in the docstring of errors has every class under its parent with its exit code."""
    for path in PACKAGE:
        if path.name != "__main__.py":
            importlib.import_module(module_of(path))
    real = {
        error.__name__: (error.__base__.__name__ if error.__base__ else "", int(error.exit))
        for error in descendants(BiaspipeError)
    }
    shown = {name: (parent, code or 3) for name, (parent, code) in drawn().items()}
    assert shown == real
    assert set(real) <= set(biaspipe.errors.__all__)

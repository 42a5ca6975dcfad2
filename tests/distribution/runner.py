"""A runner of GitHub Actions as far as a composite action and a workflow need one.

It evaluates the expressions that they hold, runs their scripts by bash with the variables that a
runner sets, reads the outputs as a runner does, and notes the other actions that it would start.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

__all__ = [
    "ACTION",
    "BIN",
    "ROOT",
    "Job",
    "Step",
    "read_action",
    "read_outputs",
    "write_program",
]

ROOT = Path(__file__).parent.parent.parent
ACTION = ROOT / "action.yml"
BIN = Path(sys.executable).parent
"""Where `biaspipe` and `python` are that the tests run with."""
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
SHELL = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
"""How a runner starts `shell: bash`."""


@dataclass
class Step:
    """A step that was run or would be: its values are those that its expressions came to."""

    name: str
    uses: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    code: int = 0
    out: str = ""
    outputs: dict[str, str] = field(default_factory=dict)


@dataclass
class Job:
    """A job in a workspace: its steps go on with the files and outputs of those before them.

    Parameters
    ----------
    workspace : the checkout.
    temp : the runner's folder for what is temporary.
    inputs : the inputs of the action, or what stands for them.
    context : other values of expressions by their names.
    more : variables of the environment beside those of a runner.
    outputs : the outputs of steps that are not run, by the names of the steps.
    """

    workspace: Path
    temp: Path
    inputs: Mapping[str, str] = field(default_factory=dict)
    context: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, str] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    failed: bool = False

    @property
    def code(self) -> int:
        """The exit code of the last script that failed; 0 if none did."""
        return next((step.code for step in reversed(self.steps) if step.code), 0)

    def run(self, steps: Sequence[Mapping[str, Any]]) -> "Job":
        """Run steps one after the other, as their conditions say."""
        for step in steps:
            condition = str(step.get("if", ""))
            if ("always()" in condition or not self.failed) and self.holds(condition):
                done = self._run(step)
                self.steps.append(done)
                self.failed = self.failed or done.code != 0
                self.outputs[str(step.get("id", done.name))] = done.outputs
        return self

    def holds(self, condition: str) -> bool:
        """Whether a condition holds: comparisons of texts, with && between them."""
        return all(self._holds(part.strip()) for part in condition.split("&&"))

    def _holds(self, part: str) -> bool:
        if part in ("", "always()"):
            return True
        left, sign, right = re.fullmatch(r"([\w.-]+) (==|!=) '([^']*)'", part).groups()  # type: ignore[union-attr] # another form is an error of the test
        return (self.value(left) == right) == (sign == "==")

    def value(self, name: str) -> str:
        """Return the value of `inputs.X`, `steps.X.outputs.Y` or of the context; else no text."""
        match name.split("."):
            case ["inputs", key]:
                return self.inputs[key]
            case ["steps", step, "outputs", key]:
                return self.outputs.get(step, {}).get(key, "")
        return self.context[name]

    def filled(self, text: object) -> str:
        """Return a text with the values of its expressions."""
        return EXPRESSION.sub(lambda found: self.value(found[1]), str(text))

    def _run(self, step: Mapping[str, Any]) -> Step:
        name = str(step.get("name", step.get("uses", step.get("id", ""))))
        if "uses" in step:
            given = {key: self.filled(value) for key, value in step.get("with", {}).items()}
            return Step(name, step["uses"], given)
        files = {key: self.temp / f"{key}-{len(self.steps)}" for key in ("OUTPUT", "STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        variables = {key: self.filled(value) for key, value in step.get("env", {}).items()}
        done = subprocess.run(
            [*SHELL, self.filled(step["run"])],
            cwd=self.workspace,
            env={**self._environment(files), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        try:
            outputs = read_outputs(files["OUTPUT"].read_bytes().decode())
        except ValueError as error:  # which fails the step
            return Step(name, code=done.returncode or 1, out=f"{done.stdout}{error}\n")
        return Step(name, code=done.returncode, out=done.stdout, outputs=outputs)

    def _environment(self, files: Mapping[str, Path]) -> dict[str, str]:
        kept = {
            k: os.environ[k] for k in ("PATH", "HOME", "PYTHONPATH", "TMPDIR") if k in os.environ
        }
        return {
            **kept,
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.temp),
            **{f"GITHUB_{name}": str(file) for name, file in files.items()},
            **self.more,
        }


PYTHON = """\
#!/bin/sh
[ "$1 $2 $3" = "-I -m biaspipe" ] || exec "{python}" "$@"
shift 3
exec "${{0%/*}}/biaspipe" "$@"
"""
"""The `python` of the tests, to which the module biaspipe is the program beside it."""


def write_program(file: Path, script: str) -> Path:
    """Write a program, with the `python` of the tests beside it; return their folder."""
    file.parent.mkdir(exist_ok=True)
    for path, text in (
        (file, script),
        (file.with_name("python"), PYTHON.format(python=sys.executable)),
    ):
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
    return file.parent


def read_action() -> Any:
    """Return what the action's file holds."""
    return yaml.safe_load(ACTION.read_text(encoding="utf-8"))


def read_outputs(text: str) -> dict[str, str]:
    """Read a file of outputs as a runner does: the last value of a name counts.

    Raises
    ------
    ValueError
        If a line is no output, or a text of several lines does not end.
    """
    found: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in filter(None, lines):
        name, sign, value = re.fullmatch(r"(.*?)(=|<<|$)(.*)", line, re.DOTALL).groups()  # type: ignore[union-attr] # matches any text
        if not name or not sign or (sign == "<<" and not value):
            raise ValueError(f"{line!r} is no output")
        if sign == "<<":
            several: list[str] = []
            while (following := next(lines, None)) != value:
                if following is None:
                    raise ValueError(f"{line!r} does not end")
                several.append(following)
            value = "\n".join(several)
        found[name] = value
    return found

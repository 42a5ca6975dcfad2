"""What varies from run to run: the time, the versions, the commit."""

import platform
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from time import perf_counter

from biaspipe import __version__
from biaspipe.report import RunRecord

__all__ = ["Clock"]


@dataclass(frozen=True)
class Clock:
    """When a run began, and git's word on the spec, asked for while the data is counted."""

    started_at: datetime
    began: float
    git: "tuple[subprocess.Popen[str], ...]"

    @classmethod
    def start(cls, folder: Path) -> "Clock":
        """Begin a run."""
        asked = (["rev-parse", "--verify", "--quiet", "HEAD"], ["status", "--porcelain", "--", "."])
        git = []
        with suppress(OSError):
            git = [
                subprocess.Popen(  # noqa: S603 - a fixed command
                    ["git", "-C", str(folder), *words],  # noqa: S607 - git is found by PATH
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                )
                for words in asked
            ]
        return cls(datetime.now(UTC), perf_counter(), tuple(git))

    def stop(self, spec: str) -> RunRecord:
        """End the run and say what varies about it."""
        return RunRecord(
            started_at=self.started_at.isoformat(timespec="seconds"),
            seconds=round(perf_counter() - self.began, 3),
            biaspipe=__version__,
            python=platform.python_version(),
            polars=metadata.version("polars"),
            spec=spec,
            git=self._git(),
        )

    def _git(self) -> dict[str, str | bool]:
        answers = []
        for process in self.git:
            with suppress(subprocess.TimeoutExpired):
                answers.append(process.communicate(timeout=5)[0].strip())
        if len(answers) < 2 or not answers[0]:
            return {}
        return {"commit": answers[0], "modified": bool(answers[1])}

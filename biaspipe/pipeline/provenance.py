"""What varies from run to run: the time, the versions, the commit."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any

from biaspipe import __version__
from biaspipe.errors import shown
from biaspipe.pipeline.commit import commit_of
from biaspipe.report import RunRecord

__all__ = ["Clock"]


@dataclass(frozen=True)
class Clock:
    """When a run began, and git's word on the spec, asked for while the data is counted."""

    started_at: datetime
    began: float
    git: SimpleQueue[dict[str, str | bool]]

    @classmethod
    def start(cls, folder: Path) -> "Clock":
        """Begin a run of a spec in this folder."""
        git: SimpleQueue[dict[str, str | bool]] = SimpleQueue()
        Thread(target=lambda: git.put(commit_of(folder)), name="git", daemon=True).start()
        return cls(datetime.now(UTC), perf_counter(), git)

    def stop(self, spec: str, *, engine: str, asked: Mapping[str, Any]) -> RunRecord:
        """End the run and say what varies about it.

        Parameters
        ----------
        spec : the spec's path as it was given.
        engine : what counted, with its version.
        asked : what was asked for beside the spec, by the names of the record.
        """
        return RunRecord(
            started_at=self.started_at.isoformat(timespec="seconds"),
            seconds=round(perf_counter() - self.began, 3),
            biaspipe=__version__,
            python=platform.python_version(),
            polars=metadata.version("polars"),
            engine=engine,
            spec=shown(spec),
            git=self.git.get(),
            **asked,
        )

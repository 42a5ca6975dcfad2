"""What the tests of conversion share: a configuration, and what becomes of it."""

import json
from pathlib import Path
from typing import Any

from biaspipe.loading import Loaded, load
from biaspipe.migration.conversion import Conversion, load_config
from biaspipe.pipeline import run
from biaspipe.renderers.sagemaker.analysis import analysis_values
from biaspipe.report import Report

__all__ = ["analysis", "converted", "report", "spec_of"]

BASE: dict[str, Any] = {
    "dataset_type": "text/csv",
    "dataset_uri": "data.csv",
    "label": "y",
    "label_values_or_threshold": [1],
    "facet": [{"name_or_index": "sex", "value_or_threshold": ["f"]}],
    "methods": {"pre_training_bias": {"methods": ["CI", "DPL"]}},
}


def converted(folder: Path, **parts: Any) -> Conversion:
    """Convert a configuration that is written into a folder; a part that is None is left out."""
    values = {key: value for key, value in (BASE | parts).items() if value is not None}
    path = folder / "analysis_config.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return load_config(path)


def spec_of(folder: Path, **parts: Any) -> Loaded:
    """Return the one spec of a configuration."""
    (spec,) = converted(folder, **parts).specs
    return spec


def report(folder: Path, *, compat: bool = False, **parts: Any) -> Report:
    """Run the written spec of a configuration, perhaps by the arithmetic of smclarify."""
    (text,) = converted(folder, **parts).texts.values()
    text = text.replace("# compat: smclarify", "compat: smclarify") if compat else text
    (folder / "audit.yaml").write_text(text, encoding="utf-8")
    return run(load(folder / "audit.yaml"))


def analysis(folder: Path, section: str, **parts: Any) -> list[dict[str, Any]]:
    """Return what stands in the `analysis.json` of the first group of the first facet."""
    facets = analysis_values(report(folder, **parts))[f"{section}_bias_metrics"]["facets"]
    entries: list[dict[str, Any]] = next(iter(facets.values()))[0]["metrics"]
    return entries

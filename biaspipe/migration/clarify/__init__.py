"""SageMaker Clarify's analysis_config.json to audit specs: each part in a module of its own."""

from biaspipe.migration.clarify.columns import write_columns
from biaspipe.migration.clarify.dataset import ClarifyDataset, write_data
from biaspipe.migration.clarify.facets import write_facets
from biaspipe.migration.clarify.metrics import nothing_asked, unconverted_methods, write_metrics
from biaspipe.migration.clarify.models import ClarifyConfig
from biaspipe.migration.clarify.segments import segment_drafts
from biaspipe.migration.data_tables import Paths
from biaspipe.migration.draft import Draft, Drafts, Note

__all__ = ["convert_clarify"]

UNCONVERTED = {
    "predictor": "no endpoint is called here; write its predictions as a column of the data and"
    " name it with predicted_label, or as a file with predicted_label_dataset_uri",
    "time_series_data_config": "time series are not audited; audit a table with a row for each"
    " forecast, its facet, outcome and prediction",
}
"""What an audit has no use for, with what to do instead."""


def convert_clarify(config: ClarifyConfig, paths: Paths, name: str) -> Drafts:
    """Convert what is sound of a configuration.

    Parameters
    ----------
    config : the configuration.
    paths : where spec and data are.
    name : the name of the audit.
    """
    if config.methods is not None and (nothing := nothing_asked(config.methods)):
        return Drafts(faults=[nothing])
    dataset, draft = ClarifyDataset(config, paths), Draft({"version": 1, "name": name})
    write_data(dataset, draft)
    write_columns(dataset, draft)
    write_facets(dataset, draft)
    write_metrics(dataset, draft)
    notes = dataset.notes
    notes += [Note((k,), words) for k, words in UNCONVERTED.items() if k in config.model_fields_set]
    notes += unconverted_methods(config.methods) if config.methods else ()
    notes += [note for table in dataset.tables for note in table.notes]
    return Drafts([draft, *segment_drafts(dataset, draft)], notes, dataset.faults)

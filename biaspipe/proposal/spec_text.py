"""A proposal as a spec with comments: what was found, what was assumed, what may be added."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from biaspipe.metrics import METRICS
from biaspipe.migration.draft import Draft
from biaspipe.migration.yaml_text import text_of
from biaspipe.printable_text import list_values
from biaspipe.proposal import Proposal
from biaspipe.proposal.columns import described
from biaspipe.proposal.facets import ProposedFacet
from biaspipe.proposal.outcomes import ProposedOutcome
from biaspipe.proposal.places import is_far, placed, schema_place
from biaspipe.spec import IN_HAND

__all__ = ["spec_text"]

MAX_LISTED = 40
"""Columns of which a list in a spec has a line each."""
MODELINE = "# yaml-language-server: $schema="
MERGE = "<<"
"""What YAML 1.1 takes for more than a key, so that no facet is called so."""
LIMITED = ("DI", "DPPL", "DPL", "RD", "AD")
"""The metrics of which comments show limits as examples."""


def spec_text(proposal: Proposal, name: str, data: Mapping[str, Any], folder: Path) -> str:
    """Write a proposal as YAML.

    Parameters
    ----------
    proposal : what the columns are taken for.
    name : the name of the audit.
    data : the part of the spec that says what to read, relative to the current folder.
    folder : the folder of the spec.
    """
    draft = Draft({"version": 1, "name": name})
    there = placed(data, folder)
    draft.head += list(_head(proposal, there))
    _write_data(draft, there)
    _write_columns(draft, proposal)
    for facet in proposal.facets:
        _write_facet(draft, facet)
    _write_possible(draft, proposal)
    _write_metrics(draft, proposal)
    return f"{MODELINE}{schema_place(folder)}\n#\n{text_of(draft)}"


def _head(proposal: Proposal, data: Mapping[str, Any]) -> Iterator[str]:
    table = proposal.table
    place = table.name if data.get("path", IN_HAND) == IN_HAND else data["path"]
    size = f"{table.rows:,} rows, {len(table.columns):,} columns"
    yield f"Proposed by `biaspipe init` from {place}: {size}."
    yield "A proposal is made from names and values; nobody has looked at it yet."
    if proposal.assumptions:
        yield from ("", "Assumed, so look at it first:")
        yield from (f"- {words}" for words in proposal.assumptions)
    if proposal.left_out:
        yield from ("", "Columns that were left out:")
        for reason, columns in proposal.reasons.items():
            more = len(columns) - MAX_LISTED
            names = ", ".join(map(_name, columns[:MAX_LISTED]))
            yield f"- {names}{f' and {more:,} more' if more > 0 else ''}: {reason}"
    yield ""


def _name(column: str) -> str:
    return column if column.strip() == column and column.isprintable() else repr(column)


def _write_data(draft: Draft, data: Mapping[str, Any]) -> None:
    for key, value in data.items():
        draft.put(("data", key), value)
    if data.get("path") == IN_HAND:
        draft.say(("data", "path"), 'These rows are in hand: biaspipe.run("SPEC.yaml", data=frame)')
    if is_far(data):
        draft.say(("data", "path"), "An absolute path, which is one of this computer only.")
    if data.get("csv", {}).get("columns"):
        draft.say(("data", "csv"), "The header has names twice; these tell its columns apart.")
    if data.get("csv", {}).get("null_values"):
        draft.say(("data", "csv"), "These texts are taken for missing values.")


def _write_columns(draft: Draft, proposal: Proposal) -> None:
    for role, outcome in (("label", proposal.label), ("prediction", proposal.prediction)):
        if outcome:
            draft.put(("columns", role), outcome.values)
            draft.say(("columns", role), *_told(outcome))
    if proposal.strata:
        draft.put(("columns", "strata"), list(proposal.strata))
    if proposal.weight:
        words = "Each row stands for this many people."
        draft.put(("columns", "weight"), proposal.weight, None, words)
    last = ("columns", next(reversed(draft.values["columns"])))
    if proposal.strata_candidates and not proposal.strata:
        names = _flow(proposal.strata_candidates[:1])
        draft.say(
            last,
            f"Strata, for CDDL and CDDPL, may be {list_values(proposal.strata_candidates)}: "
            f"strata: {names}",
        )
    for name in proposal.weights[:1] if not proposal.weight else ():
        draft.say(
            last,
            f"Where {name!r} says for how many people a row of a sample stands: "
            f"weight: {_flow({'column': name, 'kind': 'sampling'})}",
        )


def _told(outcome: ProposedOutcome) -> Iterator[str]:
    yield f"{described(outcome.column)}."
    if outcome.assumed:
        yield f"Assumed: {outcome.words}, {outcome.assumed}."


def _write_facet(draft: Draft, facet: ProposedFacet) -> None:
    name = "merge" if facet.column.name == MERGE else facet.column.name
    draft.put(("facets", name), facet.values, None, f"{facet.words}.")
    if facet.groups:
        low, high = facet.column.ends or (0, 0)
        words = f"Proposed bounds: round numbers near the thirds of {low:g} to {high:g}."
        draft.say(("facets", name, "groups"), words)
    if facet.small:
        few = "rows" if facet.column.people is None else "people"
        draft.say(("facets", name), f"Few {few}: {', '.join(facet.small[:MAX_LISTED])}.")
    if facet.favored is None:
        names: list[Any] = [*facet.groups] or [value for value, _ in facet.column.values or ()]
        words = f"Each group is compared with the rest; with one group: favored: {_flow(names[0])}"
        draft.say(("facets", name), words)


def _write_possible(draft: Draft, proposal: Proposal) -> None:
    last = ("metrics",)
    if proposal.possible:
        draft.say(last, "Other columns that may be facets or strata, with their values:")
        for column in proposal.possible[:MAX_LISTED]:
            draft.say(last, f"- {_name(column.name)}: {described(column)}")
        if len(proposal.possible) > MAX_LISTED:
            draft.say(last, f"- and {len(proposal.possible) - MAX_LISTED:,} more")
        draft.say(last, "")


def _write_metrics(draft: Draft, proposal: Proposal) -> None:
    names = list(_metrics(proposal))
    draft.say(
        ("metrics",),
        "No value has a limit yet, so `biaspipe run` reports them all and ends with exit code 5,",
        "nothing checked. What is acceptable is yours to say; a limit makes a check of a value:",
        *(f"- {name}: {_flow(METRICS[name].example)}" for name in names if name in LIMITED),
        "`biaspipe explain` lists the metrics; `all:` takes every one that these columns allow.",
    )
    for name in names:
        draft.put(("metrics", name), None)


def _metrics(proposal: Proposal) -> Sequence[str]:
    label, prediction = proposal.label is not None, proposal.prediction is not None
    names = ["CI"]
    names += ["DPL"] if label else []
    names += ["DPPL", "DI"] if prediction else []
    names += ["AD", "RD"] if label and prediction else []
    if proposal.strata:
        names += ["CDDL"] if label else []
        names += ["CDDPL"] if prediction else []
    return names


def _flow(value: Any) -> str:
    """Write a value as a comment shows it, ready to be uncommented."""
    text = text_of(Draft({"x": list(value) if isinstance(value, tuple) else value}))
    return text.removeprefix("x: ").rstrip("\n")

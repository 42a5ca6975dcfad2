"""An analysis_config.json of SageMaker Clarify to audit specs."""

from collections.abc import Iterator
from typing import Any

from biaspipe.errors import Fault, Loc
from biaspipe.metrics import Needs
from biaspipe.migration.checks import PHASES, Asked, Chosen, asked_methods, choose
from biaspipe.migration.declarations import Declarations
from biaspipe.migration.drafts import Converted, Draft, Note
from biaspipe.migration.segments import Segment, columns_of, segments_of, slug
from biaspipe.migration.sources import Place
from biaspipe.migration.unconverted import METHODS, unconverted

__all__ = ["convert_clarify"]

EXCLUDED = ("excluded_columns",)
NOTHING = "there is no bias metric in it, so there is nothing to convert"


def convert_clarify(values: dict[str, Any], place: Place, name: str) -> Converted:
    """Convert a configuration that has the right shape.

    Parameters
    ----------
    values : the configuration.
    place : where spec and data are.
    name : the name of the audit.
    """
    if nothing := _nothing_to_convert(values):
        return Converted(faults=[nothing])
    work = Declarations(values, place)
    work.draft.put(("version",), 1)
    work.draft.put(("name",), name)
    work.data()
    work.outcomes()
    work.facets()
    _write_metrics(work)
    work.notes += [*unconverted(values), *(n for t in work.tables for n in t.notes)]
    return Converted([work.draft, *_segmented(work)], work.notes, work.faults)


def _nothing_to_convert(values: dict[str, Any]) -> Fault | None:
    """Return the fault of a configuration that measures no bias, whatever else it does."""
    methods = values.get("methods")
    if methods is None or PHASES.keys() & methods.keys():
        return None
    explains = [key for key in METHODS if key in methods]
    words = NOTHING
    if explains:
        words = f"it only explains predictions ({', '.join(explains)}), and measures no bias"
    expected = " or ".join(PHASES)
    hint = f"{explains[0]} {METHODS[explains[0]]}" if explains else None
    return Fault(f"methods: {words}", ("methods",), expected=expected, hint=hint, at_key=True)


def _write_metrics(work: Declarations) -> None:
    """Write the metrics that the declared columns allow, and name the others."""
    asked = asked_methods(work.values.get("methods", {}), work.faults)
    named = enumerate(work.values.get(EXCLUDED[0], ()))
    excluded = [work.names.of(column, (*EXCLUDED, i)) for i, column in named]
    if not asked and not work.faults:
        work.faults.append(Fault(f"methods: {NOTHING}", ("methods",), at_key=True))
    chosen = choose(asked, _declared(work, asked, excluded))
    for metric, loc in chosen.metrics.items():
        work.draft.put(("metrics", metric), None, loc)
    for metric, loc in chosen.valueless.items():
        work.draft.put(("metrics", metric), {"optional": True}, loc)
    if asked and not chosen.metrics and not work.faults:
        reasons = "; ".join(dict.fromkeys(why for _, why in chosen.left_out.values()))
        work.faults.append(Fault(f"no metric can be computed: {reasons}", ("methods",)))
    _name_left_out(work, chosen)


def _name_left_out(work: Declarations, chosen: Chosen) -> None:
    by_reason: dict[tuple[Loc, str], list[str]] = {}
    for metric, (loc, why) in chosen.left_out.items():
        by_reason.setdefault((loc, why), []).append(metric)
    for (loc, why), metrics in by_reason.items():
        gone = "without a value" if chosen.valueless.keys() & set(metrics) else "left out"
        words = f"{', '.join(metrics)} {gone}: {why}"
        work.notes.append(Note(loc, words))
        work.draft.say(("metrics",), f"{words}.")
    if EXCLUDED[0] in work.values and not chosen.metrics.keys() & {"FT", "post_training"}:
        words = "only the fliptest (FT) looks at features, and it is not computed"
        work.notes.append(Note(EXCLUDED, words))


def _declared(work: Declarations, asked: list[Asked], excluded: list[str | None]) -> Needs:
    """Return what the draft declares, after the features are written if FT is asked for."""
    columns = work.draft.values.get("columns", {})
    declared = Needs.FACET | Needs.CATEGORIES
    for key, need in (
        ("label", Needs.OBSERVED),
        ("prediction", Needs.PREDICTED),
        ("strata", Needs.STRATA),
    ):
        declared |= need if key in columns else Needs.FACET
    wanted = any(Needs.FEATURES in a.metric.needs for a in asked) and "prediction" in columns
    return declared | Needs.FEATURES if wanted and _write_features(work, excluded) else declared


def _write_features(work: Declarations, excluded: list[str | None]) -> bool:
    """Write the features of the fliptest; whether any is left."""
    draft = work.draft
    join = draft.values.get("data", {}).get("join", ())
    columns = draft.values["columns"]
    outcomes = {columns[key]["column"] for key in ("label", "prediction") if key in columns}
    never = {*outcomes, *(j.get("on") for j in join)}
    key = work.values.get("joinsource_name_or_index")
    excluded += [] if join or key is None else [work.names.of(key, ("joinsource_name_or_index",))]
    own = {*work.own, *columns.get("strata", ()), *never}
    beside = [c for table in work.tables[1:] for c in table.columns or () if c not in own]
    known, listed = work.names.known, work.listed_features
    unlisted = [c for c in known or () if listed and c not in listed]
    named = dict.fromkeys([*excluded, *beside, *unlisted])
    out = [c for c in named if c and c not in never]
    left = [c for c in (listed if known is None else known) or () if c not in own and c not in out]
    if not left and (known is not None or listed):
        return False
    if listed and known is None:
        draft.put(("columns", "features"), left, ("features",))
        return True
    origin = EXCLUDED if EXCLUDED[0] in work.values else ("methods",)
    draft.put(("columns", "features"), {"exclude": out}, origin)
    draft.say(("columns", "features"), "Every column but those that this spec names and these.")
    return True


def _segmented(work: Declarations) -> Iterator[Draft]:
    """Yield a spec for the rows of each segment."""
    configs = work.values.get("segment_config", [])
    names = {work.draft.name}
    columns = list(columns_of(configs, work.names))
    looks = work.look([column for _, column in columns])
    for i, column in columns:
        for segment in segments_of(configs[i], i, column, looks.get(column), work.faults):
            if _is_empty_rest(work, segment, column):
                continue
            name = f"{work.draft.name}-{slug(segment.name)}"
            while name in names:
                name += "_"
            names.add(name)
            yield _of_segment(work.draft, segment, name)


def _is_empty_rest(work: Declarations, segment: Segment, column: str) -> bool:
    """Whether the segment is that of all other rows, and the data is known to have none."""
    if segment.loc[-1] != "segments":
        return False
    look = work.look([column], segment.where).get(column)
    if look is None or look.rows:
        return False
    work.notes.append(Note(segment.loc, f"{segment.name}: no row is left, so it has no audit"))
    return True


def _of_segment(whole: Draft, segment: Segment, name: str) -> Draft:
    draft = whole.copy()
    parts = {key: draft.values.pop(key) for key in list(draft.values)}
    draft.put(("version",), parts.pop("version"))
    draft.put(("name",), name)
    parts.pop("name")
    draft.put(("description",), f"Segment {segment.name}", segment.loc)
    draft.values.update(parts)
    where, partnered = segment.where, draft.values.get("data", {}).get("where")
    both = f"({partnered}) AND ({where})" if partnered else where
    draft.put(("data", "where"), both, segment.loc, "Only the rows of the segment.")
    return draft

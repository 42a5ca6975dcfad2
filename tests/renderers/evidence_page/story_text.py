"""Stories as plain text, a line for each thing that a reader sees, pictures by their numbers."""

from collections.abc import Iterator

from biaspipe.renderers.figures import (
    ConfusionTables,
    Figure,
    IntervalBars,
    RateBars,
    RowBars,
    StrataBars,
)
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    PictureNote,
    Section,
    Story,
    StoryCell,
    StoryPart,
    StoryTable,
    Verbatim,
)

__all__ = ["section_text", "story_text"]


def story_text(story: Story) -> str:
    """Return a story as text."""
    return "\n\n".join([f"# {story.title}", *map(section_text, story.sections)]) + "\n"


def section_text(section: Section) -> str:
    """Return a section as text."""
    heading = [f"{'#' * section.level} {section.title}"] if section.title else []
    return "\n".join([*heading, *(line for part in section.parts for line in part_lines(part))])


def part_lines(part: StoryPart) -> Iterator[str]:
    """Yield the lines of a part."""
    match part:
        case Line():
            yield line_text(part)
        case Facts(lines) | Items(lines):
            yield from (f"- {line_text(line)}" for line in lines)
        case PictureNote(line):
            yield line_text(line)
        case Verbatim(lines):
            yield from (f"    {line}" for line in lines)
        case StoryTable():
            yield f"[{part.caption}]"
            yield " | ".join(column.title for column in part.columns)
            yield from (" | ".join(map(cell_text, row.cells)) for row in part.rows)
        case _:
            yield figure_text(part)


def line_text(line: Line) -> str:
    """Return a line with its titles and its role."""
    role = f"{line.role}! " if line.role else ""
    return role + "".join(f"{title.text}: " for title in line.titles) + line.text


def cell_text(cell: str | StoryCell) -> str:
    """Return a cell with its picture."""
    if isinstance(cell, str):
        return cell
    text = " / ".join(map(line_text, cell.lines))
    return f"{text} {figure_text(cell.figure)}" if cell.figure else text


def figure_text(figure: Figure) -> str:
    """Return the numbers of a picture."""
    match figure:
        case IntervalBars(_, bars, scale):
            drawn = "; ".join(
                f"{bar.value:.3g} within {bar.limit}"
                + ("" if bar.earlier is None else f", was {bar.earlier:.3g}")
                for bar in bars
            )
            return f"({drawn} on {scale.low:.3g} to {scale.high:.3g})"
        case RateBars(title, bars):
            return f"({title}: {'; '.join(f'{bar.label} {bar.text}' for bar in bars)})"
        case ConfusionTables(title, tables, rows, columns):
            told = "; ".join(f"{table.label} {', '.join(table.texts)}" for table in tables)
            return f"({title}, {rows} by {columns}: {told})"
        case RowBars(title, bars):
            told = "; ".join(
                f"{bar.label} {', '.join(f'{name} {text}' for name, _, text in bar.parts)}"
                for bar in bars
            )
            return f"({title}: {told})"
        case StrataBars(title, favored, disfavored, strata):
            told = "; ".join(
                f"{s.label} {s.favored.text}, {s.disfavored.text}, {s.people}" for s in strata
            )
            return f"({title}, {favored} and {disfavored}: {told})"

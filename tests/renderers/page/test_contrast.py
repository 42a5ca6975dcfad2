"""Colours of pages can be told from what they stand on, in the light and in the dark."""

import re
from itertools import product

import pytest

from biaspipe.renderers.page.templating import STYLE

LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+):(#[0-9a-f]{3,6})", block))
    for block in re.findall(r":root\{(.*?)\}", STYLE)
)
VERDICTS = ("fail", "undecided", "warn", "pass", "waived")
TEXTS = [
    *product(("ink", "soft", "link", *VERDICTS), ("paper", "wash")),
    *((verdict, f"{verdict}-wash") for verdict in VERDICTS),
]
MARKS = [
    *product(("ink", "line", "band-edge", "bar", "bar-strong", *VERDICTS), ("paper",)),
    *product(("ink", *VERDICTS), ("band",)),
    *product((f"part{i}" for i in range(8)), ("paper",)),
    ("bar-strong", "track"),
    *product(("ink",), ("bar", "bar-strong", "track")),
]


def luminance(colour: str) -> float:
    """Return how light a colour is, from 0 to 1, as WCAG 2.2 defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    shares = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def too_weak(palette: dict[str, str], pairs: list[tuple[str, str]], least: float) -> list[str]:
    """Name the pairs of colours with less contrast than is needed."""
    found = [(a, b, contrast(palette[a], palette[b])) for a, b in pairs]
    return [f"{a} on {b}: {value:.2f}" for a, b, value in found if value < least]


def test_contrast_is_that_of_the_standard() -> None:
    """Black on white has the most contrast, and a known grey just enough."""
    assert contrast("#000", "#fff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


def test_both_palettes_have_the_same_colours() -> None:
    """The dark palette has every colour of the light one."""
    assert LIGHT.keys() == DARK.keys()
    assert len(LIGHT) > 20


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_can_be_read(palette: dict[str, str]) -> None:
    """Every text has a contrast of 4.5 to 1 with whatever it stands on."""
    assert too_weak(palette, TEXTS, 4.5) == []


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_marks_can_be_seen(palette: dict[str, str]) -> None:
    """Every mark of a picture has a contrast of 3 to 1 with what it stands on."""
    assert too_weak(palette, MARKS, 3) == []


def test_every_colour_has_a_name() -> None:
    """No rule has a colour of its own beside those of the palettes."""
    rules = re.sub(r":root\{.*?\}", "", STYLE)
    assert re.findall(r"#[0-9a-f]{3,6}\b|rgb|hsl", rules) == []

"""Where a spec may run Spark, and how it may set it up."""

import re
from collections.abc import Iterator, Mapping

from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.policy.paths_and_hosts import fits, host_of, is_here, plain_host
from biaspipe.policy.refusals import refusal, refuse_names
from biaspipe.policy.rules import SETTINGS, TEXTS, Policy
from biaspipe.printable_text import escape

__all__ = ["refuse_master", "refuse_settings"]

MASTER = re.compile(r"[\w.:/\[\],*-]+", re.ASCII)
"""The signs of a master's URL: none by which one library sees another host than the next."""
PLACE = re.compile(r"(\[[\da-fA-F:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII)
WORDS = re.compile(r"\w[\w .-]{0,99}", re.ASCII)
UNITS = r"[kmgtp]?b?|us|ms|s|m|min|h|d"
MEASURE = re.compile(rf"-?\d{{1,12}}(\.\d{{1,12}})?({UNITS})|true|false", re.I | re.ASCII)
LINE = re.compile(r"[^\x00-\x1f\x7f\x85\u2028\u2029]{0,1000}")


def refuse_master(policy: Policy, url: str, loc: Loc) -> None:
    """Refuse a master of Spark, or a Spark Connect server, that specs may not name.

    Parameters
    ----------
    policy : what holds.
    url : as the spec writes it, without parameters.
    loc : where in the spec it stands.

    Raises
    ------
    SpecError
        With the policy's key.
    """
    if not MASTER.fullmatch(url):
        hint = "such as local[4], yarn or spark://host:7077"
        raise SpecError(
            [Fault(f"{escape(url)} is no URL of a place where Spark runs", loc, hint=hint)]
        )
    scheme, sign, rest = url.partition("://")
    if url in policy.spark.masters:
        return
    for place in rest.split(",") if sign else [""]:
        one = f"{scheme}://{place}" if sign else url
        host = host_of(one)  # Java reads other numbers than four in its own way
        here = PLACE.fullmatch(place) and host and plain_host(host) == host and is_here(host)
        if not fits(one, policy.spark.masters) and not (
            here and f"{scheme}://<this machine>" in policy.spark.masters
        ):
            words = f"{url} is none of the places where specs may run Spark"
            raise refusal(policy, words, loc, f"spark: {{masters: ['{one}']}}")


def refuse_settings(policy: Policy, settings: Mapping[str, object], loc: Loc) -> None:
    """Refuse settings of Spark that specs may not make; SpecError with each of them.

    Parameters
    ----------
    policy : what holds.
    settings : their names and values.
    loc : where in the spec they stand.
    """
    refuse_names(policy, settings, loc, "setting of Spark", "spark: {{config: [{name}]}}")
    faults = [
        Fault(f"{name}: expected {words}", (*loc, name), hint=f"such as {example}")
        for name, value in settings.items()
        for pattern, words, example in _values(name)
        if not pattern.fullmatch(str(value))
    ]
    if faults:
        raise SpecError(faults)


def _values(name: str) -> Iterator[tuple[re.Pattern[str], str, str]]:
    """Yield what the value of a setting has to be; some end on the command line of Java."""
    if name in TEXTS:
        yield WORDS, "letters, digits, blanks and .-_ in its value", "nightly-audit"
    elif fits(name, SETTINGS):
        yield MEASURE, "a number, size or time, true or false", "4g, 200, 30s or true"
    else:
        yield LINE, "one line of text", "true"

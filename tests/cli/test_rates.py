"""`--rates`: the rates of every group on the console, of a run and of a stored report."""

from tests.cli.calls import call, write_audit

WOMEN = "f                 5    0.0% (0.0-43.4)  40.0% (11.8-76.9)          undefined"


def test_run_shows_the_rates_that_are_asked_for() -> None:
    """With `--rates` a run shows the groups' rates before its last line, and no others do."""
    path = write_audit()
    without, ended = call("run", path), call("run", path, "--rates")
    assert "rates of sex" not in without.out
    assert "rates of sex" in ended.out
    assert WOMEN in ended.out.splitlines()
    assert ended.last.partition("(")[0] == without.last.partition("(")[0]
    assert ended.code == without.code == 0


def test_stored_report_shows_its_rates() -> None:
    """`render --rates` shows of a report what the run showed."""
    call("run", write_audit(), "-o", "r.json")
    assert WOMEN in call("render", "r.json", "--rates").out.splitlines()
    assert "rates of sex" not in call("render", "r.json").out


def test_rates_are_not_asked_of_a_file() -> None:
    """`render --rates` with a file is refused, since nothing would be shown."""
    call("run", write_audit(), "-o", "r.json")
    ended = call("render", "r.json", "--rates", "-o", "r.txt")
    assert (ended.code, "--rates" in ended.err) == (2, True)

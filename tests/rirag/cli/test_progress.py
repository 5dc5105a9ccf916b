"""What long work says on stderr."""

import re
import sys

import pytest

from rirag.cli.output import progress
from rirag.cli.output.progress import Progress


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)


@pytest.mark.usefixtures("impatient")
def test_log_has_lines_with_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress() as shown:
        asked = shown.begin("asking", 2_000)
        asked()
        asked()
        shown("encode", 1_500, 13_732)
        shown("encode", 3_000, 13_732)
    said, lines = capsys.readouterr(), []
    for line in said.err.splitlines():
        assert re.match(r"\d\d:\d\d:\d\d ", line)
        lines.append(line[9:])
    assert lines == [
        "asking: 1 of 2,000 questions",
        "asking: 2 of 2,000 questions",
        "encoding: 1,500 of 13,732 passages",
        "encoding: 3,000 of 13,732 passages",
    ]
    assert not said.out


def test_short_work_says_nothing_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress() as shown:
        for done in range(100):
            shown("load", done, 100)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("impatient")
def test_terminal_has_a_bar_that_goes_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Progress() as shown:
        shown("read", 1, 3)
        shown("load", 3, 3)
    drawn = capsys.readouterr().err
    assert "reading" in drawn
    assert "storing" in drawn
    assert not drawn.rpartition("\r")[0].rpartition("\r")[2].strip()  # the last thing drawn

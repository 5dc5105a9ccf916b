"""`rirag structure`: what a person sees of a document before it is loaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import Run, run_in_terminal
from sample import RULEBOOK, record, write_lines

TEXT = """1\tSCOPE
1.1\tA firm must report every broken widget, however small, to the keeper of the widgets.
1.2\tFees:
(a)\tare due in May; and
(b)\tare small.
1.4\tA firm may ask for time.
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.txt"
    path.write_text(TEXT)
    return path


def test_the_tree_has_number_kind_and_first_words_and_then_the_warnings(
    rirag: Run, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    shown = rirag("structure", rules)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.splitlines() == [
        "rules",
        "DocumentID rules, 4 passages: 3 rules, 1 heading",
        (
            "Trust 0.75 (consecutive numbers 0.75, text below numbers 1.00, usual "
            "lengths 1.00, unique numbers 1.00)"
        ),
        "",
        "  1      heading     SCOPE",
        "    1.1  rule        A firm must report every broken widget, however…",
        "    1.2  rule        Fees: (a) are due in May; and (b) are small.",
        "!   1.4  rule        A firm may ask for time.",
        "",
        "Gaps in the numbers (1)",
        "  1.4 follows 1.2: 1 number between is missing  rules.txt:6",
    ]


def test_colours_are_for_terminals_only(rirag: Run, rules: Path, tmp_path: Path) -> None:
    piped = rirag("structure", rules).out
    assert "\x1b" not in piped
    seen = run_in_terminal("structure", rules, cwd=tmp_path).out
    assert seen.replace("\r", "").splitlines()[0] == piped.splitlines()[0]


def test_a_document_without_warnings_says_so(rirag: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1\tSCOPE\n1.1\tA rule.\n")
    assert rirag("structure", "a.txt").out.endswith("\n\nNo warnings about the numbers.\n")


def test_a_folder_shows_every_document_and_what_was_skipped(rirag: Run) -> None:
    shown = rirag("structure", RULEBOOK).out
    for title in ("Conduct Rulebook (COND)", "Governance and Prudential Rulebook (GOVN)"):
        assert f"\n{title}\nDocumentID " in shown
    assert shown.rstrip().endswith("its records have neither PassageID nor Passage.")


def test_many_warnings_of_a_kind_are_counted(rirag: Run, tmp_path: Path) -> None:
    lines = "".join(f"1.{number}\tText.\n" for number in range(1, 60, 3))
    (tmp_path / "a.txt").write_text(f"1\tSCOPE\n{lines}")
    shown = rirag("structure", "a.txt").out
    assert "Gaps in the numbers (19)" in shown
    assert "  … and 9 more, marked ! above" in shown
    assert shown.count("\n!") == 19


def test_why_shows_the_readings_and_what_the_numbers_say_of_them(
    rirag: Run, tmp_path: Path
) -> None:
    path = tmp_path / "law.txt"
    sections = (f"Rule {n} Lamps\nThe keeper of lamp {n} is awake.\n" for n in range(1, 6))
    path.write_text("\n".join(["Lamp Rules", *sections]))
    assert rirag("structure", path, "--why").out.splitlines() == [
        "law: trust 1.00, 5 numbers count on in the source",
        "  reading    score passages  numbers that opened one",
        "  law         1.00        5  5 of 5  chosen",
    ]
    (found,) = json.loads(rirag("structure", path, "--why", "--json").out)
    assert (found["document_id"], found["trust"], found["counted"]) == ("law", 1, 5)
    assert found["readings"] == [{"name": "law", "score": 1, "passages": 5, "opened": 5}]


def test_a_version_is_shown_with_its_day_and_where_that_comes_from(
    rirag: Run, tmp_path: Path
) -> None:
    path = tmp_path / "lamps@2024-02-29.txt"
    path.write_text(TEXT)
    assert "Version 2024-02-29, from 2024-02-29 (path, in-force)" in rirag("structure", path).out
    (found,) = json.loads(rirag("structure", path, "--why", "--json").out)
    assert (found["document_id"], found["version_id"]) == ("lamps", "2024-02-29")
    assert (found["valid_from"], found["date_source"]) == ("2024-02-29", "path")


def test_jsonl_is_one_record_a_passage(rirag: Run, rules: Path) -> None:
    records = [json.loads(line) for line in rirag("structure", rules, "--jsonl").out.splitlines()]
    assert [one["PassageID"] for one in records] == ["1", "1.1", "1.2", "1.4"]
    assert records[2] == {
        "DocumentID": "rules",
        "PassageID": "1.2",
        "Passage": "Fees:\n(a)\tare due in May; and\n(b)\tare small.",
        "kind": "rule",
        "breadcrumb": ["1 SCOPE"],
        "source": "rules.txt:3",
    }


def test_a_reading_agrees_with_its_own_jsonl(rirag: Run, rules: Path, tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text(rirag("structure", rules, "--jsonl").out)
    shown = rirag("structure", rules, "--check", "gold.jsonl")
    assert (shown.code, shown.out.splitlines()) == (0, [
        "4 passages in the hand-made file, 4 read, 4 with the same number.",
        "precision 1.000, recall 1.000, F1 1.000, text agreement 1.000",
        "Both agree.",
    ])  # fmt: skip


def test_differences_from_a_hand_made_file_are_told_in_order_with_exit_code_1(
    rirag: Run, rules: Path, tmp_path: Path
) -> None:
    write_lines(
        tmp_path / "gold.jsonl",
        record("1", "SCOPE"),
        record("1.1", "A firm must report every widget to the keeper of the widgets."),
        record("1.2", "Fees: (a) are due in May; and (b) are small."),
        record("1.3", "[Deleted]"),
    )
    shown = rirag("structure", rules, "--check", "gold.jsonl")
    assert (shown.code, shown.err) == (1, "")
    assert shown.out.splitlines() == [
        "4 passages in the hand-made file, 4 read, 3 with the same number.",
        "precision 0.750, recall 0.750, F1 0.750, text agreement 0.963",
        "",
        ("3 differences (- only in the hand-made file, + only read, ~ different text, with F1):"),
        "~ 1.1  0.889  + broken however small  rules.txt:2",
        "- 1.3  [Deleted]",
        "+ 1.4  A firm may ask for time.  rules.txt:6",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nope.txt"], "nope.txt: no such file or folder; check the path"),
        (["rules.txt", "--check", "nope.json"],
         "nope.json: no such file; check the path"),
        (["rules.txt", "--format", "tiff"], "unknown format 'tiff'; choose one of auto, "),
        (["rules.txt", "--granularity", "point"],
         "rules.txt: the format text has no granularity (only acts in "),
        (["rules.txt", "--granularity", "word"], "unknown granularity 'word'; choose one of "),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_is_refused(
    rirag: Run, rules: Path, arguments: list[str], sentence: str
) -> None:
    assert rirag("structure", *arguments).refused(2).startswith(sentence)


def test_nothing_in_a_source_steers_the_terminal(rirag: Run, tmp_path: Path) -> None:
    escape = "\x1b[2J\u202e"
    source = write_lines(
        tmp_path / "a.jsonl",
        record("1.1", f"Widgets{escape}", DocumentTitle=f"Act{escape}"),
        record("1.1", "Again.", id="again"),
        record("1.2\u202e", f"Word {escape}" * 2_000),
    )
    for form in (["--tree"], ["--jsonl"], ["--check", source]):
        shown = rirag("structure", source, *form)
        assert shown.code == 0, shown
        assert "\x1b" not in shown.out
        assert "\u202e" not in shown.out


def test_a_file_that_loses_text_is_shown_and_the_command_fails(rirag: Run, tmp_path: Path) -> None:
    outside = "<div>Words outside of it.</div>"
    page = f"<main><p>1.1 Oil burns at night.</p><p>1.2 Wicks burn.</p></main>{outside}"
    (tmp_path / "a.html").write_text(f"<html><body>{page}</body></html>")
    shown = rirag("structure", "a.html")
    assert shown.code == 2
    assert "1.2" in shown.out
    assert shown.err.splitlines()[-1] == "1 file with text in no passage."

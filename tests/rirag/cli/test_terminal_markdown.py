"""Answers on a terminal: bold that is bold, and lines that fit."""

from __future__ import annotations

from rirag.cli.ask import for_terminal

TEXT = (
    "**COBS 1** (Fees): “A firm must pay **within 3 days** of the bill.” [1]\n- one two three four"
)


def test_a_file_or_pipe_gets_the_text_as_it_is() -> None:
    assert for_terminal(TEXT, 20, is_terminal=False) == TEXT


def test_on_a_terminal_bold_type_is_bold_and_lines_fit() -> None:
    shown = for_terminal(TEXT, 30, is_terminal=True)
    assert "**" not in shown
    assert "\x1b[1mCOBS 1\x1b[0m" in shown
    plain = shown.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert max(map(len, plain.splitlines())) <= 30
    assert " ".join(plain.split()) == " ".join(TEXT.replace("**", "").split())


def test_what_goes_on_below_a_bullet_is_indented() -> None:
    assert for_terminal("- one two three four", 12, is_terminal=True) == "- one two\n  three four"


def test_a_row_of_a_table_is_not_broken() -> None:
    row = "  | a cell | another cell | and one more cell |"
    assert for_terminal(row, 12, is_terminal=True) == row

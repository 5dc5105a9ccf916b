"""The pages of commands have the help of each, and what several commands share once."""

from __future__ import annotations

import re
import sys

from pages import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from docs_help import commands, common_options, help_of


def test_help_has_a_commands_own_options_with_their_meaning() -> None:
    shown = help_of("rirag ingest")

    assert shown.startswith("Usage: rirag ingest [OPTIONS] SOURCE…\n")
    assert "Load regulations (files or folders) into an index." in shown
    assert re.search(r"--prune +Delete documents", shown)


def test_options_of_several_commands_are_explained_once() -> None:
    shared = dict(common_options())

    assert shared["--json"] == "Print JSON for programs."
    assert "--json" in help_of("rirag ingest")
    assert not any("Print JSON for programs." in help_of(name) for name in commands())


def test_an_option_of_the_same_name_with_another_meaning_is_explained_in_its_place() -> None:
    assert "--index URL" in dict(common_options())
    assert "Look up the passages in this index." in help_of("rirag verify")


def test_no_command_explains_how_to_ask_for_help() -> None:
    assert [name for name in commands() if "--help" in help_of(name)] == []


def test_groups_leave_their_commands_to_the_help_of_these() -> None:
    assert "Commands:" in help_of("rirag")
    assert "Commands:" not in help_of("rirag questions")
    assert "rirag questions add" in commands()

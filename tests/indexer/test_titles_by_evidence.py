"""Which texts can be the title of a document, and which is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from indexer.blocks import PROPERTIES, RUNNING_HEAD, Block, LeftOut
from indexer.structuring.labels.book_codes import titled
from indexer.structuring.outline.front import split_front
from indexer.titles import first_title, is_title


@pytest.mark.parametrize(
    "text",
    ["Lamp Rules (LR)", "Lamp Act 1990", "Code 2019", "DORA", "IFRS 9", "民法", "HR-12 Lamps",
     "Search and Seizure of Lamps Act", "LAMP ACT, No. 7 OF 2031", "Public Lamps",
     "Internal Rules 2",
     "Final Report on Lamps", "Draft Lamp Act", "Version Control", "Effective Lamps 2031"],
)  # fmt: skip
def test_what_names_a_document_is_a_title(text: str) -> None:
    assert is_title(text)


@pytest.mark.parametrize(
    "text",
    ["", "(VER7.010126)", "VER08.181223", "v2", "Version 3.2", "Draft 3", "Version 4.2 (draft)",
     "CONFIDENTIAL", "As in force on 1 May 2031",
     "Final draft", "Strictly confidential – version 3", "As amended",
     "Stand: 14. Oktober 2031", "[Insert title]",
     "<Title>", "{{title}}", "TABLE OF CONTENTS", "Contents", "Page 3 of 12", "- 3 -", "3/12",
     "14 October 2031", "mars 2031", "Owner: Head of Lamps", "L13709", "32031L9999", "lamps.docx",
     "https://laws.example/eli/7", "akn/xx/act/2031/7", r"\Table Start"],
)  # fmt: skip
def test_a_version_a_date_a_placeholder_a_code_or_a_mark_is_no_title(text: str) -> None:
    assert not is_title(text)


def test_the_best_evidence_that_names_it_is_chosen() -> None:
    assert first_title(["", "(VER2)", "Lamp Rules", "Bell Rules"]) == "Lamp Rules"
    assert first_title(["(VER2)", "7"]) == ""


def blocks(*lines: str | Block) -> list[Block]:
    made = (Block(line) if isinstance(line, str) else line for line in lines)
    return [replace(block, place=at) for at, block in enumerate(made, 1)]


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["Lamp Rules (LR)", Block("(VER7.010126)", style="title")], "Lamp Rules (LR)"),
        (["Lamp Rules", Block("TABLE OF CONTENTS", style="title")], "Lamp Rules"),
        (["(VER7.010126)", "Lamp Rules"], "Lamp Rules"),
        (["14 October 2031", "[Insert title]", "Lamp Rules"], "Lamp Rules"),
        (["CONFIDENTIAL", "Lamp Policy"], "Lamp Policy"),
        (["CONFIDENTIAL", "Lamps of the harbour"], "Lamps of the harbour"),
        ([Block("Version 4.2 (draft)", style="title"), "Lamp Rules"], "Lamp Rules"),
        (["Guidance –", "Lamps and", "bells in harbours", "A note"],
         "Guidance – Lamps and bells in harbours"),
        (["Lamps and", Block("Bells", bold=True)], "Lamps and"),
        (["Lamp Rules", "1.1 Keepers light lamps."], "Lamp Rules"),
        (["1.1 Keepers light lamps."], ""),
        (["(VER7.010126)", "1.1 Keepers light lamps."], ""),
    ],
)  # fmt: skip
def test_the_title_is_the_first_block_that_names_the_document(
    lines: list[str | Block], title: str
) -> None:
    found, _, _ = split_front([*blocks(*lines, "1.2 Keepers sleep by day.")], [])
    assert found == title


def large(text: str, size: int = 40) -> Block:
    return Block(text, size=size)


@pytest.mark.parametrize(
    ("lines", "properties", "heads", "title"),
    [
        # Properties and running heads decide between lines that could each be the title …
        (["Harbour Lamps plc", "Lamp Policy"], ["Lamp Policy"], [], "Lamp Policy"),
        (["Harbour Lamps plc", "Lamp", "Policy"], [], ["Lamp Policy | Version 2"], "Lamp Policy"),
        (["Lamp Policy (LP-01)", "A note"], ["Lamp Policy"], [], "Lamp Policy (LP-01)"),
        # … and where no line can be, but not against the text.
        (["(VER2)"], ["Lamp Policy"], [], "Lamp Policy"),
        (["[Insert title]"], [], ["Harbour\tLamp Policy\tPage"], "Lamp Policy"),
        (["1.1 Keepers light lamps."], ["Lamp Policy"], [], "Lamp Policy"),
        (["1.1 Keepers light lamps."], ["Untitled"], ["Harbour"], ""),
        (["Lamp Rules"], ["Template for a Policy"], ["Bell Policy"], "Lamp Rules"),
        # The largest lines before the text, together.
        ([Block("Harbour plc", size=22), large("Lamp Policy"), large("for Keepers")], [], [],
         "Lamp Policy for Keepers"),
        ([large("Lamp"), large("Policy"), large("Version 2"), large("Draft")], [], [],
         "Lamp Policy"),
        ([Block("Lamp Policy", size=22), replace(large("Bells"), heading_level=0)], [], [],
         "Lamp Policy"),
        ([Block("Lamp", style="title"), Block("Policy", style="title")], [], [], "Lamp Policy"),
    ],
)  # fmt: skip
def test_the_title_is_decided_by_all_that_a_file_shows(
    lines: list[str | Block], properties: list[str], heads: list[str], title: str
) -> None:
    text = Block("1.2 Keepers sleep by day, and light each lamp before the sun sets.", size=22)
    named = [LeftOut(one, PROPERTIES) for one in properties]
    named += [LeftOut(one, RUNNING_HEAD) for one in heads]
    found, _, _ = split_front(blocks(*lines, text), named)
    assert found == title


@pytest.mark.parametrize(
    ("title", "code", "whole"),
    [("Lamp Rules", "LR", "Lamp Rules (LR)"), ("Lamp Rules (LAMP)", "GEN", "Lamp Rules (LAMP)"),
     ("", "LR", "LR"), ("Lamp Rules", "", "Lamp Rules")],
)  # fmt: skip
def test_a_title_with_a_code_gets_no_other(title: str, code: str, whole: str) -> None:
    assert titled(title, code) == whole

"""Which texts can be the title of a document, and which is chosen."""

from __future__ import annotations

import pytest

from indexer.blocks import Block
from indexer.outline.front import split_front
from indexer.structuring.book_codes import titled
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
    return [Block(b.text, style=b.style, bold=b.bold, place=at) for at, b in enumerate(made, 1)]


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


@pytest.mark.parametrize(
    ("title", "code", "whole"),
    [("Lamp Rules", "LR", "Lamp Rules (LR)"), ("Lamp Rules (LAMP)", "GEN", "Lamp Rules (LAMP)"),
     ("", "LR", "LR"), ("Lamp Rules", "", "Lamp Rules")],
)  # fmt: skip
def test_a_title_with_a_code_gets_no_other(title: str, code: str, whole: str) -> None:
    assert titled(title, code) == whole

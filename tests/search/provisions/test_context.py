"""What both retrievers read before the text: title and headings, without numbers."""

from __future__ import annotations

import pytest

from search.provisions.context import LONGEST, context_of, heading_words, in_context
from search.records import Passage


def passage(title: str = "", *breadcrumb: str, text: str = "It shall notify.") -> Passage:
    return Passage("i", "7", "4.2", text, title, breadcrumb=breadcrumb)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("Chapter I GENERAL PROVISIONS", "GENERAL PROVISIONS"),
        ("Part One.Title I SUBJECT MATTER", "SUBJECT MATTER"),
        ("Article 17 Public disclosure", "Public disclosure"),
        ("§ 13e Zweigniederlassungen", "Zweigniederlassungen"),
        ("Abschnitt 2 Pflichten", "Pflichten"),
        ("10. **Establishment of Commission**", "Establishment of Commission"),
        ("4.2(b) Waivers", "Waivers"),
        ("APP4.A4.1 Credit Risk", "Credit Risk"),
        ("First Schedule Fees", "Fees"),
        ("8.3.2.Guidance on CDD", "Guidance on CDD"),
        ("3.5.8.Guidance", ""),
        ("Article 3(1)", ""),
        ("Recitals", ""),
        ("Title page", "Title page"),
        ("Parties to the deal", "Parties to the deal"),
        ("", ""),
    ],
)
def test_a_heading_is_read_without_its_number(label: str, words: str) -> None:
    assert heading_words(label) == words


def test_a_long_heading_is_cut_between_words() -> None:
    words = heading_words("1.2 " + "firm " * 100)
    assert len(words) <= LONGEST
    assert words.endswith("firm")


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("COBS_VER15.150823", "COBS"),
        ("BRR Regulations (December 2018)", "BRR Regulations"),
        ("Guidance - Spot Commodities (VER02.181223)", "Guidance - Spot Commodities"),
        ("Data Protection Act 2018", "Data Protection Act 2018"),
        ("Document 7", ""),
        ("32002", ""),
    ],
)
def test_a_title_is_read_without_its_version(title: str, plain: str) -> None:
    assert context_of(passage(title)) == plain


def test_the_nearest_headings_are_read_from_the_outermost() -> None:
    one = passage("Fund Rules", "1 SCOPE", "1.2 Managers", "1.2.3 Reports", "1.2.3.(a)")
    assert in_context(one, context_of(one)) == "Fund Rules > Managers > Reports\nIt shall notify."


def test_nothing_is_said_twice() -> None:
    assert context_of(passage("Fees", "1 Fees", text="Fees")) == ""
    assert context_of(passage("Fees", "1 Fees")) == "Fees"


def test_a_passage_without_text_or_context_stays_as_it_is() -> None:
    empty = passage("Fees", "1 Scope", text=" \n")
    assert (context_of(empty), in_context(empty, "Fees")) == ("", "")
    assert in_context(passage(), context_of(passage())) == "It shall notify."

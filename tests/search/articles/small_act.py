"""An act of a few articles, and questions about it."""

from __future__ import annotations

from search.articles.act import Act, act_of
from search.articles.known import AnsweredQuestion
from search.records import Passage

TITLE = "SBR (Regulation (EU) No 12/2020)"
NUMBER = "12/2020"
ROWS = (
    ("Part One", "Part One GENERAL"),
    ("Article 1", "Scope\nThis Regulation applies to banks."),
    ("Article 2", "Definitions"),
    ("Article 2(1)", "‘loan’ means money lent to a customer;"),
    ("Article 2(2)", "‘deposit’ means money taken from a customer;"),
    ("Part Two", "Part Two DUTIES"),
    ("Article 3", "Capital\nA bank must hold capital of 8 % of its loans."),
    ("Article 3a", "Buffer\nA bank must hold a buffer beside the capital of Article 3."),
    ("Article 4", "Reporting\nA bank must report its deposits every quarter."),
    ("Article 5", "Penalties\nThe authority may fine a bank that breaches Articles 3 to 4."),
)


def small_act(version: str = "2021-01-01", document_id: str = "sbr") -> Act:
    """The act."""
    return act_of(small_passages(version, document_id))


def small_passages(version: str = "2021-01-01", document_id: str = "sbr") -> list[Passage]:
    """Its passages, in order."""
    part, passages = "", []
    for order, (number, text) in enumerate(ROWS):
        part = text if number.startswith("Part") else part
        crumbs = (part,) if number.startswith("Article") else ()
        kind = "heading" if number.startswith("Part") else "rule"
        passages.append(
            Passage(
                f"{document_id}/{number}", document_id, number, text, TITLE, kind,  # type: ignore[arg-type]
                order, breadcrumb=crumbs, metadata={"version": version},
            )
        )  # fmt: skip
    return passages


def answered(text: str, *about: str, named: tuple[str, ...] = ()) -> AnsweredQuestion:
    """A question about articles."""
    return AnsweredQuestion(text, about, named)

"""Citations that an answer lacks, where the passages that were given support what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from generation.mode import Draft
from generation.records import AnswerWarning
from generation.text.citation_styles import unified
from generation.text.citations import citations_in
from generation.verify.checks.support import check_statement
from generation.verify.compare.sources import Source
from generation.verify.compare.statements import Spoken, statements_in

ADDED = (
    "added where the language model gave none and the words of the passage support the statement."
)


def with_found_sources(draft: Draft) -> Draft:
    """Return a draft with a citation behind each statement that has none of its own and a source.

    A passage is the source if the verifier finds that its words support the statement; of several,
    the one that holds most of them. Small models cite once where they rest on a passage throughout;
    numbers that a whole list shares are put behind each item that they support.
    """
    sources = {number: Source(number, passage) for number, passage in draft.given.items()}
    before = text = unified(draft.text)
    lacking: list[Spoken] = []
    for spoken in reversed(statements_in(before)):
        own = bool(spoken.citations) and not spoken.shared
        number = 0 if own else _source_of(spoken, sources)
        if number:
            text = _with_number(text, spoken, number)
            lacking += [] if spoken.citations else [spoken]
    if text == before:
        return draft
    return replace(
        draft,
        text=text,
        citations=citations_in(text, draft.given),
        warnings=_warnings(draft, lacking),
    )


def _warnings(draft: Draft, lacking: Sequence[Spoken]) -> tuple[AnswerWarning, ...]:
    """Return the warnings of a draft once those that lacked a citation have one."""
    if not lacking:
        return draft.warnings
    told = "A citation was" if len(lacking) == 1 else f"{len(lacking)} citations were"
    cited = {"", *(spoken.text for spoken in lacking)}  # "", the answer as a whole
    left = [one for one in draft.warnings if one.kind != "uncited" or one.statement not in cited]
    return (*left, AnswerWarning("added", f"{told} {ADDED}"))


def _source_of(spoken: Spoken, sources: Mapping[int, Source]) -> int:
    """Return the number of the passage that supports a statement best, 0 for none."""
    shares = {}
    for number, source in sources.items():
        checked = check_statement(replace(spoken, citations=(number,)), {number: source}, "")
        if checked.verdict == "supported":
            shares[number] = checked.share
    return max(shares, key=lambda number: (shares[number], -number), default=0)


def _with_number(text: str, spoken: Spoken, number: int) -> str:
    """Return the text with a number behind a statement, in the last cell of a row."""
    said = text[spoken.start : spoken.end].rstrip()
    behind = text[spoken.start + len(said) :]
    row = said.startswith("|") and said.endswith("|")
    marked = f"{said[:-1].rstrip()} [{number}] |" if row else f"{said} [{number}]"
    return text[: spoken.start] + marked + behind

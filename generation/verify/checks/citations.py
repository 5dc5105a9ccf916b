"""Citations in the text of an answer: mapped to passages, and what is doubtful flagged."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from generation.records import AnswerWarning, Citation
from generation.statements.answers import Spoken, statements_in
from generation.statements.passages import statements_of
from generation.text.citation_styles import cited_numbers
from search.records import Passage
from search.text.analyzer import term_set

_NO_PASSAGE = "refers to no passage that the model was given."


def citations_in(text: str, passages: Mapping[int, Passage]) -> tuple[Citation, ...]:
    """Return what a text cites, by number, each with the words of its passage that support it."""
    said = statements_in(text)
    return tuple(
        Citation(number, passages[number], _supporting_quote(said, number, passages[number].text))
        for number in sorted(cited_numbers(text))
        if number in passages
    )


def check_citations(text: str, known: Container[int]) -> list[AnswerWarning]:
    """Return a warning for every statement that cites nothing, or a number that is not known."""
    warnings = []
    for statement in statements_in(text):
        unmapped = [number for number in statement.citations if number not in known]
        if unmapped:
            listed = ", ".join(f"[{number}]" for number in unmapped)
            message = f"The citation {listed} {_NO_PASSAGE}"
            warnings.append(AnswerWarning("unmapped", message, statement.text))
        elif not statement.citations:
            message = "This statement has no citation, so its source is unknown."
            warnings.append(AnswerWarning("uncited", message, statement.text))
    return warnings + _unmapped_elsewhere(text, known, warnings)


def _unmapped_elsewhere(
    text: str, known: Container[int], warnings: Sequence[AnswerWarning]
) -> list[AnswerWarning]:
    told = {number for warning in warnings for number in cited_numbers(warning.statement)}
    return [
        AnswerWarning("unmapped", f"The citation [{n}] {_NO_PASSAGE}")
        for n in cited_numbers(text)
        if n not in known and n not in told
    ]


def _supporting_quote(said: Sequence[Spoken], number: int, source: str) -> str:
    """Return the sentence of a passage that shares most with what cites it."""
    wanted = term_set(" ".join(one.text for one in said if number in cited_numbers(one.text)))
    pieces = [piece.text for statement in statements_of(source) for piece in statement.pieces]
    shares = [len(wanted & term_set(piece)) for piece in pieces]
    best = max(shares, default=0)
    return pieces[shares.index(best)] if best else ""

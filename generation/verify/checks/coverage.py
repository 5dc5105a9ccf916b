"""Which obligations of the cited passages an answer leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from generation.statements.forces import DUTIES, content_terms, kind_of
from generation.statements.passages import Statement, statements_of
from generation.statements.tables import Piece
from generation.statements.words import folded
from generation.text.phrases import ELLIPSIS
from generation.text.sanitize import as_shown
from generation.verification import MissingObligation
from generation.verify.compare.sources import Source
from generation.verify.margins import SUPPORT
from search.provisions.terms.definitions import definitions_in

_EDGES = " .,;:-!?'"


def obligations_of(source: Source) -> Iterator[tuple[str, str]]:
    """Yield each obligation of a passage: what is its own, and how it reads with what leads to it.

    A sentence that obliges, forbids or expects is one (`generation.statements.forces`), also one
    that stays with the sentence before it; a list under such words has one for every item that has
    no items of its own. Of a table only the rows are obligations that have such words themselves.
    """
    yield from _obligations_in(source.statements)


def _obligations_in(statements: Iterable[Statement]) -> Iterator[tuple[str, str]]:
    for statement in statements:
        if not statement.heading and kind_of(statement.text) in DUTIES:
            yield from _units(statement)


def _units(statement: Statement) -> Iterator[tuple[str, str]]:
    pieces = statement.pieces
    parents = {piece.parent for piece in pieces}
    ends = [i for i, piece in enumerate(pieces) if piece.role == "item" and i not in parents]
    leading = {piece.parent for piece in pieces if piece.role == "item"}
    alone = [piece.text for i, piece in enumerate(pieces) if _stands_alone(piece, i in leading)]
    yield from ((text, text) for text in alone if kind_of(text) in DUTIES)
    for place in ends:
        path = [place]
        while (above := pieces[path[0]].parent) is not None:
            path.insert(0, above)
        # Pieces that follow one another are one stretch of the text; others leave something out.
        gap = " " if path == list(range(path[0], place + 1)) else f" {ELLIPSIS} "
        yield pieces[place].text, gap.join(pieces[step].text for step in path)


def _stands_alone(piece: Piece, leads: bool) -> bool:
    """Return whether a piece says something by itself: a sentence, or a row of a table.

    What leads items says it with them, and what closes a list continues its sentence.
    """
    if piece.role == "tail":
        return not leads and not piece.text[:1].islower()
    return piece.role == "row" or (piece.role == "lead" and not leads)


def missing_obligations(
    said: Sequence[tuple[str, Sequence[int]]], sources: Sequence[Source]
) -> tuple[int, tuple[MissingObligation, ...]]:
    """Return how many obligations the passages hold, and those that the answer leaves out."""
    count, missing = 0, []
    for source in sources:
        texts = [folded(text) for text, numbers in said if source.number in numbers]
        terms = [content_terms(text) for text in texts]
        for own, whole in _expected_of(source, texts, terms):
            count += 1
            if not _is_conveyed(own, texts, terms):
                missing.append(MissingObligation(source.number, whole))
    return count, tuple(missing)


def _expected_of(
    source: Source, texts: Sequence[str], said: Sequence[frozenset[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the obligations of a passage; of a glossary, those of the definitions spoken of."""
    definitions = definitions_in(source.passage)
    if len(definitions) < SUPPORT.glossary:
        yield from obligations_of(source)
        return
    for definition in definitions:
        term, terms = folded(definition.term), content_terms(definition.text)
        if any(
            term in text and len(terms & there) >= SUPPORT.half * len(terms)
            for text, there in zip(texts, said, strict=True)
        ):
            yield from _obligations_in(statements_of(as_shown(definition.text)))


def _is_conveyed(own: str, texts: Sequence[str], terms: Sequence[frozenset[str]]) -> bool:
    words, wanted = folded(own).strip(_EDGES), content_terms(own)
    if any(words in text for text in texts):
        return True
    pairs = (one | following for one, following in zip(terms, (*terms[1:], set()), strict=True))
    return any(len(wanted & held) >= SUPPORT.enough * len(wanted) for held in pairs)

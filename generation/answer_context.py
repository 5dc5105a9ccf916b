"""What comes with a question, beside its hits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from generation.prompts.examples import Example
from search.errors import InputError
from search.messages.arguments import several_ids

if TYPE_CHECKING:
    from generation.library import Library
    from search.records import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerContext:
    """Information that comes with a question; each mode uses the fields that it needs."""

    library: Library | None = None
    """Documents that a mode may read as a whole; None: it has the hits alone."""
    named: tuple[Passage, ...] = ()
    """What a question names by number in passing, which no search put first."""
    documents: tuple[str, ...] = ()
    """`document_id` of each document to answer from; empty: the mode chooses."""
    unfound: tuple[str, ...] = ()
    """Why none of the rules exists that the question asks for by number (`trace.unfound` of a
    search): a sentence each. An answer rests on no other rule then."""
    in_full: str = ""
    """The question with what its abbreviations stand for, where no passage has them; empty: it is
    read as it was asked."""
    background: str = ""
    """The facts behind the question, in the words of the asker."""
    topic: str = ""
    """What the question is about, in the words of a list of topics."""
    article: str = ""
    """The article that the asker names, such as `92` or `129b`."""
    examples: tuple[Example, ...] = ()
    """Answered questions that show how answers look."""
    ranker: Path | None = None
    """File of an article ranker of the user's own (`search.articles.ranker`); None: the one that
    ships."""
    regime: str = ""
    """The legal regime to answer under; empty: it is judged."""

    def __post_init__(self) -> None:
        library = self.library
        if library is not None and not callable(getattr(library, "worked_out", None)):
            raise InputError(
                "the library must contain documents, as "
                f"generation.IndexLibrary(index) does, not {library!r:.80}",
                code="argument.invalid",
            )
        object.__setattr__(self, "documents", several_ids(self.documents))
        odd = next((one for one in self.examples if not isinstance(one, Example)), None)
        if odd is not None:
            raise InputError(
                f"an example must be a generation.Example, not {odd!r:.80}", code="argument.invalid"
            )

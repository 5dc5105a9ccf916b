"""Answered questions: asked before, each with the passages that answered it.

They are kept as the passages of an index of their own, beside the index they belong to, so that
they are loaded whole, searched by words and by meaning, and encoded once. Each is in one of
`GROUPS` documents, by a hash of its ID, so that a change of a few questions replaces a few small
documents.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from search.engines.protocol import Engine
from search.messages.refusals import on_index
from search.records import Passage
from search.text.wording import bare_words

NAME = "questions"
"""Ends the URL of their index."""

TITLE = "Known questions"
"""Title of all documents of their index; indexes hold it, so it stays as it is."""

RELEVANT = "relevant"
"""Metadata field with the `ID`s of the passages that answer a question."""

GROUPS = 256
"""Documents of the index of answered questions: one in 256 questions is rewritten with a changed
one, and a server has few documents to tell apart."""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """An answered question with its relevant passages."""

    id: str
    text: str
    passages: tuple[str, ...]
    """`ID`s of the passages that answer it, at least one, each once."""

    @property
    def group(self) -> str:
        """The document that keeps it: two hexadecimal digits."""
        return f"{hashlib.sha256(self.id.encode()).digest()[0] % GROUPS:02x}"

    def as_passage(self, order: int = 0) -> Passage:
        """Return the passage that keeps it, at a 0-based place of its group."""
        return Passage(
            id=self.id,
            document_id=self.group,
            passage_id=self.id,
            text=self.text,
            document_title=TITLE,
            order=order,
            metadata={RELEVANT: self.passages},
        )

    @classmethod
    def of(cls, passage: Passage) -> AnsweredQuestion:
        """Return the question that a passage keeps."""
        relevant = passage.metadata[RELEVANT]
        return cls(passage.id, passage.text, relevant if isinstance(relevant, tuple) else ())


def url_beside(index_url: str) -> str:
    """Return the URL of an index's answered questions: on the same server, or in its folder."""
    return f"{index_url.rstrip('/')}-{NAME}" if "://" in index_url else str(Path(index_url, NAME))


def folded(question: str) -> str:
    """Return what two questions have in common that differ only in case, space or punctuation."""
    return bare_words(question)


def keeps_questions(engine: Engine) -> bool:
    """Return whether an index has answered questions, and no passages that somebody loaded."""
    return all(document.title == TITLE for document in engine.documents())


def unusable(engine: Engine, url: str) -> str:
    """Return a sentence on an index beside another one whose questions cannot be compared."""
    about = engine.describe()
    if not keeps_questions(engine):
        return f"answered questions are ignored: {about.url} holds an index instead of them"
    made = about.encoder
    return (
        f"answered questions are ignored: {made.name} (revision {made.revision}) encoded "
        "them, but the index has another encoder; fix this with: "
        f"{on_index('rirag reindex', url)}"
    )

"""Show how the readers understood sources, before anything is loaded."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from indexer.load.in_force import unread_note, unread_status
from indexer.load.progress import Progress, listener
from indexer.load.reading import read_into
from indexer.load.report import Place
from indexer.load.sources import SkippedFile, find_sources, unread
from indexer.load.spool import Spool
from indexer.load.titles import Titles
from indexer.load.trust import Trust, choice_of, trust_of
from indexer.load.warnings import StructureWarning, structure_warnings
from indexer.problems import Choice, Note
from indexer.readers.detect import AUTO
from indexer.structuring.acts.granularity import Granularity
from search.records import Passage
from search.versions.history import Version


@dataclass(frozen=True, slots=True)
class DocumentStructure:
    """One document as it would be loaded."""

    document_id: str
    title: str
    passages: tuple[Passage, ...]
    """In order, each with its place in the hierarchy."""
    warnings: tuple[StructureWarning, ...]
    trust: Trust
    """How far the reading can be trusted."""
    choice: Choice | None = None
    """In which ways its file was read; None for formats with a single one."""
    version: Version | None = None
    """Which version of the document it is; None: its source names none."""


@dataclass(frozen=True, slots=True)
class Structure:
    """The passages and warnings of sources, and what was not read."""

    documents: tuple[DocumentStructure, ...]
    left_out: tuple[Note, ...]
    """What is in no passage, by file and reason."""
    duplicates: tuple[Place, ...]
    """Passages skipped because the same one, with the same `ID`, came before."""
    skipped: tuple[SkippedFile, ...]
    """Files of the folders that were not read."""
    refused: tuple[str, ...] = ()
    """Why files were left out as a whole, a problem each with file and line."""
    losses: tuple[str, ...] = ()
    """Files that were read, and how much of their text is in no passage."""
    guesses: tuple[str, ...] = ()
    """What was guessed of files (fields, encodings, front matter), a sentence each."""

    def passages(self) -> list[Passage]:
        """Return the passages of all documents."""
        return [passage for document in self.documents for passage in document.passages]


def structure(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    format: str = AUTO,  # noqa: A002 - the option's name
    titles: str | Path | None = None,
    granularity: Granularity | None = None,
    footnotes: bool = False,
    fields: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    document_id: str = "",
) -> Structure:
    """Read sources as `ingest` does, without loading them; very long passages stay whole.

    All passages are held in memory.

    Args:
        sources: files and folders, or a single one.
        format: `auto`, or the name of a reader for every file.
        titles: a JSON file from DocumentID to title; None looks for `titles.json`.
        granularity: how much of an act is one passage; None: each format's own.
        footnotes: whether each footnote of a DOCX or PDF file is a passage, below the one that
            refers to it; else they are left out, as those who number by hand do.
        fields: our field of a record → the field of a corpus or the column of a table that holds
            it (`PassageID`, `Passage`, `DocumentID`, `DocumentTitle`, `Heading`); None: guessed
            where records do not have ours.
        progress: called during the run.
        document_id: of the document of the only source; empty: its own.

    Raises:
        InputError: nothing can be read; the message holds all problems.
    """
    found = find_sources(sources, format, granularity, footnotes=footnotes, fields=fields)
    with Spool.opened() as spool:
        heard = listener(progress)
        read = read_into(spool, found, Titles(titles), heard, document_id=document_id)
        documents, unclear = [], Counter[str]()
        for name, title in spool.documents():
            passages = spool.arranged(name, title)
            unclear += unread_status(passages)
            documents.append(
                DocumentStructure(
                    spool.work_of(name),
                    passages[0].document_title,
                    tuple(passages),
                    warnings := tuple(structure_warnings(passages)),
                    trust_of(passages, warnings, read.choices),
                    choice_of(passages, read.choices),
                    spool.versions[name].version if name in spool.versions else None,
                )
            )
    return Structure(
        tuple(documents), read.left_out, read.duplicates, found.skipped, read.refused,
        (*read.losses, *unread(found.skipped)), (*read.guesses, *unread_note(unclear)),
    )  # fmt: skip

"""From files to the spool: every passage once, all problems reported together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from indexer.blocks import ATTACHED
from indexer.hierarchy.passage_ids import renamed
from indexer.load.progress import Progress, silent
from indexer.load.report import Place
from indexer.load.sources import SourceFile, Sources
from indexer.load.splitting import split_long
from indexer.load.spool import Spool
from indexer.load.titles import Titles
from indexer.load.works import NOT_GIVEN, Given, identified, without_version
from indexer.problems import Choice, Note, Problems, word_count
from indexer.readers.files import refused_on_error
from search.errors import InputError
from search.records import MetadataValue, Passage

MOST_LOST = 0.2
"""Share of a file's words that may be in no passage before that is a problem."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found in the files and is not in the spool."""

    duplicates: tuple[Place, ...]
    """Passages that were skipped because the same ones came before."""
    left_out: tuple[Note, ...]
    """What readers put into no passage, by file and reason."""
    refused: tuple[str, ...]
    """Why files were left out as a whole, a problem each with file and line."""
    losses: tuple[str, ...] = ()
    """Files that were read, and how much of their text is in no passage."""
    guesses: tuple[str, ...] = ()
    """What was guessed of files, a sentence each."""
    choices: Mapping[str, Choice] = field(default_factory=dict)
    """In which ways each file was read, by its name."""


def read_into(  # noqa: PLR0913 - all but the first three have a default
    spool: Spool,
    sources: Sources,
    titles: Titles,
    progress: Progress = silent,
    *,
    strict: bool = False,
    split: bool = False,
    metadata: Mapping[str, MetadataValue] | None = None,
    document_id: str = "",
    given: Given = NOT_GIVEN,
) -> Reading:
    """Read the passages of all files into the spool; return what is not there, and why.

    A file that is a document is left out as a whole where anything of it is refused, and where
    another file holds the same document. Of a file of records, what is wrong with one of them
    leaves out that one, and anything else the file with its documents.

    Args:
        spool: gets the passages.
        sources: the files.
        titles: of documents.
        progress: called after each file.
        strict: refuse the run whatever is refused.
        split: cut very long passages of documents into parts (`indexer.load.splitting`).
        metadata: fields that every passage gets, instead of its own of these names.
        document_id: of the one document of the only file, in place of its own; empty: its own.
        given: what the user says of the work and version of the files.

    Raises:
        InputError: the run was refused; the message holds every problem of every file.
    """
    if document_id and [file.reader.whole_document for file in sources.files] != [True]:
        raise InputError(
            f"document_id {document_id!r} can only be set for one file that holds one document; "
            "files of records name their documents themselves",
            code="argument.invalid",
        )
    if sources.may_be_empty and not sources.files:
        return Reading((), (), (), guesses=sources.notes)
    run = _Run(spool, titles, split, metadata or {}, document_id, given)
    run.leave_out(sources.refused)
    run.note(sources.notes)
    for done, file in enumerate(sources.files, start=1):
        run.read(file)
        progress("read", done, len(sources.files))
    return run.end(strict)


class _Run:
    """Reads file after file, and keeps what belongs to a refused one apart."""

    def __init__(
        self, spool: Spool, titles: Titles, splits: bool, metadata: Mapping[str, MetadataValue],
        document_id: str, given: Given,
    ) -> None:  # fmt: skip
        self._spool = spool
        self._document_id = document_id
        self._given = given
        self._metadata = metadata
        self._splits = splits
        self._titles = titles
        self._problems = Problems()
        self._duplicates: list[Place] = []
        self._first: dict[str, SourceFile] = {}
        self._holders: defaultdict[str, set[str]] = defaultdict(set)
        self._refused_files: set[str] = set()
        self._refused_documents: set[str] = set()
        self._refuses_all = False
        self._sound: set[Path] = set()
        self._losses: dict[str, str] = {}

    def leave_out(self, refused: Iterable[InputError]) -> None:
        """Note what could not be looked at when the files were found."""
        for problem in refused:
            self._problems.add(problem)

    def note(self, notes: Iterable[str]) -> None:
        """Keep sentences on the sources for the report."""
        self._problems.guesses += notes

    def read(self, file: SourceFile) -> None:
        """Read one file."""
        self._sound.add(file.path)
        before, serious, documents = len(self._problems), self._serious(file), set[str]()
        noted, kept = len(self._problems.notes), 0
        for passage in self._passages(file):
            documents.add(passage.document_id)
            self._holders[passage.document_id].add(file.name)
            kept += word_count(passage.text)
            if not self._take(passage, file):
                break
        if len(self._problems) > before:
            self._sound.discard(file.path)
        if self._serious(file) == serious:
            if loss := loss_of(file.name, kept, self._problems.notes[noted:]):
                self._losses[file.name] = loss
            return
        self._refuse(file)
        self._refused_documents |= documents

    def end(self, strict: bool) -> Reading:
        """Take what was refused out of the spool, or refuse the run."""
        for document_id in sorted(self._refused_documents):
            self._spool.remove(document_id)
            if others := self._holders[document_id] - self._refused_files:
                why = f"a part of document {document_id!r} is in a file that was left out"
                what = f"{why}, so that the whole document was left out"
                self._problems.refuse(what, min(others), code="source.refused")
        is_empty = not self._spool.documents()
        if strict or self._refuses_all or is_empty:
            self._problems.raise_if_any(others=bool(self._sound) and not is_empty)
            if is_empty:
                raise InputError(
                    "the sources contain no passage; name files that do", code="source.empty"
                )
        return Reading(
            tuple(d for d in self._duplicates if d.document_id not in self._refused_documents),
            tuple(n for n in self._problems.notes if n.source not in self._refused_files),
            tuple(self._problems.told()),
            tuple(loss for name, loss in self._losses.items() if name not in self._refused_files),
            tuple(self._problems.guesses),
            {one.source: one for one in self._problems.choices},
        )

    def _serious(self, file: SourceFile) -> int:
        """Return how many problems there are so far that leave out files such as this one."""
        records = 0 if file.reader.whole_document else self._problems.of_records
        return len(self._problems) - records

    def _passages(self, file: SourceFile) -> Iterator[Passage]:
        """Yield the passages of a file; those of records, which are numbered, stay whole."""
        try:
            with refused_on_error(file.path):
                found = file.reader.read(file.path, file.name, self._problems)
                if self._document_id:
                    found = renamed(found, self._document_id)
                if file.reader.whole_document:
                    found = self._of_version(list(found), file)
                for passage in found:
                    if self._splits and file.reader.whole_document:
                        yield from split_long(passage)
                    else:
                        yield passage
        except InputError as error:
            self._problems.add(error)

    def _of_version(self, passages: list[Passage], file: SourceFile) -> Iterator[Passage]:
        """Return the passages of a file as those of a version, where it names one."""
        given, reader, commit = self._given, file.reader.name, file.committed
        if not passages:
            return iter(())
        found = identified(passages, file.path, given, reader, commit, self._document_id)
        passages = [without_version(one) for one in passages]
        if found is None:
            return iter(passages)
        if found.conflict:
            self._problems.guesses.append(found.conflict)
        return renamed(passages, self._spool.add_version(found))

    def _take(self, passage: Passage, file: SourceFile) -> bool:
        """Put a passage into the spool; return whether the file is worth reading on."""
        first = self._first.setdefault(passage.document_id, file)
        if first is not file and (first.reader.whole_document or file.reader.whole_document):
            self._problems.add(_second_file(passage.document_id, first, file))
            self._refuse(first)
            self._refuses_all |= not (first.reader.whole_document and file.reader.whole_document)
            return False
        earlier = self._spool.find(passage.id)
        if earlier is None:
            titled = self._titled(passage, file)
            self._spool.add(replace(titled, metadata={**titled.metadata, **self._metadata}))
        elif _same(earlier, passage):
            self._duplicates.append(Place.of(passage))
        else:
            self._problems.add(_contradiction(earlier, passage, file))
        return True

    def _refuse(self, file: SourceFile) -> None:
        self._refused_files.add(file.name)
        self._sound.discard(file.path)

    def _titled(self, passage: Passage, file: SourceFile) -> Passage:
        try:
            title = self._titles.find(self._spool.work_of(passage.document_id), file.path)
        except InputError as error:
            self._problems.add(error)
            self._refuses_all = True
            return passage
        return replace(passage, document_title=title) if title else passage


def loss_of(name: str, kept: int, notes: Sequence[Note]) -> str:
    """Return how much of a file's text is in no passage where that is a problem, or "".

    Args:
        name: of the file.
        kept: words in its passages.
        notes: what was left out of it.
    """
    if attached := sum(note.pieces for note in notes if note.reason == ATTACHED):
        files = "1 attached file was" if attached == 1 else f"{attached} attached files were"
        return f"{name}: {files} not read; save the attachments beside the mail and load them too"
    lost = sum(note.lost for note in notes)
    if lost <= MOST_LOST * (lost + kept):
        return ""
    why = max(notes, key=lambda note: note.lost).reason
    return (
        f"{name}: {lost / (lost + kept):.0%} of its words ({lost:,}) are in no "
        f"passage: {why}. The rest was loaded; check it with rirag structure"
    )


def _same(one: Passage, other: Passage) -> bool:
    return (one.document_id, one.passage_id, one.text) == (
        other.document_id, other.passage_id, other.text,
    )  # fmt: skip


def _second_file(document_id: str, other: SourceFile, file: SourceFile) -> InputError:
    return InputError(
        f"this file and {other.path} both contain document {document_id!r}, so both "
        "were left out; remove or rename one of them, or, in a text file, set another "
        "document_id in the front matter",
        file.path,
        code="source.duplicate-document",
    )


def _contradiction(earlier: Passage, passage: Passage, file: SourceFile) -> InputError:
    what = "text" if earlier.text != passage.text else "number"
    line = passage.source.rpartition(":")[2]
    return InputError(
        f"the ID {passage.id} names another {what} at {earlier.source}; give one of "
        "the two passages another ID",
        file.path,
        int(line) if line.isdigit() else None,
        code="source.duplicate-id",
    )

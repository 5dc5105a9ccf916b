"""Report what a load did, and what to check in the sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from indexer.load.sources import SkippedFile
from indexer.load.warnings import StructureWarning, WarningKind
from indexer.problems import Note
from search.engines.protocol import IndexDescription
from search.json_form import Record
from search.records import Passage

WARNING_NOUNS: dict[WarningKind, tuple[str, str]] = {
    "gap": ("gap in the numbers", "gaps in the numbers"),
    "jump": ("number out of order", "numbers out of order"),
    "orphan": ("number without its parent", "numbers without their parent"),
    "inside": ("number inside a passage", "numbers inside passages"),
    "long": ("very long passage", "very long passages"),
}
"""What the summary calls one and several of the warnings it counts."""

TOO_LONG = "longer than the encoder reads (their ends are found by words only)"
"""What is said of passages that the encoder cut off."""

FEW = 3
"""Documents with the most warnings of a kind that the summary names."""

SHOWN = 5
"""Places of each sort that the summary names; the JSON form has them all."""


@dataclass(frozen=True, slots=True)
class Place:
    """A passage as a report names it."""

    id: str
    document_id: str
    passage_id: str
    source: str
    """File and line."""

    @classmethod
    def of(cls, passage: Passage) -> Place:
        """Return the place of a passage."""
        return cls(passage.id, passage.document_id, passage.passage_id, passage.source)

    def __str__(self) -> str:
        return f"{self.document_id} {self.passage_id} ({self.source})"


@dataclass(frozen=True, slots=True)
class VersionReport(Record):
    """What a version of a work brought, against the one before it."""

    document_id: str
    version_id: str
    added: int
    changed: int
    repealed: int
    moved: int
    encoded: int
    """Texts that are new in the index."""
    reused: int
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        added = count(self.added, "rule")
        return (
            f"{self.document_id} {self.version_id}: {added} added, {self.changed:,} changed, "
            f"{self.repealed:,} repealed, {self.moved:,} moved; "
            f"{count(self.encoded, 'text')} encoded, {self.reused:,} reused"
        )


@dataclass(frozen=True, slots=True)
class Unencoded:
    """A passage that the encoder failed on; it is kept, and found by words only."""

    place: Place
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Gone:
    """A document of the index that is in none of the sources."""

    document_id: str
    source: str
    """The file that it came from, as its passages name it; empty: it was not looked up."""

    def __str__(self) -> str:
        return f"{self.document_id} ({self.source})" if self.source else self.document_id


@dataclass(frozen=True, slots=True)
class Namesakes:
    """Documents of the index with one title: often two versions of one document."""

    title: str
    document_ids: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.title} ({', '.join(self.document_ids)})"


@dataclass(frozen=True, slots=True)
class IngestReport(Record):
    """The result of `ingest`: figures of this run, and the index after it."""

    added: tuple[str, ...]
    """`document_id`s that were not in the index."""
    changed: tuple[str, ...]
    """`document_id`s that were replaced."""
    unchanged: tuple[str, ...]
    """`document_id`s that were already in the index unchanged."""
    passages: int
    """Passages read, without skipped duplicates."""
    empty: int
    """Passages without text: kept, found by their number only."""
    repeated: tuple[Place, ...]
    """Passages whose number occurred before in their document, each further one: kept."""
    duplicates: tuple[Place, ...]
    """Passages skipped because the same one, with the same `ID`, came before."""
    truncated: tuple[Place, ...]
    """Passages encoded in this run whose end the encoder cut off; BM25 finds it all the same."""
    unencoded: tuple[Unencoded, ...]
    """Passages that the encoder failed on, each with the reason: kept without a vector, and tried
    again by the next load."""
    encoded: int
    """Texts encoded in this run."""
    reused: int
    """Texts of added and changed documents whose vector was known, or was in a file of vectors."""
    left_out: tuple[Note, ...]
    """Text in no passage, by file and reason."""
    refused: tuple[str, ...]
    """Why files were left out, with file and line."""
    warnings: tuple[StructureWarning, ...]
    """Suspicious numbers or lengths of passages; `rirag structure` lists them all."""
    skipped: tuple[SkippedFile, ...]
    """Files of the folders that were not read."""
    seconds: float
    """Wall-clock time of the run."""
    index: IndexDescription
    """The index after the load."""
    losses: tuple[str, ...] = ()
    """Files that were loaded although much of their text is in no passage, and documents that no
    reader reads.
    """
    doubtful: tuple[str, ...] = ()
    """Documents with a low trust score, with the score and its reason."""
    gone: tuple[Gone, ...] = ()
    """Documents of the index that are in none of the source folders."""
    pruned: bool = False
    """Whether these were deleted."""
    unread: tuple[str, ...] = ()
    """Documents of this run in a language that the encoder hardly reads."""
    namesakes: tuple[Namesakes, ...] = ()
    """Documents of this run with the title of another document of the index."""
    not_in_force: Mapping[str, int] = field(default_factory=dict)
    """`document_id` → passages read of it that are past or future law, and left out of searches."""
    versions: tuple[VersionReport, ...] = ()
    """What each version of a work brought, in the order of the files."""
    guesses: tuple[str, ...] = ()
    """What was guessed of files (fields, encodings, front matter), what of their status was not
    understood, and which documents replaced one of another title: a sentence each."""

    def __str__(self) -> str:
        return self.summary()

    def summary(self) -> str:
        """Return a few lines for people."""
        documents = len(self.added) + len(self.changed) + len(self.unchanged)
        lines = [
            f"Read {count(self.passages, 'passage')} of {count(documents, 'document')} "
            f"in {self.seconds:.1f} s: {len(self.added):,} added, {len(self.changed):,} changed, "
            f"{len(self.unchanged):,} unchanged.",
            f"Encoded {count(self.encoded, 'text')}, reused {self.reused:,}.",
            *map(str, self.versions),
            *(
                f"{one.document_id} {one.version_id}: {what}."
                for one in self.versions
                for what in one.problems
            ),
        ]
        if self.empty:
            lines.append(f"{count(self.empty, 'passage')} without text: found by number only.")
        lines += listed(self.repeated, "with the number of an earlier one, both kept")
        lines += listed(self.duplicates, "given twice with the same ID, the second left out")
        lines += listed(self.truncated, TOO_LONG)
        lines += listed(self.unencoded, "that the encoder failed on, found by words only")
        if self.unread:
            lines.append(
                f"{count(len(self.unread), 'document')} in a language that the encoder hardly "
                f"reads ({', '.join(self.unread[:SHOWN])}{', …' if self.unread[SHOWN:] else ''}): "
                "ask about them in their own language and words."
            )
        lines += _gone_lines(self.gone, deleted=self.pruned)
        if self.namesakes:
            lines.append(
                f"Several documents have one title: {named(self.namesakes)}. Where one replaces "
                "another, delete the older one with rirag documents delete."
            )
        if self.not_in_force:
            where = [f"{name}: {number:,}" for name, number in self.not_in_force.items()]
            are = "is" if sum(self.not_in_force.values()) == 1 else "are"
            lines.append(
                f"{count(sum(self.not_in_force.values()), 'passage')} {are} not in force and left "
                f"out of searches ({named(where)}). Find them with --filter status=past or "
                "--filter status=future."
            )
        lines += guess_lines(self.guesses)
        lines += left_out_lines(self.left_out)
        lines += _warning_lines(self.warnings)
        # A file that looks like a document is a problem, and is told last.
        lines += [f"Skipped {one.path}: {one.reason}." for one in self.skipped if not one.document]
        if self.doubtful:
            lines.append(f"Check with rirag structure before use: {named(self.doubtful)}.")
        if self.refused:
            lines.append(f"{count(len(self.refused), 'problem')} in what was left out.")
        lines.append(
            f"{self.index.url} now holds {count(self.index.passages, 'passage')} of "
            f"{count(self.index.documents, 'document')}."
        )
        return "\n".join(lines)


def guess_lines(guesses: Sequence[str]) -> list[str]:
    """Return the lines that say what was guessed of files, and of how many more."""
    more = [f"… and {len(guesses) - SHOWN:,} more guesses."] if guesses[SHOWN:] else []
    return [*guesses[:SHOWN], *more]


def left_out_lines(notes: Sequence[Note]) -> list[str]:
    """Return the line that says how many words are in no passage, and why; none for none.

    The reasons with the most words come first; further ones than five are counted together.
    """
    if not notes:
        return []
    words: Counter[str] = Counter()
    for note in notes:
        words[note.reason] += note.words
    ordered = words.most_common()
    told = [f"{reason} ({count(number, 'word')})" for reason, number in ordered[:SHOWN]]
    if rest := ordered[SHOWN:]:
        number = sum(number for _, number in rest)
        told.append(f"{count(len(rest), 'other reason')} ({count(number, 'word')})")
    files = {note.source for note in notes}
    where = notes[0].source if len(files) == 1 else count(len(files), "file")
    return [f"Left out of {where}: {'; '.join(told)}."]


def _warning_lines(warnings: Sequence[StructureWarning]) -> list[str]:
    """Return the line that counts what looks wrong, and says what shows it; none for none.

    Repeated numbers have a line of their own.
    """
    told = []
    for kind, (one, several) in WARNING_NOUNS.items():
        documents = Counter(warning.document_id for warning in warnings if warning.kind == kind)
        if total := documents.total():
            where = [name for name, _ in documents.most_common()]
            more = ", …" if len(where) > FEW else ""
            noun = one if total == 1 else several
            told.append(f"{total:,} {noun} ({', '.join(where[:FEW])}{more})")
    return [f"Check with rirag structure: {'; '.join(told)}."] if told else []


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it must be."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _gone_lines(gone: Sequence[Gone], *, deleted: bool) -> list[str]:
    if not gone:
        return []
    if deleted:
        documents = count(len(gone), "document")
        return [f"Deleted {documents} that the sources do not contain: {named(gone)}."]
    are = "document that is" if len(gone) == 1 else "documents that are"
    return [
        (
            f"The index also contains {len(gone):,} {are} in none of these sources: "
            f"{named(gone)}. Searches find them; to delete them, load all sources with "
            "--prune."
        )
    ]


def listed(places: Sequence[object], what: str) -> list[str]:
    """Return the line that names the first of some passages; none for none."""
    return [f"{count(len(places), 'passage')} {what}: {named(places)}."] if places else []


def named(items: Sequence[object]) -> str:
    """Return the first `SHOWN` of some items, and how many more there are."""
    more = f"; and {len(items) - SHOWN:,} more" if len(items) > SHOWN else ""
    return "; ".join(map(str, items[:SHOWN])) + more

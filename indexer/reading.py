"""From files to the spool: every passage once, everything wrong told together."""

from __future__ import annotations

from dataclasses import dataclass, replace

from indexer.problems import Note, Problems
from indexer.progress import Progress, silent
from indexer.report import Place
from indexer.sources import SourceFile, Sources
from indexer.spool import Spool
from indexer.titles import Titles
from search.errors import InputError
from search.records import Passage


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found in the files and is not in the spool."""

    duplicates: tuple[Place, ...]
    """Passages that were skipped because the same ones came before."""
    left_out: tuple[Note, ...]
    """What readers put into no passage, by file and reason."""


def read_into(
    spool: Spool, sources: Sources, titles: Titles, progress: Progress = silent
) -> Reading:
    """Read the passages of all files into the spool; return what is not there, and why.

    Raises:
        InputError: something was refused; the message holds every problem of every file.
    """
    problems = Problems()
    duplicates: list[Place] = []
    whole: dict[str, SourceFile] = {}
    for done, file in enumerate(sources.files, start=1):
        for passage in file.reader.read(file.path, file.name, problems):
            if file.reader.whole_document:
                other = whole.setdefault(passage.document_id, file)
                if other is not file:
                    problems.add(_second_file(passage.document_id, other, file))
                    break
            earlier = spool.find(passage.id)
            if earlier is None:
                spool.add(_titled(passage, file, titles, problems))
            elif _same(earlier, passage):
                duplicates.append(Place.of(passage))
            else:
                problems.add(_contradiction(earlier, passage, file))
        progress("read", done, len(sources.files))
    problems.raise_if_any()
    if not spool.documents():
        raise InputError("the sources hold no passage; name files that hold some")
    return Reading(tuple(duplicates), tuple(problems.notes))


def _titled(passage: Passage, file: SourceFile, titles: Titles, problems: Problems) -> Passage:
    try:
        title = titles.find(passage.document_id, file.path)
    except InputError as error:
        problems.add(error)
        return passage
    return replace(passage, document_title=title) if title else passage


def _same(one: Passage, other: Passage) -> bool:
    return (one.document_id, one.passage_id, one.text) == (
        other.document_id, other.passage_id, other.text,
    )  # fmt: skip


def _second_file(document_id: str, other: SourceFile, file: SourceFile) -> InputError:
    return InputError(
        f"document {document_id!r} is already {other.path}; leave one of the two files out, or, "
        "in a text, put another document_id in the front matter",
        file.path,
    )


def _contradiction(earlier: Passage, passage: Passage, file: SourceFile) -> InputError:
    what = "text" if earlier.text != passage.text else "number"
    line = passage.source.rpartition(":")[2]
    return InputError(
        f"ID {passage.id} stands for another {what} at {earlier.source}; "
        "give one of the two passages another ID",
        file.path,
        int(line) if line.isdigit() else None,
    )

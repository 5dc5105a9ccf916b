"""Reading answers as `rirag ask --json` writes them, one or many."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rirag.inputs.json_records import read_records
from search.errors import InputError
from search.records import Passage

_NAMES = ("document_id", "passage_id", "document_title")
_MARKER = re.compile(r"\[(\d{1,6})\]")


@dataclass(frozen=True, slots=True)
class Cited:
    """A passage that an answer cites."""

    number: int
    id: str
    document_id: str = ""
    passage_id: str = ""
    document_title: str = ""
    breadcrumb: tuple[str, ...] = ()
    text: str | None = None
    """None: the file does not hold it."""
    quote: str = ""
    """The words of it that the answer rests on; empty: the file does not say."""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """An answer of a file."""

    question_id: str | None
    question: str
    text: str
    cited: tuple[Cited, ...]
    source: Path
    line: int
    """1-based, in its file."""
    insufficient_evidence: bool = False
    """Whether it says of itself that the evidence does not do."""
    mode: str = ""
    """How it was made; empty: the file does not say."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """`ID` → text of each passage that it was made from, best first."""
    found: tuple[str, ...] | None = None
    """`ID`s of all that the search found, best first; None: the file does not say."""

    @property
    def claims_nothing(self) -> bool:
        """Whether it is a refusal, which cites nothing, so that there is nothing to verify."""
        return self.insufficient_evidence and not (self.cited or _MARKER.search(self.text))


def read_answers(path: Path) -> list[AnswerRecord]:
    """Read a JSON object, a list of them, or one on each line."""
    answers = read_records(path, lambda record, line: answer_of(record, path, line))
    if not answers:
        message = "the file contains no answer; write one with: rirag ask --json"
        raise InputError(message, path, 1, code="file.invalid")
    return answers


def answer_of(value: Any, path: Path, line: int) -> AnswerRecord:
    """Check one record; a ValueError says what is wrong with it."""
    if not isinstance(value, Mapping) or not isinstance(value.get("Answer", 0), str | None):
        raise ValueError(
            'this is not an answer: it has no text "Answer"; write one with: rirag ask --json'
        )
    ids, texts = _texts(value, "RetrievedIDs"), _texts(value, "RetrievedPassages")
    if ids and len(ids) != len(texts):
        raise ValueError(
            f"RetrievedIDs has {len(ids)} entries, but RetrievedPassages has {len(texts)}."
        )
    ids = ids or [str(number) for number in range(1, len(texts) + 1)]
    if value.get("citations") is None:
        # Written by something else: the number of a citation is the place of its passage.
        places = enumerate(zip(ids, texts, strict=True), start=1)
        cited = [Cited(number, key, text=text) for number, (key, text) in places]
    else:
        known = dict(zip(ids, texts, strict=True))
        cited = [_cited(one, known) for one in _citations(value)]
    question, key = value.get("Question"), value.get("QuestionID")
    return AnswerRecord(
        None if key is None else str(key), question if isinstance(question, str) else "",
        value["Answer"] or "", tuple(dict.fromkeys(cited)), path, line,
        value.get("insufficient_evidence") is True, str(value.get("mode") or ""),
        dict(zip(ids, texts, strict=True)), _found(value.get("filter")),
    )  # fmt: skip


def _found(filtered: Any) -> tuple[str, ...] | None:
    """Return what the search found, as the record of the filter names it."""
    found = filtered.get("found") if isinstance(filtered, Mapping) else None
    return tuple(map(str, found)) if isinstance(found, list) else None


def _texts(value: Mapping[str, Any], name: str) -> list[str]:
    found = value.get(name) or []
    if name == "RetrievedPassages" and isinstance(found, str):
        found = [found]  # the reference of RePASs takes passages that are joined already
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError(f"{name} is not a list of texts.")
    return found


def _citations(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = value["citations"]
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise ValueError("citations is not a list of records.")
    return found


def _cited(one: Mapping[str, Any], known: Mapping[str, str]) -> Cited:
    marker = _MARKER.fullmatch(str(one.get("marker")))
    key = one.get("id")
    if marker is None or not isinstance(key, str):
        raise ValueError('a citation lacks a marker such as "[1]", or an id.')
    crumbs = one.get("breadcrumb")
    named = {name: str(one.get(name) or "") for name in _NAMES}
    breadcrumb = tuple(map(str, crumbs)) if isinstance(crumbs, list) else ()
    return Cited(
        int(marker[1]), key, text=known.get(key), breadcrumb=breadcrumb,
        quote=str(one.get("quote") or ""), **named,
    )  # fmt: skip


def passages_of(
    answer: AnswerRecord, index: Mapping[str, Passage] | None = None
) -> dict[int, Passage]:
    """Return number → passage of what an answer cites.

    Args:
        answer: of a file.
        index: passages by `ID`; what it lacks is not a passage any more. None: the file's own
        texts.
    """
    found = {}
    for one in answer.cited:
        if index is not None:
            if one.id in index:
                found[one.number] = index[one.id]
        elif one.text is None:
            message = (
                f"the file does not contain the passage of [{one.number}]; give the "
                "index that holds it with --index"
            )
            raise InputError(message, answer.source, answer.line, code="answer.invalid")
        else:
            found[one.number] = Passage(
                id=one.id, document_id=one.document_id, passage_id=one.passage_id, text=one.text,
                document_title=one.document_title, breadcrumb=one.breadcrumb,
            )  # fmt: skip
    return found

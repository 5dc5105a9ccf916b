"""Ratings that came back: from CSV, JSON and spreadsheets to one table."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rirag.files import read_text
from rirag_workbench.evaluation.csv_rows import csv_rows
from rirag_workbench.evaluation.study.form import CRITERIA, HIGHEST, LOWEST, RELEVANCE, KeyEntry
from rirag_workbench.evaluation.study.sheet import read_sheet
from search.errors import InputError

_PASSAGE = re.compile(r"\s*(\d+)\s*=\s*(.*?)\s*$")


@dataclass(frozen=True, slots=True)
class Rating:
    """What one person said of one answer."""

    rater: str
    item: str
    scores: Mapping[str, int]
    """Criterion → score; criteria left open are left out."""
    passages: Mapping[int, str]
    """Number of a passage → how it bears on the question."""


@dataclass(frozen=True, slots=True)
class Returned:
    """All ratings of a study."""

    ratings: tuple[Rating, ...]
    notes: tuple[str, ...]
    """What was left out, a sentence each."""


def read_key(path: Path) -> tuple[str, Mapping[str, KeyEntry]]:
    """Return the study that a key belongs to, and item → what was hidden."""
    try:
        found = json.loads(read_text(path))
        items = {name: KeyEntry(**entry) for name, entry in found["items"].items()}
        return str(found["study"]), items
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _invalid(
            "this file is not the key of a study; rirag study make writes it.", path
        ) from None


def read_returned(files: Sequence[Path], study: str, items: Mapping[str, KeyEntry]) -> Returned:
    """Read the files that raters sent back.

    Raises:
        InputError: a file is of another form or study, rated nothing, or rates otherwise than
            another file of the same rater.
    """
    by_rater: dict[str, dict[str, Rating]] = {}
    sources: dict[str, Path] = {}
    notes: list[str] = []
    for file in files:
        ratings = _of_file(file, study, items)
        rater = next(iter(ratings.values())).rater
        twin = next((name for name, known in by_rater.items() if _alike(known, ratings)), None)
        if twin is not None and len(ratings) > 1:
            notes.append(f"{file} holds the same ratings as {sources[twin]}; they count once")
            continue
        known = by_rater.setdefault(rater, {})
        for item, one in ratings.items():
            if known.setdefault(item, one) != one:
                raise _invalid(
                    f"{rater!r} scores {item!r} differently than in {sources[rater]}; "
                    "give two people two names.",
                    file,
                )
        sources.setdefault(rater, file)
    ratings_of_all = tuple(one for ours in by_rater.values() for one in ours.values())
    return Returned(ratings_of_all, tuple(notes))


def _alike(one: Mapping[str, Rating], other: Mapping[str, Rating]) -> bool:
    """Return whether two raters gave the same to the same, so that it is one file sent twice."""
    return one.keys() == other.keys() and all(
        one[item].scores == other[item].scores and one[item].passages == other[item].passages
        for item in one
    )


def _of_file(file: Path, study: str, items: Mapping[str, KeyEntry]) -> dict[str, Rating]:
    found: dict[str, Rating] = {}
    for line, row in _rows(file):
        rating = _rating(row, file, line)
        if str(row.get("study")) != study:
            raise _invalid(
                f"the file belongs to study {row.get('study')!r}, not {study!r}.", file, line
            )
        if rating.item not in items:
            raise _invalid(f"the study has no item {rating.item!r}.", file, line)
        if rating.scores or rating.passages:
            found[rating.item] = rating
    if not found:
        raise _invalid("the file has no ratings.", file)
    if len({one.rater for one in found.values()}) > 1:
        raise _invalid("the file holds ratings of several raters; give each rater a file.", file)
    return found


def _rows(file: Path) -> list[tuple[int, dict[str, Any]]]:
    if file.suffix.lower() == ".xlsx":
        return read_sheet(file)
    text = read_text(file)
    if text.lstrip().startswith("["):
        try:
            rows = json.loads(text)
        except ValueError as error:
            raise _invalid(f"this is not valid JSON: {error}.", file) from None
        if not all(isinstance(one, dict) for one in rows):
            raise _invalid("this file does not hold ratings.", file)
        return list(enumerate(rows, 1))
    if not all(name in text.partition("\n")[0] for name in ("study", "rater", "item")):
        raise _invalid("this file does not hold ratings: it has no study, rater and item.", file)
    return csv_rows(text, file, "evaluation.invalid")


def _rating(row: Mapping[str, Any], file: Path, line: int) -> Rating:
    rater = str(row.get("rater") or "").strip()
    scores: dict[str, int] = {}
    for name in CRITERIA:
        given = row.get(name)
        if given is None or str(given).strip() == "":
            continue
        try:
            value = float(given)
        except (TypeError, ValueError):
            value = -1
        if not (LOWEST <= value <= HIGHEST and value.is_integer()):
            message = f"{name} is {str(given)!r:.40}; it must be {LOWEST} to {HIGHEST}."
            raise _invalid(message, file, line)
        scores[name] = int(value)
    passages = _passages(str(row.get("passages") or ""), file, line)
    if (scores or passages) and not rater:
        raise _invalid("the rater has no name.", file, line)
    return Rating(rater, str(row.get("item")), scores, passages)


def _passages(text: str, file: Path, line: int) -> dict[int, str]:
    found: dict[int, str] = {}
    for part in filter(str.strip, text.split(";")):
        parsed = _PASSAGE.match(part)
        if parsed is None or (parsed[2] and parsed[2] not in RELEVANCE):
            known = ", ".join(RELEVANCE)
            raise _invalid(
                f"{part.strip()!r:.60} is not a number followed by one of {known}.", file, line
            )
        if parsed[2]:
            found[int(parsed[1])] = parsed[2]
    return found


def _invalid(message: str, file: Path, line: int | None = None) -> InputError:
    return InputError(message, file, line, code="evaluation.invalid")

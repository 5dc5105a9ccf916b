"""Answers as text for people, safe to print. Whatever shows an answer shows its `remarks`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from generation.text.labels import citation_label, distinct_labels, heading_label
from generation.text.phrases import DIFFER
from generation.text.sanitize import one_line
from search.records import InTime, Passage
from search.text.shortening import shortened

MOST_MISSING = 5
"""Obligations that are listed; the JSON form has all."""

LONGEST = 160
"""Characters of a statement that are shown."""


def verification_text(verification: Mapping[str, Any]) -> str:
    """Return how many statements are supported, each doubtful one with its reasons, what is
    left out, and what was done; safe to print; empty where there is no statement.

    Args:
        verification: its JSON form.
    """
    lines = [*verification["notes"]]
    if statements := verification["statements"]:
        doubtful = doubtful_in(verification)
        supported, end = len(statements) - len(doubtful), ":" if doubtful else "."
        counted = f"{supported} of {len(statements)} statements supported"
        lines.append(f"{counted}{_judged(verification)}{end}")
        lines += [
            f"- {one['verdict']}: “{_shortened(one['text'])}” {' '.join(one['reasons'])}"
            for one in doubtful
        ]
    return "\n".join(map(one_line_each, [*lines, *_missing(verification)]))


def doubtful_in(verification: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the statements of a verification, in its JSON form, that are not supported."""
    return [one for one in verification["statements"] if one["verdict"] != "supported"]


def _judged(verification: Mapping[str, Any]) -> str:
    count = sum(
        one["verdict"] == "supported" and "judge" in one["kinds"]
        for one in verification["statements"]
    )
    return f", {count} of them only by {verification['judge']}" if count else ""


def one_line_each(line: str) -> str:
    """Return a line that is safe to print; its indentation stays."""
    return line[: len(line) - len(line.lstrip())] + one_line(line)


def _missing(verification: Mapping[str, Any]) -> list[str]:
    missing = verification["missing_obligations"]
    if not missing:
        return []
    lines = [
        f"{len(missing)} of {verification['obligations']} obligations of the cited "
        "passages are missing from the answer:"
    ]
    # Items of one list begin alike, and may differ only behind what is shown.
    counts = Counter(f"- {one['citation']} {_shortened(one['text'])}" for one in missing)
    shown = list(counts.items())[:MOST_MISSING]
    lines += [line if count == 1 else f"{line} ({count} of its items)" for line, count in shown]
    more = len(missing) - sum(count for _, count in shown)
    return [*lines, f"- and {more} more; the JSON output lists all"] if more > 0 else lines


def _shortened(text: str) -> str:
    return shortened(" ".join(text.split()), LONGEST)


def sources_text(body: Mapping[str, Any]) -> str:
    """Return the list of sources of an answer, in its JSON form; empty without citations."""
    sources = {
        one["marker"]: Passage(
            one["id"], one["document_id"], one["passage_id"], "", one["document_title"],
            breadcrumb=tuple(one["breadcrumb"]),
        )
        for one in body["citations"]
    }  # fmt: skip
    times = {one["marker"]: InTime.from_json(one) for one in body["citations"]}
    labels = distinct_labels(sources.values())
    lines = []
    for marker, passage in sources.items():
        named = [citation_label(passage, labels[passage.document_id]), heading_label(passage)]
        one = times[marker]
        named += [one.status if one.status in ("past", "future") else "", one.days()]
        lines.append(f"{marker} " + ", ".join(filter(None, map(one_line, named))))
    day = law_day(body)
    said = f" (law as on {day})" if day[:1].isdecimal() else ""
    return "\n".join([f"Sources{said}:", *lines]) if lines else ""


def law_day(body: Mapping[str, Any]) -> str:
    """Return the `as_of` of an answer in its JSON form that cites a document with versions; empty:
    it cites none.
    """
    is_dated = any(one.get("version_id") for one in body["citations"])
    return str(body.get("as_of", "")) if is_dated else ""


def remarks(body: Mapping[str, Any]) -> list[str]:
    """Return what a reader must know of an answer in its JSON form, a paragraph each."""
    checked = body["verification"]
    chosen = [
        f"{one['name']}: {one['value']}" + (f" ({one['reason']})" if one["reason"] else "")
        for one in body["decisions"]
    ]
    warnings = [
        f"{one['message']}" + (f" “{one['statement']}”" if one["statement"] else "")
        for one in warnings_beside(body)
        if checked is None or not one["statement"]  # the verdict on the statement says it
    ]
    # A refusal gives its reason in its text.
    notes = [one for one in body.get("notes", ()) if one not in body["Answer"]]
    parts = [_listed("Chosen:", chosen), _listed("Take care:", warnings)]
    # What mode `extractive` quotes is in the words of its passages.
    if checked and (body["mode"] != "extractive" or doubtful_in(checked) or checked["notes"]):
        parts.append(verification_text(checked))
    return [part for part in (*parts, _listed("Notes:", notes)) if part]


def warnings_beside(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the warnings of an answer that its text does not give."""
    text = body["Answer"]
    shown = {"differing": DIFFER in text}
    return [one for one in body["warnings"] if not shown.get(one["kind"], one["message"] in text)]


def _listed(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"- {one_line(line)}" for line in lines)]) if lines else ""

"""Answers as text for people, safe to print. Whatever shows an answer shows its `remarks`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from generation.text.labels import citation_label, distinct_labels, heading_label
from generation.text.phrases import DIFFER
from generation.text.sanitize import one_line
from generation.verification_text import doubtful_in, verification_text
from search.records import Passage


def sources_text(body: Mapping[str, Any]) -> str:
    """Return the list of sources of an answer, in its JSON form; empty without citations."""
    sources = {
        one["marker"]: Passage(
            one["id"], one["document_id"], one["passage_id"], "", one["document_title"],
            breadcrumb=tuple(one["breadcrumb"]),
        )
        for one in body["citations"]
    }  # fmt: skip
    statuses = {one["marker"]: one.get("status", "") for one in body["citations"]}
    labels = distinct_labels(sources.values())
    lines = []
    for marker, passage in sources.items():
        named = [citation_label(passage, labels[passage.document_id]), heading_label(passage)]
        named.append(statuses[marker] if statuses[marker] in ("past", "future") else "")
        lines.append(f"{marker} " + ", ".join(filter(None, map(one_line, named))))
    return "\n".join(["Sources:", *lines]) if lines else ""


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

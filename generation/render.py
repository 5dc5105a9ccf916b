"""Answers as text for people; safe to print."""

from __future__ import annotations

from generation.records import Answer
from generation.text.labels import citation_label, distinct_labels, heading_label
from generation.text.sanitize import one_line, printable
from generation.verify.report import verification_text


def answer_text(answer: Answer) -> str:
    """Return an answer for a terminal: the text, its sources, and warnings."""
    made = (sources_text, decisions_text, warnings_text, checked_text)
    below = (make(answer) for make in made)
    return "\n\n".join(part for part in (printable(answer.text), *below) if part)


def sources_text(answer: Answer) -> str:
    """Return the list of sources, one line per number; empty without citations."""
    sources = answer.sources()
    labels = distinct_labels(sources.values())
    lines = []
    for number, passage in sources.items():
        named = [citation_label(passage, labels[passage.document_id]), heading_label(passage)]
        lines.append(f"[{number}] " + ", ".join(filter(None, map(one_line, named))))
    return "\n".join(["Sources:", *lines]) if lines else ""


def decisions_text(answer: Answer) -> str:
    """Return the decisions of the mode with their reasons, one line each; empty without any."""
    lines = []
    for one in answer.decisions:
        because = f" ({one_line(one.reason)})" if one.reason else ""
        lines.append(f"- {one.name}: {one_line(one.value)}{because}")
    return "\n".join(["Chosen:", *lines]) if lines else ""


def warnings_text(answer: Answer) -> str:
    """Return the warnings, one line each; empty without any.

    Those on single statements are told by `checked_text`, where the answer was verified.
    """
    lines = []
    for warning in answer.warnings:
        if answer.verification is not None and warning.statement:
            continue  # the verifier tells it with its verdict
        about = f" “{one_line(warning.statement)}”" if warning.statement else ""
        lines.append(f"- {one_line(warning.message)}{about}")
    return "\n".join(["Take care:", *lines]) if lines else ""


def checked_text(answer: Answer) -> str:
    """Return the result of the verification; empty if nothing was verified.

    What mode `extractive` quotes is the passages' own: nothing is said unless it is in doubt.
    """
    checked = answer.verification
    if checked is None or (answer.mode == "extractive" and not (checked.doubtful or checked.notes)):
        return ""
    return verification_text(checked)

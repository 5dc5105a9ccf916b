"""What the verifier found, for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from generation.text.sanitize import one_line
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
        lines += map(_doubtful, doubtful)
    return "\n".join(map(one_line_each, [*lines, *_missing(verification)]))


def doubtful_in(verification: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the statements of a verification, in its JSON form, that are not supported."""
    return [one for one in verification["statements"] if one["verdict"] != "supported"]


def _judged(verification: Mapping[str, Any]) -> str:
    """Say how many statements a judge alone supports; empty: none."""
    count = sum(
        one["verdict"] == "supported" and "judge" in one["kinds"]
        for one in verification["statements"]
    )
    return f", {count} of them only by {verification['judge']}" if count else ""


def one_line_each(line: str) -> str:
    """Return a line that is safe to print; its indentation stays."""
    return line[: len(line) - len(line.lstrip())] + one_line(line)


def _doubtful(one: Mapping[str, Any]) -> str:
    return f"- {one['verdict']}: “{_shortened(one['text'])}” {' '.join(one['reasons'])}"


def _missing(verification: Mapping[str, Any]) -> list[str]:
    missing = verification["missing_obligations"]
    if not missing:
        return []
    lines = [
        (
            f"{len(missing)} of {verification['obligations']} obligations of the cited "
            "passages are missing from the answer:"
        )
    ]
    # Items of one list begin alike, and may differ only behind what is shown.
    counts = Counter(f"- {one['citation']} {_shortened(one['text'])}" for one in missing)
    shown = list(counts.items())[:MOST_MISSING]
    lines += [line if count == 1 else f"{line} ({count} of its items)" for line, count in shown]
    more = len(missing) - sum(count for _, count in shown)
    return [*lines, f"- and {more} more; the JSON output lists all"] if more > 0 else lines


def _shortened(text: str) -> str:
    return shortened(" ".join(text.split()), LONGEST)

"""A stored answer as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from generation.render import warnings_beside
from rirag.reports.sheets.sheet import DUTY_COLUMNS, duties_of
from rirag.reports.sheets.sources import Source, sources_of
from rirag.server.pages.answer_text import VERDICTS, answer_html, verdicts_of
from rirag.server.pages.render import WORDS

if TYPE_CHECKING:
    from rirag.server.storage.answers import StoredAnswer


BY_MODEL = ("model", "verifier", "failure")
"""What refuses in words of its own; other refusals say why in their first paragraph, and the rest
of their text names the nearest passages."""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """Everything of an answer that is shown."""

    id: str
    question: str
    html: Markup
    sources: tuple[Source, ...]
    is_refusal: bool
    is_unsure: bool
    is_careful: bool
    """Whether provisions differ, or one is not in force."""
    refused: str
    """Why it is one, where the text does not say so itself."""
    checked: str
    nearest: list[dict[str, Any]]
    warnings: list[dict[str, Any]]
    missing: list[dict[str, Any]]
    duties: tuple[tuple[str, ...], ...]
    duty_columns: tuple[str, ...]
    also: list[dict[str, Any]]
    notes: list[str]
    index: dict[str, str]
    mode: str
    filters: dict[str, list[str]]
    created: str
    given: str


def view_of(answer: StoredAnswer) -> AnswerView:
    """Return an answer as the page shows it."""
    body = answer.body
    sources = sources_of(body, answer.passages)
    text = str(body["Answer"])
    is_refusal = bool(body["insufficient_evidence"])
    says_why_first = is_refusal and body["refused_by"] not in BY_MODEL
    verification = body.get("verification")
    also = list(body.get("also_found", ()))
    kinds = {one["kind"] for one in body["warnings"]}
    is_careful = not kinds.isdisjoint(("differing", "not-in-force"))
    is_unsure, is_quoted = body.get("state") == "unsure", body["mode"] == "extractive"
    named = {name: WORDS(f"verdict.{name}") for name in VERDICTS}
    if is_quoted:
        named["supported"] = WORDS("verdict.quoted")
    return AnswerView(
        id=answer.id,
        question=answer.question,
        html=answer_html(
            text.partition("\n\n")[0] if says_why_first else text,
            frozenset(source.number for source in sources),
            [
                one
                for one in verdicts_of(text, verification)
                if one.verdict != "supported" or not (is_unsure or "not-in-force" in kinds)
            ],
            named,
        ),
        sources=tuple(sources),
        is_refusal=is_refusal,
        is_unsure=is_unsure,
        is_careful=is_careful,
        refused=WORDS.either(f"ask.refused_by.{body['refused_by']}", ""),
        checked=_checked(verification, is_unsure, "quoted" if is_quoted else "checked"),
        nearest=also[:5] if is_refusal else [],
        warnings=warnings_beside(body),
        missing=[
            {"number": int(one["citation"].strip("[]")), "text": one["text"]}
            for one in (verification or {}).get("missing_obligations", ())
        ],
        duties=duties_of(body),
        duty_columns=DUTY_COLUMNS,
        also=also,
        notes=[*body["notes"], *(verification or {}).get("notes", ())],
        index=body["index"],
        mode=str(body["mode"]),
        filters=body["filters"],
        created=answer.created,
        given=answer.given,
    )


def _checked(verification: Any, is_unsure: bool, how: str) -> str:
    statements = (verification or {}).get("statements", ())
    if is_unsure or not statements:
        return WORDS("ask.unsure" if is_unsure else "ask.unchecked")
    supported = sum(one["verdict"] == "supported" for one in statements)
    return WORDS(f"ask.{how}", supported=supported, total=len(statements))

"""Juniors: each reads only its parts, reports, and quotes; what it quotes is looked up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generation.delegate.desk import JUNIOR, Desk
from generation.delegate.legal_trace import Finding, Quote, Step
from generation.delegate.outline import sizes
from generation.delegate.parts import MissingPart, Part
from generation.llm.protocol import Completion, Message, Prompt, ReplySchema, prompt_tokens_estimate
from generation.llm.schemas import INTEGER, TEXT, list_of, read_json, strict_object
from generation.statements.quotes import Quoted, hidden_negation, missing_runs
from generation.text.citation_styles import defused, unified
from generation.text.fence import without_marks
from generation.text.labels import number_label
from generation.text.markup import without_markup
from generation.text.sanitize import one_line, printable
from generation.verify.compare.sources import Source
from search.errors import LLMError
from search.records import Passage

FINDING = ReplySchema(
    "finding",
    strict_object(
        conclusion=TEXT,
        finding=TEXT,
        quotes=list_of(strict_object(passage=INTEGER, words=TEXT)),
        missing=list_of(TEXT),
    ),
)
"""The shape of a report."""

MOST_CHARACTERS = 6000
"""Of a finding: a page and a half; what is longer is not a report of one task."""
MOST_PARTS = 30
"""Names of parts in one task; who needs more should name a range or make two tasks."""
MOST_PARTS_LISTED = 12
"""Smaller parts that are named where a part is too long."""
_NO_SHAPE = "The report did not have the requested format; it was used as written."


@dataclass(frozen=True, slots=True)
class Assignment:
    """A task with everything its junior sees, ready to be asked."""

    task: Step
    prompt: Prompt
    passages: tuple[Passage, ...]


def assign(desk: Desk, task: Step) -> Assignment | str:
    """Return the assignment of a task, or a sentence on what the master has to change."""
    if not task.parts:
        return "A junior sees nothing but its parts; name at least one part to read."
    if len(task.parts) > MOST_PARTS:
        return f"The task names {len(task.parts)} parts; name at most {MOST_PARTS}, or ranges."
    found = [one for name in task.parts for one in desk.shelf.finder.find(name, task.document)]
    missing = [one.problem for one in found if isinstance(one, MissingPart)]
    if missing:
        return " ".join(missing)
    parts = [one for one in found if isinstance(one, Part)]
    unique = {passage.id: passage for part in parts for passage in part.passages}
    with_text = tuple(passage for passage in unique.values() if passage.text.strip())
    # Headings are above the passages below them, so they are read with these.
    readable = tuple(passage for passage in with_text if passage.kind != "heading") or with_text
    if not readable:
        return "These parts have no text; name others."
    room = desk.room(JUNIOR)
    prompt = _prompt(desk, task, readable) if sizes(readable) <= room else None
    if prompt is None or prompt_tokens_estimate(prompt) > room:
        return _too_long(parts, room)
    return Assignment(task, prompt, readable)


def finding_of(desk: Desk, assignment: Assignment, reply: Completion | LLMError) -> Finding:
    """Return what a junior reported, its quotations and citations checked."""
    task = assignment.task
    named = tuple(f"[{desk.shelf.number(p)}] {label(desk, p)}" for p in assignment.passages)
    blank = Finding(0, task.title, task.task, task.parts, task.document, named)
    if isinstance(reply, LLMError):
        return replace(blank, problem=f"The junior did not report: {reply}")
    done = replace(
        blank,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        seconds=reply.seconds,
        cost=reply.cost,
    )
    try:
        report = read_json(reply.text, FINDING.schema)
    except LLMError:
        text = _clean(desk, reply.text, assignment.passages)
        return replace(done, conclusion=text.split("\n")[0][:400], text=text, problem=_NO_SHAPE)
    return replace(
        done,
        conclusion=_clean(desk, report["conclusion"], assignment.passages),
        text=_clean(desk, report["finding"], assignment.passages),
        quotes=tuple(_quotes(desk, report["quotes"], assignment.passages)),
        missing=tuple(one_line(part)[:200] for part in report["missing"]),
    )


def report_text(finding: Finding) -> str:
    """Return a finding as the master reads it; quotations that are not in the source are gone."""
    if not finding.is_done:
        return f"Not carried out. {finding.problem}"
    quotes = [f"- [{q.number}] “{q.words}”" for q in finding.quotes if q.is_exact]
    lost = len(finding.quotes) - len(quotes)
    lines = [f"Conclusion: {finding.conclusion}", finding.text, *quotes]
    if lost:
        lines.append(f"({lost} quotations were removed: the passages do not contain these words.)")
    if finding.missing:
        lines.append(f"Also needs to be read: {'; '.join(finding.missing)}")
    return "\n".join(filter(None, lines))


def label(desk: Desk, passage: Passage) -> str:
    """Return document and number of a passage, as models and readers see it."""
    return f"{desk.shelf.name(passage.document_id)} {number_label(passage.passage_id)}"


def shown_passages(desk: Desk, passages: Iterable[Passage]) -> str:
    """Return passages between their marks, each under its number in this answer."""
    return "\n\n".join(
        desk.fence.passage(
            desk.shelf.number(passage),
            ", ".join([label(desk, passage), *passage.breadcrumb[-2:]]),
            passage.text,
        )
        for passage in passages
    )


def _prompt(desk: Desk, task: Step, passages: Sequence[Passage]) -> Prompt:
    user = desk.render(
        "junior-user",
        passages=shown_passages(desk, passages),
        question=desk.question(),
        task=desk.fence.material("task", task.task),
    )
    return desk.prompt([desk.system("junior"), Message("user", user)], JUNIOR, FINDING)


def _too_long(parts: Sequence[Part], room: int) -> str:
    told = []
    for part in parts:
        first = part.passages[0]
        inner = [one for one in part.passages[1:] if one.parent == first.id or one.depth <= 1]
        named = "; ".join(f"{one.passage_id}" for one in inner[:MOST_PARTS_LISTED])
        hint = f" It has: {named}." if named else ""
        told.append(f"{part.name!r} has about {sizes(part.passages):,} tokens.{hint}")
    return (
        f"These parts are too long for one junior, who can read about {room:,} tokens: delegate "
        f"smaller parts, or fewer at a time. {' '.join(told)}"
    )


def _clean(desk: Desk, text: str, passages: Sequence[Passage]) -> str:
    """Return a junior's words, fit to be shown; it can cite only what it has read."""
    known = {str(desk.shelf.number(passage)) for passage in passages}
    plain = without_markup(without_marks(printable(text), desk.fence.code))
    pieces = unified(plain[:MOST_CHARACTERS]).split("[")
    kept = [pieces[0]]
    for piece in pieces[1:]:
        number, closing, rest = piece.partition("]")
        is_foreign = bool(closing) and number.isdecimal() and number not in known
        kept.append(f"({number}){rest}" if is_foreign else f"[{piece}")
    return "".join(kept).strip()


def _quotes(
    desk: Desk, found: Sequence[Mapping[str, Any]], passages: Sequence[Passage]
) -> Iterable[Quote]:
    by_number = {desk.shelf.number(passage): passage for passage in passages}
    for one in found:
        passage, words = by_number.get(one["passage"]), defused(one_line(one["words"]))
        if passage is None or not words:
            continue
        yield Quote(one["passage"], passage.passage_id, words, _is_exact(words, passage))


def _is_exact(words: str, passage: Passage) -> bool:
    quoted, texts = Quoted(words, 0, len(words)), [Source(0, passage).folded]
    is_there = bool(quoted.runs) and not missing_runs(quoted, texts)
    return is_there and not hidden_negation(quoted, texts)

"""Runs a mode and verifies its draft: the last steps of every answer."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from generation.insufficient import refusal
from generation.llm.calls import Ask, Asked, Replied
from generation.mode import Draft, Request, Steps
from generation.records import Citation
from generation.text.citation_styles import unified
from generation.verification import MissingObligation, Verification
from generation.verify.checks.found_sources import with_found_sources
from generation.verify.checks.support import Checked
from generation.verify.compare.sources import Source
from generation.verify.dropping import without
from generation.verify.judges.judging import ask
from generation.verify.judges.llm import judge_by_llm
from generation.verify.rewriting import rewritten
from generation.verify.verifying import check_statements, verification_of
from search.errors import LLMError

PUT_BACK = "The cited passages also require:"
"""What comes before the obligations that an answer left out."""

_NOTHING_LEFT = "no statement of the answer was supported by the passages that it cites."

MOST_PUT_BACK = 150
"""Words of obligations that are put back; further ones are only listed."""


@dataclass(frozen=True)
class _Examined:
    """A draft with what was found of its statements."""

    draft: Draft
    """Its citations unified."""
    checked: Sequence[Checked]
    sources: Mapping[int, Source]
    judge: str
    notes: tuple[str, ...] = ()

    @cached_property
    def verification(self) -> Verification:
        return verification_of(self.checked, self.sources, self.judge, *self.notes)

    @property
    def supported(self) -> int:
        return sum(one.verdict == "supported" for one in self.checked)


def verified(steps: Steps, request: Request) -> Steps:
    """Run the steps of a mode and add the verification to its draft.

    Where only supported statements may stay, nothing is streamed before they are known, statements
    that cite nothing get the passage that supports them, a language model rewrites the answer once,
    and what is still not supported is dropped.
    """
    strict = request.settings.verify.require_supported
    draft = yield from (_held_back(steps) if strict else steps)
    if draft.insufficient_evidence:
        return draft
    draft = with_found_sources(draft) if strict else draft
    examined = yield from _examined(draft, request)
    if not strict:
        found = examined.verification
        quoted = draft.citations if draft.extract else _quoted(draft, found)
        return replace(draft, verification=found, citations=quoted)
    if request.limits is not None and draft.citations and _is_lacking(examined):
        examined = yield from _rewritten(examined, request)
    left = _without_doubtful(examined)
    if not left.checked:
        told = Verification((), judge=left.judge, notes=left.notes)
        return replace(refusal(_NOTHING_LEFT, "verifier", request.hits), verification=told)
    if request.limits is not None:
        left = _put_back(left, request)
    return replace(left.draft, verification=left.verification)


def _quoted(draft: Draft, found: Verification) -> tuple[Citation, ...]:
    """Return the citations; without a quote where no statement rests on the passage."""
    carried = [one.citations for one in found.statements if one.verdict != "unsupported"]
    kept = {number for numbers in carried for number in numbers}
    return tuple(one if one.number in kept else replace(one, quote="") for one in draft.citations)


def _held_back(steps: Steps) -> Steps:
    """Run steps with no reply streamed."""
    try:
        asked = next(steps)
        while True:
            try:
                replied = yield _silent(asked)
            except LLMError as error:
                asked = steps.throw(error)
            else:
                asked = steps.send(replied)
    except StopIteration as done:
        draft: Draft = done.value
        return draft


def _silent(asked: Asked) -> Asked:
    if isinstance(asked, Ask):
        return replace(asked, final=False)
    return tuple(replace(one, final=False) for one in asked)


def _examined(draft: Draft, request: Request) -> Generator[Asked, Replied, _Examined]:
    settings = request.settings.verify
    sources = {one.number: Source(one.number, one.passage) for one in draft.citations}
    checked = check_statements(draft.text, sources, request.question)
    judge, problem = "", ""
    if settings.llm_judges and request.limits is not None:
        judge, problem = yield from judge_by_llm(checked, request)
    elif settings.judge is not None:
        judge, problem = ask(checked, settings.judge)
    draft = replace(draft, text=unified(draft.text))
    return _Examined(draft, checked, sources, judge, (problem,) if problem else ())


def _is_lacking(examined: _Examined) -> bool:
    found = examined.verification
    return bool(found.doubtful or found.missing)


def _rewritten(examined: _Examined, request: Request) -> Generator[Asked, Replied, _Examined]:
    """Return the answer rewritten if that made it better, else as it was."""
    before = examined.verification
    draft, problem = yield from rewritten(examined.draft, before, request)
    if draft is None:
        return replace(examined, notes=(*examined.notes, problem))
    after = yield from _examined(draft, request)
    if _goodness(after.verification) <= _goodness(before):
        note = "The answer was rewritten once without improvement; the first version is kept."
        return replace(examined, notes=(*examined.notes, note))
    note = (
        f"The answer was rewritten once: {_counted(len(before.doubtful), 'statement')} not "
        f"supported, {_counted(len(before.missing), 'obligation')} missing."
    )
    return replace(after, notes=(note, *after.notes))


def _goodness(found: Verification) -> tuple[float, int]:
    """Return what is compared of two answers: the share that is supported, then completeness."""
    return found.score or 0.0, -len(found.missing)


def _without_doubtful(examined: _Examined) -> _Examined:
    """Drop what is not supported."""
    doubtful = [one for one in examined.checked if one.verdict != "supported"]
    if not doubtful:
        return examined
    kept = [one for one in examined.checked if one.verdict == "supported"]
    numbers = {number for one in kept for number in one.spoken.citations}
    draft, count = examined.draft, len(doubtful)
    draft = replace(
        draft,
        text=without(draft.text, [one.check() for one in doubtful]),
        citations=tuple(one for one in draft.citations if one.number in numbers),
        warnings=tuple(one for one in draft.warnings if not one.statement),
    )
    whose = "the cited passages do not support " + ("it" if count == 1 else "them")
    note = f"{_counted(count, 'statement')} dropped: {whose}."
    return replace(examined, draft=draft, checked=kept, notes=(*examined.notes, note))


def _put_back(examined: _Examined, request: Request) -> _Examined:
    """Quote the obligations that are still missing from the passages that are relied on."""
    chosen: list[MissingObligation] = []
    room = MOST_PUT_BACK
    for missing in examined.verification.missing:
        words = len(missing.text.split())
        if words <= room:
            chosen.append(missing)
            room -= words
    if not chosen:
        return examined
    added = "\n".join(f"- “{one.text}” [{one.number}]" for one in chosen)
    before = f"{examined.draft.text.rstrip()}\n\n{PUT_BACK}\n"
    checked = [
        replace(one, spoken=one.spoken.moved(len(before)))
        for one in check_statements(added, examined.sources, request.question)
    ]
    note = f"{_counted(len(chosen), 'missing obligation')} added as quotations."
    return replace(
        examined,
        draft=replace(examined.draft, text=before + added),
        checked=[*examined.checked, *checked],
        notes=(*examined.notes, note),
    )


def _counted(count: int, what: str) -> str:
    return f"{count} {what} was" if count == 1 else f"{count} {what}s were"

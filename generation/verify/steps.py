"""Runs a mode and verifies its draft: the last steps of every answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from generation.insufficient import refusal
from generation.llm.calls import Ask, Asked, Replied, completion_of
from generation.llm.exchanges import exchange_all
from generation.llm.protocol import LLM, Prompt, prompt_tokens_estimate
from generation.llm.roles import DEFAULT_ROLE, Cast
from generation.mode import Draft, Request, Steps
from generation.prompts.passages import Frame, passage_name
from generation.records import AnswerWarning, Citation
from generation.replies.drafts import cleaned
from generation.replies.trailing_refusal import with_content, without_closing
from generation.settings import AnswerSettings
from generation.statements.answers import Spoken, statements_in
from generation.text.citation_styles import MARKER, unified
from generation.text.fence import Fence
from generation.verification import MissingObligation, StatementCheck, Verification
from generation.verify.checks.citations import citations_in
from generation.verify.checks.support import Checked, check_statement
from generation.verify.compare.sources import Source
from generation.verify.judges.judging import ask
from generation.verify.judges.llm import judge_by_llm
from generation.verify.margins import JUDGES
from generation.verify.verifying import check_statements, sources_of, verification_of
from search.errors import LLMError
from search.records import Passage

PUT_BACK = "The cited passages also require:"
"""What comes before the obligations that an answer left out."""

_NOTHING_LEFT = "no statement of the answer was supported by the passages that it cites."


@dataclass(frozen=True)
class _Examined:
    draft: Draft
    """Its citations unified."""
    checked: Sequence[Checked]
    sources: Mapping[int, Source]
    judge: str
    notes: tuple[str, ...] = ()

    @cached_property
    def verification(self) -> Verification:
        return verification_of(self.checked, self.sources, self.judge, *self.notes)


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
    before = examined.verification
    if request.limits is not None and draft.citations and (before.doubtful or before.missing):
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
    return found.score or 0.0, -len(found.missing)


def _without_doubtful(examined: _Examined) -> _Examined:
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
    room = JUDGES.put_back
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


ADDED = (
    "added where the language model gave none and the words of the passage support the statement."
)


def with_found_sources(draft: Draft) -> Draft:
    """Return a draft with a citation behind each statement that has none of its own and a source.

    A passage is the source if the verifier finds that its words support the statement; of several,
    the one that holds most of them. Small models cite once where they rest on a passage throughout;
    numbers that a whole list shares are put behind each item that they support.
    """
    sources = {number: Source(number, passage) for number, passage in draft.given.items()}
    before = text = unified(draft.text)
    lacking: list[Spoken] = []
    for spoken in reversed(statements_in(before)):
        own = bool(spoken.citations) and not spoken.shared
        number = 0 if own else _source_of(spoken, sources)
        if number:
            text = _with_number(text, spoken, number)
            lacking += [] if spoken.citations else [spoken]
    if text == before:
        return draft
    return replace(
        draft,
        text=text,
        citations=citations_in(text, draft.given),
        warnings=_warnings(draft, lacking),
    )


def _warnings(draft: Draft, lacking: Sequence[Spoken]) -> tuple[AnswerWarning, ...]:
    if not lacking:
        return draft.warnings
    told = "A citation was" if len(lacking) == 1 else f"{len(lacking)} citations were"
    cited = {"", *(spoken.text for spoken in lacking)}  # "", the answer as a whole
    left = [one for one in draft.warnings if one.kind != "uncited" or one.statement not in cited]
    return (*left, AnswerWarning("added", f"{told} {ADDED}"))


def _source_of(spoken: Spoken, sources: Mapping[int, Source]) -> int:
    shares = {}
    for number, source in sources.items():
        checked = check_statement(replace(spoken, citations=(number,)), {number: source}, "")
        if checked.verdict == "supported":
            shares[number] = checked.share
    return max(shares, key=lambda number: (shares[number], -number), default=0)


def _with_number(text: str, spoken: Spoken, number: int) -> str:
    said = text[spoken.start : spoken.end].rstrip()
    behind = text[spoken.start + len(said) :]
    row = said.startswith("|") and said.endswith("|")
    marked = f"{said[:-1].rstrip()} [{number}] |" if row else f"{said} [{number}]"
    return text[: spoken.start] + marked + behind


def rewritten(
    draft: Draft, verification: Verification, request: Request
) -> Generator[Asked, Replied, tuple[Draft | None, str]]:
    """Ask for a repaired answer.

    Return the repaired draft, None if there is none; and why, as a sentence.
    """
    fence, limits = Fence(), request.limits_of("")
    prompt = _prompt(draft, verification, request, fence)
    if prompt_tokens_estimate(prompt) + prompt.max_tokens > limits.context:
        return None, "The answer was not rewritten: it does not fit the model's context again."
    try:
        reply = completion_of((yield Ask("rewrite", prompt, final=False)))
        text, warnings = cleaned(reply, fence.code)
        text, contradicted = without_closing(text)
        warnings += contradicted
    except LLMError as error:
        return None, f"The answer was not rewritten: {error}"
    citations = citations_in(text, {one.number: one.passage for one in draft.citations})
    if not citations:
        return None, "The answer was not rewritten: the new version cites nothing."
    told = tuple(warning for warning in draft.warnings if not warning.statement)
    return replace(draft, text=text, citations=citations, warnings=(*told, *warnings)), ""


def _prompt(draft: Draft, verification: Verification, request: Request, fence: Fence) -> Prompt:
    passages = {one.number: one.passage for one in draft.citations}
    blocks = [
        fence.passage(number, passage_name(passage), passage.text)
        for number, passage in passages.items()
    ]
    more = {
        "answer": fence.cited("answer", draft.text),
        "problems": fence.cited("list", _problems(verification)),
    }
    limits, texts = request.limits_of(""), request.settings.prompts
    return Frame("rewrite", request.question, limits, fence, texts, more=more).prompt(blocks)


def _problems(verification: Verification) -> str:
    lines = []
    for one in verification.doubtful:
        reasons = " ".join(finding.message for finding in one.findings)
        lines.append(f"- Not supported: {one.text} ({reasons})")
    for missing in verification.missing[: JUDGES.missing]:
        lines.append(f"- Missing, from passage {missing.number}: {missing.text}")
    return "\n".join(lines)


_EMPTY = re.compile(
    rf"(?>[ \t]*)(?:(?:[-*•]|\d{{1,3}}[.)])(?>[ \t]*))?(?>(?:{MARKER.pattern}[ \t]*)*)[.]?[ \t]*"
)


def without(text: str, statements: Sequence[StatementCheck]) -> str:
    """Return an answer without some of its statements.

    Bullets that are left with nothing go too, and so do introductions and headings that introduce
    nothing any more.
    """
    kept, place = [], 0
    for one in sorted(statements, key=lambda one: one.start):
        kept.append(text[place : one.start])
        place = max(place, one.end)
    lines = [line.rstrip() for line in "".join([*kept, text[place:]]).split("\n")]
    left = [line for line in lines if not line or not _EMPTY.fullmatch(line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(with_content(left))).strip()


async def verify_by_llm(
    text: str,
    passages: Mapping[int, Passage],
    question: str,
    llm: LLM,
    settings: AnswerSettings | None = None,
) -> Verification:
    """Check an answer as `generation.verify.verify` does, with a language model as the judge.

    Args:
        text: the answer.
        passages: number of a citation → its passage.
        question: its numbers and terms may be repeated without a source.
        llm: the judge.
        settings: prompts of the user's own, and how many calls run at a time.

    Raises:
        LLMError: the model cannot be reached.
    """
    settings, sources = settings or AnswerSettings(), sources_of(passages)
    cast = Cast.of("verify", llm)
    limits = (await cast.limits())[DEFAULT_ROLE]
    checked = await asyncio.to_thread(check_statements, text, sources, question)
    judging = judge_by_llm(checked, Request(question, (), settings, limits=limits))
    try:
        made = await exchange_all(next(judging), cast, settings.calls_at_once)
        judging.send(tuple(one.reply for one in made))  # it asks once, so this ends it
    except StopIteration as done:
        judge, problem = done.value
    return await asyncio.to_thread(verification_of, checked, sources, judge, problem)

"""From the reply of a model to a draft: cleaned, its citations mapped, what is doubtful flagged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from generation.insufficient import refusal
from generation.llm.looping import says_something
from generation.llm.protocol import Completion, Finish
from generation.mode import Draft
from generation.prompts.passages import Context
from generation.records import AnswerWarning
from generation.replies.own_sources import without_own_sources
from generation.replies.trailing_refusal import says_nothing, without_closing
from generation.statements.answers import Spoken, sentences_in
from generation.text.citation_styles import cited_numbers, unified, with_round_brackets
from generation.text.fence import without_marks
from generation.text.markup import without_markup
from generation.text.named_citations import with_numbers
from generation.text.sanitize import printable
from generation.verify.checks.citations import check_citations, citations_in
from search.errors import LLMError
from search.records import Hit, Passage

_ENDINGS = {
    "cut": "The connection broke before the answer was complete{}; the received part is kept.",
    "late": (
        "The time limit of the reply ended before the answer was complete; the received "
        "part is kept."
    ),
    "length": "The answer reached the limit of reply tokens and is incomplete.",
    "filtered": "The server's content filter cut the answer{}.",
    "unknown": "The server ended the answer for an unknown reason{}; it may be incomplete.",
}
"""Why a reply is not whole; the server's own words go between the braces."""
_LEAKED = (
    "The reply repeated markers of its prompt; they were removed. Check this answer carefully."
)


def draft_of(completion: Completion, context: Context, hits: Sequence[Hit] = ()) -> Draft:
    """Return the checked draft of an answer that was written from passages.

    The hits are named as a hint where the model finds no answer in them.
    """
    text, warnings = cleaned(completion, context.code, context.passages)
    read = "\n".join(message.content for message in context.prompt.messages)
    text = with_round_brackets(text, len(context.passages), read)
    text, contradicted = without_closing(with_numbers(text, context.passages))
    warnings = [*context.warnings, *warnings, *contradicted]
    if says_nothing(text):
        count = len(context.passages)
        given = "the passage found does" if count == 1 else f"the {count} passages found do"
        reason = f"the language model says that {given} not answer this question."
        return replace(refusal(reason, "model", hits), warnings=tuple(warnings))
    passages = dict(enumerate(context.passages, start=1))
    warnings += check_citations(text, passages)
    if not cited_numbers(text):
        warnings.append(AnswerWarning("uncited", "The answer cites no passage."))
    return Draft(text, citations_in(text, passages), tuple(warnings), given=passages)


def cleaned(
    completion: Completion, code: str = "", passages: Sequence[Passage] = ()
) -> tuple[str, list[AnswerWarning]]:
    """Return the text of a reply, fit to be shown anywhere, and warnings on how it came.

    Its citations by number are written one way, and what it says over and over is there once.

    Raises:
        LLMError: nothing is left of it.
    """
    text, warnings = printable(completion.text), []
    if completion.finish in _ENDINGS:
        words = f" ({printable(completion.ended)})" if completion.ended else ""
        warnings.append(AnswerWarning("cut", _ENDINGS[completion.finish].format(words)))
    if code and code in text:
        warnings.append(AnswerWarning("leaked", _LEAKED))
        text = without_marks(text, code)
    text = without_own_sources(unified(without_markup(text).strip()), passages)
    text, repeated = without_repetitions(text)
    if not text:
        raise LLMError(
            f"The language model {completion.model!r} returned only markers of its "
            "prompt; ask again, or use another model."
        )
    if repeated or completion.finish == "looped":
        warnings.append(AnswerWarning("repeated", _repeated(repeated, completion.finish)))
    return text, warnings


def _repeated(count: int, finish: Finish) -> str:
    ended = ", and its reply was stopped, so it may be incomplete"
    again = "1 sentence" if count == 1 else f"{count} sentences"
    shown = f": {again} that it repeated {'is' if count == 1 else 'are'} shown once"
    loop = f"{shown if count else ''}{ended if finish == 'looped' else ''}"
    return f"The language model repeated itself{loop}."


LONGEST_ROUND = 40
"""Sentences of one round, about a page; whoever repeats more has no loop."""

_SPACE_BEHIND = re.compile(r"\s*$")


def without_repetitions(text: str) -> tuple[str, int]:
    """Return a text in which nothing is said again behind itself, and how many sentences went.

    A last round that the model did not bring to its end goes too.
    """
    sentences = sentences_in(text)
    said = [" ".join(one.text.casefold().split()) for one in sentences]
    kept = _kept(said)
    if len(kept) == len(said):
        return text, 0
    starts = _starts(text, sentences)
    pieces = [text[: starts[0]]]
    staying = set(kept)
    for place, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True)):
        piece = text[start:end]
        if place in staying:
            pieces.append(piece)
        else:
            pieces[-1] = _ending_as(pieces[-1], piece)
    return "".join(pieces).strip(), len(said) - len(kept)


def _kept(said: Sequence[str]) -> list[int]:
    kept: list[int] = []
    loop: tuple[int, int] | None = None
    for place in range(len(said)):
        kept.append(place)
        if length := _round_at_end(said, kept):
            del kept[-length:]
            loop = len(kept), length
    if loop is not None and _is_unfinished(said, kept, *loop):
        del kept[loop[0] :]
    return kept


def _round_at_end(said: Sequence[str], kept: Sequence[int]) -> int:
    """Return of how many sentences the round is that just came for the second time; 0: none did."""
    for length in range(1, min(LONGEST_ROUND, len(kept) // 2) + 1):
        if said[kept[-1]] != said[kept[-1 - length]]:
            continue
        last = [said[place] for place in kept[-length:]]
        if last == [said[place] for place in kept[-2 * length : -length]]:
            return length if says_something(last) else 0
    return 0


def _is_unfinished(said: Sequence[str], kept: Sequence[int], end: int, length: int) -> bool:
    *whole, last = [said[place] for place in kept[end:]] or [""]
    expected = [said[place] for place in kept[end - length : end]]
    is_short = bool(last) and len(whole) < length
    return is_short and whole == expected[: len(whole)] and expected[len(whole)].startswith(last)


def _starts(text: str, sentences: Sequence[Spoken]) -> list[int]:
    starts, before = [], 0
    for one in sentences:
        line = text.rfind("\n", before, one.start) + 1
        starts.append(line or one.start)
        before = one.end
    return starts


def _ending_as(kept: str, dropped: str) -> str:
    """Return a piece that ends as the one behind it did, where that ended a paragraph."""
    here, behind = (_SPACE_BEHIND.search(piece) for piece in (kept, dropped))
    if here is None or behind is None or here[0].count("\n") >= behind[0].count("\n"):
        return kept
    return kept[: here.start()] + behind[0]

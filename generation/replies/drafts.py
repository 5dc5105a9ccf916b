"""From the reply of a model to a draft: cleaned, its citations mapped, what is doubtful flagged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generation.insufficient import refusal
from generation.llm.protocol import Completion, Finish
from generation.mode import Draft
from generation.prompts.passages import Context
from generation.records import AnswerWarning
from generation.replies.loops import without_repetitions
from generation.replies.no_answer import says_nothing
from generation.replies.own_sources import without_own_sources
from generation.replies.trailing_refusal import without_closing
from generation.text.citation_styles import cited_numbers, unified, with_round_brackets
from generation.text.citations import check_citations, citations_in
from generation.text.fence import without_marks
from generation.text.markup import without_markup
from generation.text.named_citations import with_numbers
from generation.text.sanitize import printable
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

    Args:
        completion: the reply.
        context: what the model was given.
        hits: named as a hint where the model finds no answer in them.
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

    Args:
        completion: the reply.
        code: of the fence in its prompt; empty: there was none.
        passages: in its prompt.

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
    """Return the sentence on a model that ran in a loop."""
    ended = ", and its reply was stopped, so it may be incomplete"
    again = "1 sentence" if count == 1 else f"{count} sentences"
    shown = f": {again} that it repeated {'is' if count == 1 else 'are'} shown once"
    loop = f"{shown if count else ''}{ended if finish == 'looped' else ''}"
    return f"The language model repeated itself{loop}."

"""Mode `rag`: a language model integrates the obligations of the passages into one answer.

The role follows RIRAG, section 5.2: a compliance assistant that writes a single answer from all
passages. The wording is in `generation/prompts/rag-system.txt` and `rag-user.txt`.
"""

from __future__ import annotations

from generation.citations import check_citations, cited_numbers, normalise
from generation.context import Context, fit_passages
from generation.llm import Completion
from generation.modes.protocol import Ask, Draft, Request, Steps
from generation.records import AnswerWarning, Citation
from generation.support import supporting_quote
from search.errors import LLMError

NOTHING_FOUND = "INSUFFICIENT EVIDENCE"
"""What the prompt tells the model to write when the passages do not bear on the question."""

_NOTHING_FOUND_TEXT = (
    "The passages found do not answer this question. The model that read them states no "
    "obligation that bears on it."
)
_ENDINGS = {
    "cut": "The connection broke before the answer was complete; what came is kept.",
    "length": "The answer reached the limit of reply tokens and is not complete.",
    "filtered": "The server's content filter cut the answer.",
}


class Rag:
    """One prompt with all passages, one cited answer."""

    name = "rag"
    needs_llm = True

    def steps(self, request: Request) -> Steps:
        """Ask once, then check what came."""
        if request.limits is None:
            raise LLMError("Mode rag needs a language model; name its server and model.")
        context = fit_passages(request.question, request.hits, request.limits)
        completion = yield Ask("answer", context.prompt)
        return draft_of(completion, context)


def draft_of(completion: Completion, context: Context) -> Draft:
    """Return the checked draft: citations normalised and mapped, everything doubtful flagged."""
    text = normalise(completion.text.strip())
    warnings = list(context.warnings)
    if completion.finish in _ENDINGS:
        warnings.append(AnswerWarning("cut", _ENDINGS[completion.finish]))
    if text.strip("*_#. \n").upper() == NOTHING_FOUND:
        return Draft(_NOTHING_FOUND_TEXT, (), tuple(warnings), insufficient_evidence=True)
    known = range(1, len(context.passages) + 1)
    warnings += check_citations(text, known)
    if not cited_numbers(text):
        warnings.append(AnswerWarning("uncited", "The answer cites no passage at all."))
    citations = tuple(
        Citation(number, passage, supporting_quote(text, number, passage.text))
        for number, passage in enumerate(context.passages, start=1)
        if number in cited_numbers(text)
    )
    return Draft(text, citations, tuple(warnings))

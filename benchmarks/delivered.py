"""What is delivered when only supported statements may be: quotations and numbers of the source.

The check knows nothing of the verifier: it looks for each quotation and each number, as they stand,
in the passage that the answer was written from, without the lines that only mark its tables.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from benchmarks.verifier_cases import Case
from generation import AnswerSettings, FilterSettings, Limits, answer
from generation.llm.protocol import Completion, OnText, Prompt
from generation.text.markup import without_marks
from generation.verify.settings import VerifySettings
from search.records import Hit, RetrieverScore, Scores

_STRICT = AnswerSettings(
    filter=FilterSettings(max_drop=1, min_score=0, min_answerable=0),
    verify=VerifySettings(require_supported=True),
)
_CITATION = re.compile(r"\[\d+\]")
_QUOTATION = re.compile(r"“([^”]+)”")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Stubborn:
    """A model that writes the same text whatever it is asked."""

    text: str

    async def limits_async(self) -> Limits:
        """Return a usual context."""
        return Limits(context=65_536, reply=4096)

    async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Return the text."""
        del prompt, on_text
        return Completion(self.text, "stubborn")


def delivered(case: Case) -> str:
    """Return what a reader gets of a statement that a model insists on."""
    hit = Hit(1, 1.0, Scores(RetrieverScore(1.0, 1.0, 1)), case.passage)
    made = answer("What applies?", [hit], mode="rag", settings=_STRICT, llm=Stubborn(case.text))
    return "" if made.insufficient_evidence else made.text


def foreign(text: str, case: Case) -> list[str]:
    """Return the quotations and numbers of a text that are not in the passage or its number."""
    plain = _plain(_CITATION.sub("", text))
    source = _plain(f"{case.passage.passage_id} {without_marks(case.passage.text)}")
    numbers = set(_NUMBER.findall(source))
    pieces = [piece.strip() for one in _QUOTATION.findall(plain) for piece in one.split("[…]")]
    quotations = [piece for piece in pieces if piece not in source]
    return quotations + [one for one in _NUMBER.findall(plain) if one not in numbers]


def _plain(text: str) -> str:
    """Return a text without marks that nobody sees, its white space folded."""
    visible = "".join(one for one in text if unicodedata.category(one) != "Cf")
    return " ".join(visible.split())

"""Comparing two files of answers, question by question: which answer a judge calls better.

Judges favour the answer that they read first. So each pair is judged twice, in both orders, and an
answer is better only if both verdicts say so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from string import Template
from typing import Literal, get_args

from generation.llm.protocol import LLM, Message, Prompt, ReplySchema
from generation.llm.schemas import TEXT, strict_object
from generation.text.fence import Fence
from rirag.inputs.answer_records import AnswerRecord
from rirag.progress import Progress
from rirag_workbench.evaluation.cache import Cache, key_of
from rirag_workbench.evaluation.judge.judging import LASTING
from rirag_workbench.evaluation.judge.rubric import REPLY_TOKENS, shipped
from rirag_workbench.evaluation.statistics import compare_values
from rirag_workbench.refusals import unusable
from rirag_workbench.reports.tables import Table, counted, to_text
from search.errors import LLMError
from search.json_form import Record

SCHEMA = ReplySchema(
    "preference",
    strict_object(reason=TEXT, better={"type": "string", "enum": ["A", "B", "equal"]}),
)

Verdict = Literal["better", "worse", "equal", "inconsistent"]
"""How an answer is beside the other one; inconsistent: it depends on the order."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two answers to a question."""

    question: str
    reference: str
    """The official answer."""
    first: str
    second: str


Prefer = Callable[[Pair], str]
"""Returns `A` for the first answer, `B` for the second, or `equal`.

Raises:
    LLMError: there is no usable reply.
"""


@dataclass(frozen=True, slots=True)
class Preferences(Record):
    """What a judge said of all pairs."""

    verdicts: Mapping[str, Verdict]
    """question → how the answer of the first file is."""
    failed: int = 0
    """Questions without a usable reply."""
    unpaired: int = 0
    """Answers of the first file without an answer of the other, or without an official one."""

    json_form = "pairs counts.* p_value failed unpaired per_question=verdicts"

    @property
    def pairs(self) -> int:
        """How many pairs got a verdict."""
        return len(self.verdicts)

    @property
    def counts(self) -> dict[str, int]:
        """How many pairs got each verdict."""
        given = list(self.verdicts.values())
        return {verdict: given.count(verdict) for verdict in get_args(Verdict)}

    @property
    def p_value(self) -> float:
        """Of a paired randomisation test between better and worse, two-sided."""
        ours = {key: float(one == "better") for key, one in self.verdicts.items()}
        others = {key: float(one == "worse") for key, one in self.verdicts.items()}
        return compare_values("preferred", ours, others).p_value


def preferring(llm: LLM, model: str, cache: Cache) -> Prefer:
    """Return what asks a language model, or the cache where it was asked before."""

    fence = Fence()

    def prefer(pair: Pair) -> str:
        key = key_of(model, [shipped("pairwise.txt")], tuple(asdict(pair).values()))
        return str(cache.reply(key, llm, prompt_for(pair, fence))["better"])

    return prefer


def prompt_for(pair: Pair, fence: Fence) -> Prompt:
    """Return the prompt that asks which of two answers is better."""
    parts = {
        "question": pair.question, "official answer": pair.reference,
        "answer A": pair.first, "answer B": pair.second,
    }  # fmt: skip
    shown = "\n".join(fence.cited(name, text) for name, text in parts.items())
    system = Template(shipped("pairwise.txt")).substitute(code=fence.code)
    messages = (Message("system", system), Message("user", shown))
    return Prompt(messages, REPLY_TOKENS, schema=SCHEMA)


def judge_pairs(
    answers: Sequence[AnswerRecord],
    others: Sequence[AnswerRecord],
    references: Mapping[str, str],
    prefer: Prefer,
    progress: Progress = lambda: None,
) -> Preferences:
    """Judge the answers of a file beside those of another, each pair in both orders."""
    rivals = {one.question_id: one for one in others}
    pairs: dict[str, Pair] = {}
    for one in answers:
        key, rival = one.question_id or "", rivals.get(one.question_id)
        if rival is not None and key in references:
            question = one.question or rival.question
            pairs[key] = Pair(question, references[key], one.text, rival.text)
    if not pairs:
        raise unusable("evaluation.invalid/no-pair")
    verdicts: dict[str, Verdict] = {}
    failures: list[LLMError] = []
    for key, pair in pairs.items():
        swapped = Pair(pair.question, pair.reference, pair.second, pair.first)
        try:
            verdicts[key] = _verdict(prefer(pair), prefer(swapped))
        except LLMError as error:
            if error.code in LASTING:
                raise
            failures.append(error)
        progress()
    if not verdicts:
        raise failures[-1]
    return Preferences(verdicts, len(failures), len(answers) - len(pairs))


def _verdict(said: str, swapped: str) -> Verdict:
    verdicts: Mapping[tuple[str, str], Verdict] = {
        ("A", "B"): "better", ("B", "A"): "worse", ("equal", "equal"): "equal",
    }  # fmt: skip
    return verdicts.get((said, swapped), "inconsistent")


def to_table(found: Preferences) -> str:
    """Return lines to read."""
    table = Table("pairs judged in both orders", ("pairs",), list(found.counts.items()))
    p_value = f"p = {found.p_value:.4f} (paired randomisation test, better against worse)"
    counts = {
        "pairs without a usable reply": found.failed,
        "answers without an answer in the other file or an official answer": found.unpaired,
    }
    return to_text([table], after=[p_value], notes=counted(counts))

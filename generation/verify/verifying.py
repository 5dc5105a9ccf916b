"""The verifier: from an answer and its passages to a verdict on every statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from generation.text.citation_styles import unified
from generation.verify.checks.coverage import missing_obligations
from generation.verify.checks.support import Checked, check_statement
from generation.verify.compare.folding import folded
from generation.verify.compare.languages import is_english
from generation.verify.compare.sources import Source
from generation.verify.compare.statements import statements_in
from generation.verify.judges.judging import Judge, ask
from generation.verify.records import Verification
from search.errors import InputError
from search.records import Passage

if TYPE_CHECKING:
    from generation.llm.protocol import LLM


def verify(
    text: str, passages: Mapping[int, Passage], question: str = "", judge: Judge | None = None
) -> Verification:
    """Check every statement of an answer against the passages that it cites.

    Args:
        text: the answer; citations in any of the usual styles.
        passages: number of a citation → its passage; a number that is not here is no citation.
        question: its numbers and terms may be repeated without a source.
        judge: asked about the statements whose words decide nothing; None: they stay in doubt.

    Raises:
        InputError: `text` is no text, or `passages` no mapping from numbers to passages.
    """
    sources = _sources(passages)
    checked = check_statements(text, sources, question)
    name, problem = ask(checked, judge) if judge is not None else ("", "")
    return verification_of(checked, sources, name, problem)


def verify_by_llm(
    text: str,
    passages: Mapping[int, Passage],
    question: str,
    llm: LLM,
    prompts: Mapping[str, str] | None = None,
    calls_at_once: int = 4,
) -> Verification:
    """Check an answer as `verify` does, with a language model as the judge.

    `prompts` are the user's own by name, and `calls_at_once` bounds the calls that run at a time,
    both as in `generation.AnswerSettings`.
    """
    from generation.llm.exchanges import exchange_all
    from generation.llm.roles import Cast
    from generation.mode import Request
    from generation.settings import AnswerSettings
    from generation.verify.judges.llm import judge_by_llm

    sources = _sources(passages)
    checked = check_statements(text, sources, question)
    settings = AnswerSettings(prompts=prompts or {}, calls_at_once=calls_at_once)
    cast = Cast.of("verify", llm)
    steps = judge_by_llm(checked, Request(question, (), settings, limits=llm.limits()))
    try:
        asked = next(steps)
        while True:
            made = exchange_all(asked, cast, settings.calls_at_once)
            asked = steps.send(tuple(one.reply for one in made))
    except StopIteration as done:
        judge, problem = done.value
    return verification_of(checked, sources, judge, problem)


def _sources(passages: Mapping[int, Passage]) -> dict[int, Source]:
    if not isinstance(passages, Mapping):
        raise InputError(
            "the passages must be a mapping from the numbers of citations, such as {1: passage}, "
            f"not {passages!r:.80}"
        )
    for number, passage in passages.items():
        if not isinstance(number, int) or not isinstance(passage, Passage):
            raise InputError(
                "the passages must be a mapping from whole numbers to search.Passage, and have "
                f"{number!r}: {passage!r:.80}"
            )
    return {number: Source(number, passage) for number, passage in passages.items()}


def check_statements(text: str, sources: Mapping[int, Source], question: str) -> list[Checked]:
    """Check the statements by their words alone."""
    if not isinstance(text, str):
        raise InputError(f"the answer must be a text, such as `answer(…).text`, not {text!r:.80}")
    asked = folded(question)
    return [check_statement(one, sources, asked) for one in statements_in(unified(text))]


def verification_of(
    checked: Sequence[Checked], sources: Mapping[int, Source], judge: str, *notes: str
) -> Verification:
    """Return the record of what was checked, with the obligations that are left out.

    Args:
        checked: the statements.
        sources: number of a citation → the passage.
        judge: what judged besides the words; empty: nothing did.
        notes: what was done, and what went wrong; empty ones are none.
    """
    said = [(one.spoken.text, one.spoken.citations) for one in checked]
    cited = dict.fromkeys(number for _, numbers in said for number in numbers)
    there = [sources[number] for number in cited if number in sources]
    count, missing = missing_obligations(said, there)
    told = tuple(filter(None, (*notes, _unread(checked))))
    return Verification(tuple(one.check() for one in checked), count, missing, judge, told)


def _unread(checked: Sequence[Checked]) -> str:
    """Return what was not checked because its words are known in English alone; empty: nothing."""
    compared = (window.source for one in checked for window in one.windows)
    foreign = sorted({source.number for source in compared if not is_english(source.folded)})
    if not foreign:
        return ""
    numbers = "".join(f"[{number}]" for number in foreign)
    return (
        f"{numbers} {'is' if len(foreign) == 1 else 'are'} not in English: whether a negation, a "
        "unit or a word of obligation was changed was not checked."
    )

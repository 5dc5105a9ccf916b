"""The verifier: from an answer and its passages to a verdict on every statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generation.statements.answers import statements_in
from generation.statements.words import folded
from generation.text.citation_styles import unified
from generation.verification import Verification
from generation.verify.checks.coverage import missing_obligations
from generation.verify.checks.support import Checked, check_statement
from generation.verify.compare.sources import Source
from generation.verify.judges.judging import Judge, ask
from search.errors import InputError
from search.records import Passage
from search.text.languages import english


def verify(
    text: str, passages: Mapping[int, Passage], question: str = "", judge: Judge | None = None
) -> Verification:
    """Check every statement of an answer against the passages that it cites.

    Args:
        text: the answer; citations in any of the usual styles.
        passages: number of a citation → its passage; a number that is not here is not a citation.
        question: its numbers and terms may be repeated without a source.
        judge: asked about the statements whose words decide nothing; None: they stay in doubt.

    Raises:
        InputError: `text` is not text, or `passages` not a mapping from numbers to passages.
    """
    sources = sources_of(passages)
    checked = check_statements(text, sources, question)
    name, problem = ask(checked, judge) if judge is not None else ("", "")
    return verification_of(checked, sources, name, problem)


def sources_of(passages: Mapping[int, Passage]) -> dict[int, Source]:
    """Return number of a citation → its source; what is not a passage is an `InputError`."""
    if not isinstance(passages, Mapping):
        raise InputError(
            "the passages must be a mapping from citation numbers, such as {1: "
            f"passage}}, not {passages!r:.80}",
            code="argument.invalid",
        )
    for number, passage in passages.items():
        if not isinstance(number, int) or not isinstance(passage, Passage):
            raise InputError(
                "the passages must map whole numbers to search.Passage, but contain "
                f"{number!r}: {passage!r:.80}",
                code="argument.invalid",
            )
    return {number: Source(number, passage) for number, passage in passages.items()}


def check_statements(text: str, sources: Mapping[int, Source], question: str) -> list[Checked]:
    """Check the statements by their words alone."""
    if not isinstance(text, str):
        raise InputError(
            f"the answer must be a text, such as `answer(…).text`, not {text!r:.80}",
            code="argument.invalid",
        )
    asked, said = folded(question), statements_in(unified(text))
    claims = ["", *(folded(one.claim) for one in said), ""]
    return [
        check_statement(one, sources, asked, f"{before} {behind}")
        for one, before, behind in zip(said, claims, claims[2:], strict=False)
    ]


def verification_of(
    checked: Sequence[Checked], sources: Mapping[int, Source], judge: str, *notes: str
) -> Verification:
    """Return the record of what was checked, with the obligations that are left out."""
    said = [(one.spoken.text, one.spoken.citations) for one in checked]
    cited = dict.fromkeys(number for _, numbers in said for number in numbers)
    there = [sources[number] for number in cited if number in sources]
    count, missing = missing_obligations(said, there)
    told = tuple(filter(None, (*notes, _unread(checked))))
    return Verification(tuple(one.check() for one in checked), count, missing, judge, told)


def _unread(checked: Sequence[Checked]) -> str:
    """Return what was not checked because its words are known in English alone; empty: nothing."""
    compared = (window.source for one in checked for window in one.windows)
    foreign = sorted({source.number for source in compared if english(source.folded) is False})
    if not foreign:
        return ""
    numbers = "".join(f"[{number}]" for number in foreign)
    return (
        f"{numbers} {'is' if len(foreign) == 1 else 'are'} not in English, so changed "
        "negations, units and obligations were not checked."
    )

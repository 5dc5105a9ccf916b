"""The benchmark of discourse counts what it says."""

from __future__ import annotations

from benchmarks.discourse import figures
from generation.filter import FilterResult, FilterSettings
from generation.records import Answer, Citation
from search.records import Passage


def quoting(text: str, quote: str, number: str = "4.1.(1)") -> Answer:
    cited = Citation(1, Passage(number, "3", number, quote), quote)
    return Answer("Q?", text, "extractive", FilterResult((), "", 0, FilterSettings()), (cited,))


def counts(*answers: Answer) -> list[float]:
    return [one.value for one in figures(answers)]


def test_each_kind_of_break_is_counted_once_for_an_answer() -> None:
    whole = "A Fund must report each loss."
    assert counts(quoting(f"“{whole}” [1]", whole)) == [1, 0, 0, 0]
    leaning = quoting("“A Fund reports. […] It also tells the board.” [1]", whole)
    absent = quoting("“Subject to (2), a Fund reports.” [1]", "Subject to (2), a Fund reports.")
    pointer = quoting("“This Chapter sets out duties.” [1]", "This Chapter sets out duties.")
    assert counts(leaning, absent, pointer) == [3, 1, 1, 1]


def test_a_sub_paragraph_that_is_shown_is_not_absent() -> None:
    own = "Subject to (2), a Fund reports. (2) A loss is small."
    assert counts(quoting(own, own)) == [1, 0, 0, 0]
    assert counts(quoting("x [1]", "Subject to (2), a Fund reports.", "4.1.(2)"))[2] == 0

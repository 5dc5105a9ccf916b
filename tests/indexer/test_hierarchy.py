"""The tree of a document, from its numbers."""

from __future__ import annotations

import pytest
from effort import lines_run

from indexer.hierarchy.tree import arrange
from search.records import Passage


def document(*lines: tuple[str, str]) -> list[Passage]:
    return [Passage(f"id{i}", "7", number, text) for i, (number, text) in enumerate(lines)]


def by_number(passages: list[Passage]) -> dict[str, Passage]:
    return {passage.passage_id: passage for passage in reversed(passages)}


def test_parent_is_the_nearest_number_that_exists():
    tree = by_number(arrange(document(("1.", "SCOPE"), ("1.1.1", "A."), ("1.1.1.(2)", "B."))))
    assert tree["1."].parent is None
    assert tree["1.1.1"].parent == tree["1."].id
    assert tree["1.1.1.(2)"].parent == tree["1.1.1"].id
    assert [tree[n].depth for n in ("1.", "1.1.1", "1.1.1.(2)")] == [1, 3, 4]


def test_breadcrumb_names_number_and_heading_of_each_ancestor():
    tree = by_number(arrange(document(
        ("Part 1", "General"), ("Part 1.2.", "A Firm must act fairly."), ("Part 1.2.(1)", "So."),
    )))  # fmt: skip
    assert tree["Part 1.2.(1)"].breadcrumb == ("Part 1 General", "Part 1.2.")


def test_a_chapter_stands_above_the_numbers_that_begin_with_its_own():
    tree = by_number(arrange(document(
        ("Chapter 3", "Fees"), ("3.1", "A fee is a sum."), ("3.1.1", "Pay."), ("4.1", "None."),
    )))  # fmt: skip
    assert tree["3.1"].parent == tree["Chapter 3"].id
    assert tree["3.1.1"].breadcrumb == ("Chapter 3 Fees", "3.1")
    assert tree["4.1"].parent is None


def test_a_parent_may_stand_below_its_child():
    child, parent = arrange(document(("1.1", "A."), ("1", "Late")))
    assert child.parent == parent.id
    assert child.breadcrumb == ("1 Late",)


def test_of_repeated_numbers_the_first_is_the_parent_and_none_is_its_own():
    passages = arrange(document(("1", "A"), ("1", "B"), ("1.1", "C.")))
    assert [passage.parent for passage in passages] == [None, None, "id0"]


def test_order_and_title_are_set():
    passages = arrange(document(("1", "A"), ("2", "B")), title="Rules")
    assert [(p.order, p.document_title) for p in passages] == [(0, "Rules"), (1, "Rules")]


def test_numbers_without_segments_have_no_place_in_the_tree():
    passages = arrange(document(("", "A."), ("…", "B."), ("1", "C.")))
    assert [(p.parent, p.depth) for p in passages] == [(None, 0), (None, 0), (None, 1)]


@pytest.mark.parametrize(
    ("number", "text", "kind"),
    [
        ("1", "SCOPE", "heading"),
        ("1.1", "", "heading"),
        ("1.1.1", "A Firm must keep records.", "rule"),
        ("1.1.1.Guidance", "", "guidance"),
        ("1.1.1.Guidance.1.", "Records may be kept on paper.", "guidance"),
        ("1.2", "“Client” means a Person that is served.", "definition"),
        ("1.3", "Fees are:\n\\Table Start\n1\t2\n\\Table End", "table"),
        ("1.4", "Scheme:\n/Figure Start\nbox\n/Figure End", "figure"),
        ("1.5", "[Deleted]", "rule"),
        ("Definitions", "Terms have the meaning of the Act.", "definition"),
        ("9", "TRANSITIONAL RULES", "heading"),
    ],
)
def test_kind_follows_number_and_text(number, text, kind):
    passages = document(
        ("1", "SCOPE"), ("1.1", ""), ("1.1.1", "A Firm must keep records."), ("1.1.1.Guidance", ""),
        ("1.1.1.Guidance.1.", "Records may be kept on paper."), (number, text),
    )  # fmt: skip
    assert by_number(arrange(passages))[number].kind == kind


def test_a_kind_that_the_reader_knows_is_kept():
    (passage,) = arrange([Passage("a", "7", "1", "Note.", kind="footnote")])
    assert passage.kind == "footnote"


def test_effort_grows_with_the_passages_only():
    def effort(chapters: range) -> int:
        passages = document(*((f"{c}.{r}", "A.") for c in chapters for r in range(10)))
        return lines_run(lambda: arrange(passages))

    # No chapter twice: how its number reads would be remembered.
    effort(range(100))
    assert effort(range(1000, 1400)) < 1.1 * 8 * effort(range(100, 150))


def test_a_parent_that_the_reader_gives_counts_where_the_number_tells_none():
    passages = arrange([
        Passage("c", "7", "Title I.Chapter 1", "SCOPE"),
        Passage("a", "7", "Article 5", "Lamps", parent="c"),
        Passage("p", "7", "Article 5(1)", "Lamps shine.", parent="a"),
    ])  # fmt: skip
    assert [passage.parent for passage in passages] == [None, "c", "a"]
    assert passages[2].breadcrumb == ("Title I.Chapter 1 SCOPE", "Article 5 Lamps")
    assert passages[0].kind == "heading"


def test_a_given_parent_that_stands_later_or_nowhere_does_not_count():
    passages = arrange([
        Passage("a", "7", "1", "One.", parent="b"),
        Passage("b", "7", "1.1", "Two.", parent="a"),
        Passage("c", "7", "1.2", "Three.", parent="unknown"),
    ])  # fmt: skip
    assert [passage.parent for passage in passages] == [None, "a", "a"]

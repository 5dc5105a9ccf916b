"""Passages that are shown together are told apart."""

from dataclasses import replace

from search.provisions.citations import distinct_citations
from search.records import Passage

OLD, NEW, OTHER = (
    Passage(f"{name}-1", name, "1.1", "Report.", document_title=title)
    for name, title in (("con-2023", "Conduct"), ("con-2024", "Conduct"), ("fee", "Fees"))
)


def test_a_passage_is_cited_by_title_and_number() -> None:
    assert distinct_citations([OLD, OTHER, OLD]) == ["Conduct 1.1", "Fees 1.1", "Conduct 1.1"]


def test_documents_of_one_title_are_told_apart_by_their_ids() -> None:
    cited = distinct_citations([OLD, NEW, OTHER])
    assert cited == ["Conduct 1.1 (con-2023)", "Conduct 1.1 (con-2024)", "Fees 1.1"]


def test_a_part_of_a_long_passage_says_which_it_is() -> None:
    parts = [replace(OTHER, metadata={"part": f"{n} of 2"}) for n in (1, 2)]
    assert distinct_citations(parts) == ["Fees 1.1 (part 1 of 2)", "Fees 1.1 (part 2 of 2)"]
    (newest, _) = distinct_citations([replace(NEW, metadata={"part": "2 of 3"}), OLD])
    assert newest == "Conduct 1.1 (con-2024, part 2 of 3)"

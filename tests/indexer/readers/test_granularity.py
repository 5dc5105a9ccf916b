"""What is one passage: the four settings on trees made by hand."""

import pytest

from indexer.problems import Problems
from indexer.readers.html.reader import HtmlReader
from indexer.structuring.acts.granularity import CLAUSE_WORDS, GRANULARITIES
from indexer.structuring.acts.passages import passages_of
from indexer.structuring.acts.provisions import Act, Provision


def point(number, *parts, level="point"):
    return Provision(level, number, parts=list(parts), label=number)


def numbers(granularity, *parts):
    article = Provision("article", "Article 1", parts=list(parts))
    passages = passages_of(Act("A", provisions=[article]), granularity, "a")
    return [passage.passage_id for passage in passages]


LIST = (point("(a)", "red;"), point("(b)", "blue."))


def test_a_list_after_a_colon_completes_its_clause():
    assert numbers("clause", "They are:", *LIST) == ["Article 1"]


@pytest.mark.parametrize("intro", [[], ["They are these."], ["“They are these.”"]])
def test_a_list_after_nothing_or_a_whole_sentence_stands_alone(intro):
    assert numbers("clause", *intro, *LIST) == ["Article 1", "Article 1(a)", "Article 1(b)"]


def test_definitions_stand_alone_whatever_is_before_them():
    items = (point("(1)", "‘lamp’ means a light;"), point("(2)", "‘day’ has the usual meaning."))
    assert numbers("clause", "The following apply:", *items) == [
        "Article 1", "Article 1(1)", "Article 1(2)",
    ]  # fmt: skip


def test_a_clause_longer_than_the_encoder_reads_is_parted():
    long = point("(a)", "word " * CLAUSE_WORDS)
    assert numbers("clause", "They are:", long) == ["Article 1", "Article 1(a)"]
    assert numbers("paragraph", "They are:", long) == ["Article 1"]


def test_a_footnote_between_clause_and_list_changes_nothing():
    note = Provision("footnote", "Footnote 1", parts=["See."])
    assert numbers("clause", "They are:", note, *LIST) == ["Article 1", "Footnote 1"]


def test_items_without_a_number_are_never_passages():
    dash = Provision("point", label="—", parts=["red"])
    for granularity in GRANULARITIES:
        assert numbers(granularity, dash) == ["Article 1"]


def test_numbers_of_several_lists_name_no_passage():
    long = "word " * CLAUSE_WORDS
    first = (point("(a)", "red"), point("(b)", f"blue {long}"))
    second = (point("(a)", "one"), point("(b)", "two"))
    assert numbers("clause", "‘Lamp’ means:", *first, "‘Day’ means:", *second) == ["Article 1"]
    assert len(numbers("clause", "‘Lamp’ means:", *first)) == 3


def test_settings_go_from_coarse_to_fine():
    paragraph = point("(1)", "They are:", *LIST, level="paragraph")
    assert [len(numbers(granularity, paragraph)) for granularity in
            ("article", "paragraph", "clause", "point")] == [1, 2, 2, 4]  # fmt: skip


def test_words_that_are_left_out_are_counted_for_the_summary(tmp_path):
    path = tmp_path / "a.html"
    path.write_text("<html><body><nav>Home page</nav><p>1.1 Text.</p></body></html>")
    problems = Problems()
    assert list(HtmlReader().read(path, "a.html", problems))
    (note,) = problems.notes
    assert (note.reason, note.words) == ("around the text of the page", 2)


@pytest.mark.parametrize("odd", [".", "\x85 \x07", "a\nb", "x" * 5_000])
def test_odd_headings_and_numbers_make_usable_ids(odd):
    for provision in (Provision("section", heading=odd, parts=["t"]), point(odd, "t")):
        provision.level = "section"
        (one,) = passages_of(Act("A", provisions=[provision]), "clause", "a")
        assert one.passage_id.isprintable()
        assert 0 < len(one.passage_id) <= 300

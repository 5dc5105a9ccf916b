"""Synonyms and pinned rules from a file: what they change, what they never do, every mistake."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sample import record, write_lines

import indexer
import search
from search.limited import LimitedIndex
from search.text import phrases
from search.text.phrases import Phrase, Phrases
from search.trace import Synonyms

Tuned = Callable[[str], search.Index]


@pytest.fixture
def tuned(rulebook_folder: Path, tmp_path: Path) -> Iterator[Tuned]:
    """A function that opens the sample rulebook with the text of a tuning file."""
    opened: list[search.Index] = []

    def make(text: str) -> search.Index:
        file = tmp_path / "tuning.toml"
        file.write_text(text, encoding="utf-8")
        opened.append(search.open(rulebook_folder, tuning=file))
        return opened[-1]

    yield make
    for index in opened:
        index.close()


@contextmanager
def acts(folder: Path, tuning: str, *texts: str, **fields: object) -> Iterator[search.Index]:
    rules = [record(str(number), text, **fields) for number, text in enumerate(texts, start=1)]
    indexer.ingest([write_lines(folder / "act.jsonl", *rules)], folder / "index")
    (folder / "tuning.toml").write_text(tuning, encoding="utf-8")
    with search.open(folder / "index", tuning=folder / "tuning.toml") as index:
        yield index


def numbers(result: search.SearchResult) -> list[str]:
    return [f"{hit.document_id} {hit.passage_id}" for hit in result.hits]


def pin(condition: str, *rules: str, more: str = "") -> str:
    return f"[[pins]]\n{condition}\nrules = {list(rules)}\n{more}\n"


# Synonyms


def test_a_question_in_other_words_finds_its_rule(tuned: Tuned, rulebook: search.Index) -> None:
    question, rule = "Who is the boss of a firm?", "GOVN 2.2.1.(1)"
    index = tuned('one_way = { boss = ["governing body", "senior manager"] }')
    found = index.search(question, 3)
    assert rule not in numbers(rulebook.search(question, 3))
    assert numbers(found)[0] == rule
    assert found.trace.synonyms == (Synonyms("boss", ("governing body", "senior manager")),)
    assert "synonyms    boss → governing body, senior manager" in found.trace.describe()
    assert found.to_json()["plan"]["synonyms"] == [
        {"words": "boss", "others": ["governing body", "senior manager"]}
    ]


@pytest.mark.parametrize(
    ("file", "question", "expected"),
    [
        ('synonyms = [["fine", "penalty"]]', "Which PENALTIES are there?", {}),
        ('synonyms = [["punishment", "penalty"]]', "Punishments?", {"punishment": ["penalty"]}),
        ('one_way = { penalty = ["punishment"] }', "punishment", {}),
        ('synonyms = [["cool off", "complaint"]]', "Cooling off", {"cool off": ["complaint"]}),
        ('synonyms = [["cool off", "complaint"]]', "Off with the cool", {}),
        ('synonyms = [["fee", "fees"]]', "the fee", {}),
        ('synonyms = [["a1", "fee"], ["fee", "fine"]]', "a1", {"a1": ["fee"]}),
        ('synonyms = [["fee", "fine"], ["fine", "fee"]]\none_way = { fine = ["fee"] }',
         "penalty or fine", {"fine": ["fee"]}),
        ('synonyms = [["fine", "xylophone"]]', "the fine", {}),
    ],
)  # fmt: skip
def test_only_what_a_question_says_has_synonyms(
    tuned: Tuned, file: str, question: str, expected: dict[str, list[str]]
) -> None:
    found = tuned(file).search(question, 1).trace.synonyms
    assert {one.words: list(one.others) for one in found} == expected


def test_a_rare_synonym_does_not_outrank_the_word_that_was_asked(tmp_path: Path) -> None:
    often = [f"A gift number {n} is allowed today." for n in range(20)]
    synonyms = 'one_way = { gift = ["inducement", "rare benefit"] }'
    with acts(tmp_path, synonyms, *often, "An inducement is a rare benefit today.") as index:
        hits = index.search("gift", 30, profile="lexical").hits
    assert [hit.passage_id for hit in hits][-1] == "21"
    assert len(hits) == 21
    assert [hits[-1].text[start:end] for start, end in hits[-1].spans] == [
        "inducement", "rare", "benefit",
    ]  # fmt: skip


def test_words_of_other_languages_match_by_their_own_stems(tmp_path: Path) -> None:
    texts = [
        "Die Bank darf keine Geschenke von ihren Kunden annehmen, wenn diese mehr wert sind.",
        "Die Bank hat dem Kunden die Kosten und die Gebühren der Anlage vorher zu nennen.",
    ]
    synonyms = 'synonyms = [["Zuwendung", "Geschenk"]]'
    with acts(tmp_path, synonyms, *texts, language="de") as index:
        found = index.search("Zuwendungen", 2, profile="lexical")
    assert found.trace.synonyms == (Synonyms("Zuwendung", ("Geschenk",)),)
    assert found.hits[0].passage_id == "1"


def test_an_empty_file_changes_nothing_and_costs_nothing(
    tuned: Tuned, rulebook: search.Index
) -> None:
    alone, found = rulebook.search("client money"), tuned("# nothing yet").search("client money")
    assert (found.hits, found.plan) == (alone.hits, alone.plan)
    assert found.trace.milliseconds.keys() == alone.trace.milliseconds.keys()


# Pins


@pytest.mark.parametrize(
    ("file", "question", "place"),
    [
        (pin('words = "gift register"', "COND 6.2.4"), "Is a register of gifts kept?", 1),
        (pin('words = "gift register"', "COND 6.2.4"), "Is a gift allowed?", None),
        (pin('words = "gift register"\nphrase = true', "COND 6.2.4"), "the Gift Registers", 1),
        (pin('words = "gift register"\nphrase = true', "COND 6.2.4"), "register of gifts", None),
        (pin('words = "gift"', "Conduct Rulebook 6.2.4"), "gift", 1),
        (pin('words = "gift"', "COND 6.2.4", more="place = 3"), "gift", 3),
        (pin('words = "gift"', "GOVN 4.2.1", "COND 6.2.4", more="place = 3"), "gift", 4),
        (pin('words = "gift"', "COND 6.2.4") + pin('words = "gift"', "GOVN 4.2.1"), "gift", 1),
        (pin('words = "gift"', "COND 6.2.4"), "What does COND 4.1.4 say of a gift?", 2),
        (pin('words = "gift"', "6.2.4", "COND 99.9", "XYZ 1"), "gift", None),
    ],
)  # fmt: skip
def test_a_pinned_rule_comes_where_the_pin_says(
    tuned: Tuned, file: str, question: str, place: int | None
) -> None:
    found = tuned(file).search(question, 6)
    ranks = [hit.rank for hit in found.hits if hit.citation().endswith("(COND) 6.2.4")]
    assert ranks == ([] if place is None else [place])
    assert len({hit.id for hit in found.hits}) == 6
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert ("(COND) 6.2.4" in str(found.trace.notes)) is (place is not None)
    assert ("(COND) 6.2.4, to '" in found.trace.describe()) is (place is not None)


def test_what_is_pinned_first_is_no_doubtful_answer(tuned: Tuned, rulebook: search.Index) -> None:
    question, id_ = "cooling off", rulebook.search("COND 6.2.4").hits[0].id
    found = tuned(pin('words = "cooling off"\nphrase = true', id_)).search(question)
    assert rulebook.search(question).trace.doubt()
    assert (found.hits[0].id, found.trace.doubt()) == (id_, "")
    assert found.to_json()["plan"]["pinned"][0]["id"] == id_


def test_a_filter_holds_for_what_is_pinned(tuned: Tuned) -> None:
    index = tuned(pin('words = "gift"', "COND 6.2.4"))
    found = index.search("gift", filters={"document": "AMLR"})
    assert {hit.document_id for hit in found.hits} == {"AMLR"}
    assert found.trace.pinned == ()


def test_what_a_key_may_not_see_is_neither_pinned_nor_named(tuned: Tuned) -> None:
    index = tuned(pin('words = "gift"', "COND 6.2.4"))
    for document, is_seen in (("AMLR", False), ("COND", True)):
        found = LimitedIndex(index, {"document": document}).search("gift")
        assert ("COND" in str(found.trace)) is is_seen
        assert found.hits[0].passage_id != "6.2.4" or is_seen


@pytest.mark.parametrize("rule", ["Widget Act 2", "id-2"])
def test_a_rule_that_is_not_in_force_is_not_shown_but_named(tmp_path: Path, rule: str) -> None:
    old = record("2", "A candle burns at noon.", status="repealed")
    (tmp_path / "tuning.toml").write_text(pin('words = "lamp"', rule), encoding="utf-8")
    source = write_lines(tmp_path / "act.jsonl", record("1", "A lamp is lit at night."), old)
    indexer.ingest([source], tmp_path / "index")
    with search.open(tmp_path / "index", tuning=tmp_path / "tuning.toml") as index:
        now, always = index.search("lamp"), index.search("lamp", as_of="all")
    assert [hit.passage_id for hit in now.hits] == ["1"]
    assert any("it is pinned to 'lamp'" in note for note in now.trace.notes)
    assert [hit.passage_id for hit in always.hits] == ["2", "1"]


def test_of_many_phrases_few_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    follow = phrases._follow
    monkeypatch.setattr(phrases, "_follow", lambda *a: looked.append(a) or follow(*a))
    many = Phrases([Phrase(f"word{n} gift", n) for n in range(5000)])
    assert many.found_in("Is word7 gift of word8 allowed?") == [
        (Phrase("word7 gift", 7), ("word7", "gift"))
    ]
    assert len(looked) == 2


# The file


def test_an_edited_file_is_read_when_the_index_is_refreshed(tuned: Tuned, tmp_path: Path) -> None:
    index, file = tuned(pin('words = "gift"', "COND 6.2.4")), tmp_path / "tuning.toml"
    assert not index.refresh()
    for text in (pin('words = "gift"', "GOVN 4.2.1"), "nonsense"):
        file.write_text(text, encoding="utf-8")
        os.utime(file, (1, 1 if text == "nonsense" else 2))
        if text == "nonsense":
            with pytest.raises(search.InputError):
                index.refresh()
        else:
            assert index.refresh()
        assert numbers(index.search("gift", 1)) == ["GOVN 4.2.1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("synonym = []", "synonym: there is no such field."),
        ('synonyms = "fee"', "synonyms: it must be a list"),
        ('synonyms = [["fee"]]', "synonyms 1: it must have at least 2 values"),
        ('synonyms = [["fee", "charge"], []]', "synonyms 2: it must have at least 2 values"),
        ('synonyms = [["fee", " "]]', "synonyms 1 2: it must not be empty"),
        ('synonyms = [["fee", 3]]', "synonyms 1 2: it must be a text"),
        ('synonyms = [["fee", "the"]]', "it must have words that are searched, not 'the'"),
        ('one_way = ["fee"]', "one_way: it must be an object"),
        ("one_way = { fee = [] }", "one_way fee: it must have at least 1 values"),
        ("pins = 3", "pins: it must be a list"),
        ("pins = [3]", "pins 1: it must be an object"),
        (pin('word = "fee"', "COND 1"), "pins 1 words: it is missing"),
        (pin('words = "fee"\nday = 3', "COND 1"), "pins 1 day: there is no such field"),
        (pin('words = "of the"', "COND 1"), "pins 1 words: it must have words that are searched"),
        (pin('words = "fee"'), "pins 1 rules: it must have at least 1 values"),
        (pin('words = "fee"', "COND 1", more="place = 0"), "pins 1 place: it must be at least 1"),
        (pin('words = "fee"', "COND 1", more="place = true"), "place: it must be a whole number"),
        ("[[pins]", "1: this is not valid TOML"),
    ],
)  # fmt: skip
def test_every_mistake_is_told(tuned: Tuned, text: str, message: str) -> None:
    with pytest.raises(search.InputError) as refused:
        tuned(text)
    assert "tuning.toml:" in str(refused.value)
    assert message in str(refused.value)
    assert refused.value.code == "tuning.invalid"


def test_a_file_that_is_missing_is_refused(rulebook_folder: Path) -> None:
    with pytest.raises(search.InputError, match="the tuning file cannot be read"):
        search.open(rulebook_folder, tuning="no-such.toml")

"""A reading held against hand-made passages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indexer.review.check import Check, check, token_f1
from indexer.review.gold import GoldPassage, read_gold
from search.errors import InputError
from search.records import Passage


def passages(*pairs: tuple[str, str], document: str = "D") -> list[Passage]:
    return [
        Passage(f"{document}-{line}", document, number, text, source=f"d.txt:{line}")
        for line, (number, text) in enumerate(pairs, start=1)
    ]


def gold(*pairs: tuple[str, str | None], document: str = "D") -> list[GoldPassage]:
    return [GoldPassage(document, number, text) for number, text in pairs]


def listed(checked: Check) -> list[tuple[str, str]]:
    return [(one.kind, one.passage_id) for one in checked.differences]


def test_numbers_agree_but_for_white_space_and_closing_dots() -> None:
    checked = check(passages(("1.", "A."), ("1.1 (a)", "B.")), gold(("1", "A."), ("1.1(a).", "B.")))
    assert (checked.f1, checked.text_agreement, checked.differences) == (1.0, 1.0, ())


def test_precision_recall_and_f1_count_numbers_as_multisets() -> None:
    checked = check(
        passages(("1", "A."), ("1", "B."), ("2", "C."), ("3", "D.")),
        gold(("1", "A."), ("2", "C."), ("2", "C.")),
    )
    assert (checked.gold, checked.read, checked.matched) == (3, 4, 2)
    assert (checked.precision, checked.recall) == (0.5, pytest.approx(2 / 3))
    assert checked.f1 == pytest.approx(4 / 7)


def test_differences_stand_in_the_order_of_the_document() -> None:
    checked = check(
        passages(("1", "A."), ("1.5", "X."), ("2", "other words"), ("3", "C.")),
        gold(("0", "Z."), ("1", "A."), ("1.1", "B."), ("2", "B."), ("3", "C."), ("4", "D.")),
    )
    assert listed(checked) == [
        ("missing", "0"), ("missing", "1.1"), ("extra", "1.5"), ("text", "2"), ("missing", "4"),
    ]  # fmt: skip


def test_a_text_with_other_words_tells_them_in_their_order() -> None:
    (one,) = check(
        passages(("1", "Fees A firm must pay.")), gold(("1", "A firm must not pay."))
    ).differences
    assert (one.kind, one.source) == ("text", "d.txt:1")
    assert (one.only_by_hand, one.only_read) == (("not",), ("fees",))
    assert one.agreement == pytest.approx(0.8)


def test_a_file_that_only_lists_numbers_compares_no_texts() -> None:
    checked = check(passages(("1", "A."), ("2", "B.")), gold(("1", None), ("2", None)))
    assert (checked.f1, checked.text_agreement, checked.differences) == (1.0, 1.0, ())


def test_documents_are_told_apart_by_their_id() -> None:
    both = [*passages(("1", "A."), document="A"), *passages(("1", "B."), document="B")]
    checked = check(both, gold(("1", "B."), document="B"))
    assert (checked.matched, listed(checked)) == (1, [("extra", "1")])
    assert checked.differences[0].text == "A."


def test_a_single_document_may_have_another_id_by_hand() -> None:
    assert check(passages(("1", "A.")), gold(("1", "A."), document="")).f1 == 1


def test_passages_of_other_documents_are_refused() -> None:
    both = [*passages(("1", "A."), document="A"), *passages(("1", "B."), document="B")]
    with pytest.raises(
        InputError, match="is about documents C …, but the source is about documents A, B"
    ):
        check(both, gold(("1", "A."), document="C"))


def test_words_are_compared_as_multisets_without_case() -> None:
    assert token_f1("A firm must pay", "pay must a FIRM!") == 1
    assert token_f1("pay pay", "pay") == pytest.approx(2 / 3)
    assert token_f1("", "") == 1
    assert token_f1("", "pay") == 0


def test_hand_made_passages_are_read_from_a_list_and_from_lines(tmp_path: Path) -> None:
    records = [{"DocumentID": 1, "PassageID": "1.1", "Passage": "A."}, {"PassageID": "1.2"}]
    (tmp_path / "g.json").write_text(json.dumps(records))
    (tmp_path / "g.jsonl").write_text("\n".join(json.dumps(one) for one in records) + "\n\n")
    expected = [GoldPassage("1", "1.1", "A."), GoldPassage("", "1.2", None)]
    assert read_gold(tmp_path / "g.json") == expected
    assert read_gold(tmp_path / "g.jsonl") == expected


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "g.json: the file is empty; give a file that contains passages"),
        ("[1]", "g.json: a hand-made passage is a number; give records with PassageID"),
        ('{"PassageID": "1"}\n{"ID": "1"}',
         "g.json:2: a hand-made passage has no PassageID; give records with PassageID"),
        ('{"PassageID": "1"}\nnonsense', "g.json:2: not valid JSON ("),
        ('[{"PassageID": "1"},\n nonsense]', "g.json:2: not valid JSON ("),
        ("[" * 100_000, "g.json: JSON that cannot be used (lists or records are nested too deep)"),
    ],
)  # fmt: skip
def test_a_bad_hand_made_file_is_refused(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "g.json"
    path.write_text(content)
    with pytest.raises(InputError) as refused:
        read_gold(path)
    assert str(refused.value).removeprefix(f"{tmp_path}/").startswith(sentence)

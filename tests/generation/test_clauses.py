"""How a passage is taken apart into statements."""

from __future__ import annotations

from pathlib import Path

import pytest

from generation.statements.forces import kind_of
from generation.statements.markers import reads_as_heading
from generation.statements.passages import fold, statements_of

LIST = (
    "Storage Facilities. A Person must have arrangements, including:\n(a)\tsecurity;\n"
    "(b)\taudits, of:\n(i)\tstock; and\n(ii)\taccounts; and\n(c)\tinsurance,\n"
    "if the Regulator so directs.\nRecords must be kept."
)


def test_list_stays_with_its_introduction_and_its_closing_clause() -> None:
    heading, rule, records = statements_of(LIST)
    assert heading.heading
    assert [(piece.role, piece.depth, piece.parent) for piece in rule.pieces] == [
        ("lead", 0, None),
        ("item", 1, 0),
        ("item", 1, 0),
        ("item", 2, 2),
        ("item", 2, 2),
        ("item", 1, 0),
        ("tail", 0, None),
    ]
    assert records.text == "Records must be kept."


def test_letter_i_after_h_is_a_letter_and_otherwise_a_roman_one() -> None:
    letters = "It must have:\n" + "\n".join(f"({c})\titem;" for c in "abcdefghij")
    assert {piece.depth for piece in statements_of(letters)[0].pieces[1:]} == {1}
    romans = "It must have:\n(a)\tone:\n(i)\tdeep;\n(ii)\tdeep; and\n(b)\ttwo."
    assert [piece.depth for piece in statements_of(romans)[0].pieces] == [0, 1, 2, 2, 1]


def depths(*markers: str) -> list[int]:
    text = "It must have:\n" + "\n".join(f"({marker})\titem;" for marker in markers)
    (whole,) = statements_of(text)
    return [piece.depth for piece in whole.pieces[1:]]


def test_a_roman_list_goes_on_with_what_might_be_letters() -> None:
    romans = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi"]
    assert set(depths(*romans)) == {1}
    assert depths("a", *romans, "b") == [1, *[2] * 11, 1]
    assert depths("i", "ii", "iii", "v") == [1, 1, 1, 1]
    assert depths("u", "i", "ii", "v") == [1, 2, 2, 1]


def test_a_letter_i_stays_one_after_a_list_of_ones() -> None:
    text = "It must have:\n(g)\tone;\n(h)\tany of:\n(i)\tstock; or\n(ii)\tcash; and\n(i)\tmore."
    (whole,) = statements_of(text)
    assert [piece.depth for piece in whole.pieces] == [0, 1, 1, 2, 2, 1]


@pytest.mark.parametrize("gap", ["\t", " "])
def test_numbers_with_a_stop_count_items_where_a_list_is_announced(gap: str) -> None:
    text = "A branch must not lend where:\n1.{}it is closed;\n2.{}it is new; or\n3.{}it is full."
    (whole,) = statements_of(text.format(gap, gap, gap))
    assert [piece.role for piece in whole.pieces] == ["lead", "item", "item", "item"]


def test_numbers_with_a_stop_count_items_behind_a_sentence_that_breaks_off() -> None:
    text = "(1) Die Beobachtung ist nur zulässig, soweit sie\n\n1.  dem Schutz,\n\n2.  der Kunst"
    (rule,) = statements_of(f"{text}\n\ndient.")
    assert [piece.role for piece in rule.pieces] == ["lead", "item", "item"]
    assert len(statements_of("Pflichten der Banken\n1. Banken führen Bücher.")) == 2


def test_numbers_with_a_stop_and_a_blank_open_sentences_elsewhere() -> None:
    text = "1. A firm must report.\n2. A bank must report within 5 days.\n3. A fund need not."
    assert [statement.text for statement in statements_of(text)] == text.splitlines()


def test_brackets_that_begin_a_line_without_a_marker_belong_to_the_line_before() -> None:
    text = (
        "A firm is one of:\n(a)\tlarge, with capital of 2 million\n(a “Large Firm”);\n(b)\tpublic."
    )
    (whole,) = statements_of(text)
    assert whole.pieces[1].text == "(a) large, with capital of 2 million (a “Large Firm”);"


def test_what_a_colon_announces_belongs_to_it_without_a_marker() -> None:
    text = "The ratio must be made by this formula:\nLiquidity buffer / Outflow = %\nIt is 1."
    ratio, rest = statements_of(text)
    assert ratio.text.endswith("formula: Liquidity buffer / Outflow = %")
    assert rest.text == "It is 1."


def test_numbered_sentences_under_a_title_are_statements_of_their_own() -> None:
    title, first, second = statements_of(
        "Conflicts\n(1)\tA Fund must:\n(a)\tx; and\n(b)\ty.\n(2)\tIt may."
    )
    assert title.heading
    assert first.text == "(1) A Fund must: (a) x; and (b) y."
    assert second.text == "(2) It may."


def test_titles_before_a_sentence_on_one_line_are_parted_from_it() -> None:
    assert [s.text for s in statements_of("Auditor's Report: A Person must procure it.")] == [
        "Auditor's Report:",
        "A Person must procure it.",
    ]


TABLE = """A firm must pay the annual fee:
\\Table Start
Category\tFee
Bank\t25,000 dollars
\\Table End
It must pay by 31 January."""
MARKDOWN = """A firm must pay the annual fee:

| Category | Fee |
|---|---|
| Bank | 25,000 dollars |

It must pay by 31 January."""


@pytest.mark.parametrize("text", [TABLE, MARKDOWN])
def test_a_table_belongs_to_the_statement_before_it(text: str) -> None:
    table, after = statements_of(text)
    assert [(piece.role, piece.parent, piece.cells) for piece in table.pieces] == [
        ("lead", None, ""),
        ("row", 0, "| Category | Fee |"),
        ("row", 1, "| Bank | 25,000 dollars |"),
    ]
    assert after.text == "It must pay by 31 January."
    assert all(stretch in fold(text) for stretch in table.stretches)


def test_a_table_without_a_lead_states_its_rows_and_one_that_never_ends_has_none() -> None:
    fees = "\\Table Start\nBank\t25,000 dollars\nBroker\t12,500 dollars\n"
    (table,) = statements_of(fees + "\\Table End")
    assert [(piece.role, piece.parent) for piece in table.pieces] == [("row", None), ("row", None)]
    assert not table.heading
    assert {piece.role for one in statements_of(fees) for piece in one.pieces} == {"lead"}


@pytest.mark.parametrize(
    ("head", "is_head"),
    [
        ("Value\tTier 1\tTier 2", True),
        ("Tier 1\tBoard\tHead", False),
        ("Value\t5,000 dollars", False),
        ("Value\t12", False),
    ],
)
def test_columns_may_have_numbers_in_their_names(head: str, is_head: bool) -> None:
    rows = f"{head}\nBelow 5\tBoard\tHead\nMore\tCourt\tHead"
    (table,) = statements_of(f"\\Table Start\n{rows}\n\\Table End")
    assert [piece.parent for piece in table.pieces[1:]] == [0 if is_head else None] * 2


@pytest.mark.corpus
def test_every_statement_of_every_passage_is_a_stretch_of_its_text(data_folder: Path) -> None:
    texts = all_texts(data_folder)
    assert len(texts) > 10_000
    for text in texts:
        folded = fold(text)
        for statement in statements_of(text):
            assert all(stretch in folded for stretch in statement.stretches)


@pytest.mark.corpus
def test_no_word_of_a_passage_is_lost(data_folder: Path) -> None:
    for text in all_texts(data_folder):
        if "Start" not in text:
            assert " ".join(s.text for s in statements_of(text)) == fold(text)


def all_texts(data_folder: Path) -> list[str]:
    import json

    files = (data_folder / "obliqa" / "documents").glob("*.json")
    return [r["Passage"] for f in files for r in json.loads(f.read_text("utf-8"))]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("An Authorised Person must not lend.", "prohibition"),
        ("No Person may carry on a Regulated Activity.", "prohibition"),
        ("A Person is prohibited from trading.", "prohibition"),
        ("The firm is required to report.", "obligation"),
        ("The firm is not required to report.", "permission"),
        ("Controls shall be tested.", "obligation"),
        ("(a) ensure that records are kept;", "obligation"),
        ("The FSRA expects firms to log incidents.", "expectation"),
        ("The Regulator may object.", "permission"),
        ('"Annual accounts" means accounts that must be filed.', "definition"),
        ("The operator of a raft is to register it within 14 days.", "obligation"),
        ("A firm has a duty to act honestly.", "obligation"),
        ("The firm will notify the Authority at once.", "obligation"),
        ("A person who sails without it is liable to a fine.", "prohibition"),
        ("Sailing without it is a contravention of these Rules.", "prohibition"),
        ("The purpose of this Rule is to keep order.", "other"),
        ("The Regulator will inform the market.", "other"),
        ("A Person is not liable to a fine.", "permission"),
        ("The market opened in 2015.", "other"),
    ],
)
def test_wording_tells_what_a_statement_does(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.corpus
def test_duties_are_told_as_people_label_them(data_folder: Path) -> None:
    import json

    file = data_folder / "repass" / "ObligationClassificationDataset.json"
    rows = json.loads(file.read_text("utf-8"))
    right = sum(
        (kind_of(row["Text"]) in ("obligation", "prohibition")) == row["Obligation"] for row in rows
    )
    assert right / len(rows) > 0.9


def test_an_item_with_a_bullet_is_no_title() -> None:
    assert not reads_as_heading("• A directorship of a competitor.")
    assert reads_as_heading("Storage Facilities.")


def test_german_lines_and_lists_keep_their_beginning() -> None:
    (rule,) = statements_of(
        "Abweichend von Absatz 1 sind Verpflichtete nach § 2 Absatz 1\n"
        "Nummer 10 und 12 nicht zur Meldung verpflichtet."
    )
    assert rule.text.startswith("Abweichend von Absatz 1 sind")
    (listed,) = statements_of(
        "Liegen Tatsachen vor, die darauf hindeuten, dass\n1. ein Fall vorliegt oder\n"
        "2. ein Dritter beteiligt ist,\nso hat der Verpflichtete dies zu melden."
    )
    assert [piece.role for piece in listed.pieces] == ["lead", "item", "item", "tail"]
    title, _ = statements_of("Meldepflicht von Verpflichteten\nDer Verpflichtete muss melden.")
    assert title.heading


def test_two_markers_in_one_line_open_two_lists() -> None:
    text = (
        "A manager that:\n(a)\tmanages boats; or\n(b)\t(i)\tmanages boats; and\n"
        "(ii)\tadvises their owners;\nmust register."
    )
    (whole,) = statements_of(text)
    assert [(piece.role, piece.parent) for piece in whole.pieces] == [
        ("lead", None), ("item", 0), ("item", 0), ("item", 2), ("tail", None),
    ]  # fmt: skip

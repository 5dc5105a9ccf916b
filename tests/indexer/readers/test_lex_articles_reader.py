"""`lex-articles` JSON: lists that run on in a line, divisions by path, and faulty records."""

import json

import pytest
from act_samples import LEX, act_of, numbers, read_text, refusal, texts

import indexer
from indexer.hierarchy.tree import arrange
from indexer.readers.lex_articles import LexArticlesReader
from search.errors import InputError


def lex(markdown, **fields):
    record = {"anchor": "art_1", "type": "article", "num": "Article 1", "heading": None, "path": []}
    return json.dumps({**LEX, "provisions": [{**record, "text_md": markdown, **fields}]})


def points(folder, markdown):
    return texts(read_text(LexArticlesReader("point"), folder, "act.json", lex(markdown)))


def test_an_act_is_read_with_its_points(tmp_path):
    passages = read_text(LexArticlesReader("point"), tmp_path, "act.json", json.dumps(LEX))
    assert numbers(passages) == [
        "Title I", "Title I.Chapter 1a", "Article 1", "Article 1(1)", "Article 1(2)", "Article 2a",
        "Article 2a(1)", "Article 2a(1)(a)", "Article 2a(1)(a)(i)", "Article 2a(1)(a)(ii)",
        "Article 2a(1)(ca)", "Article 2a(1a)", "Annex I",
    ]  # fmt: skip
    assert passages[0].document_id == "02019R0777-20210301"
    assert passages[0].document_title == "LHR (Regulation (EU) 2019/777)"


def test_the_text_after_a_list_belongs_to_the_paragraph(tmp_path):
    passages = read_text(LexArticlesReader("point"), tmp_path, "act.json", json.dumps(LEX))
    assert texts(passages)["Article 2a(1)"].endswith("subparagraph closes the paragraph.")


def test_the_text_after_a_list_belongs_to_the_item_that_others_follow(tmp_path):
    blocks = ["They are:", "(1) one, if:", "(a) red;", "(b) blue.", "It shines.", "(2) two."]
    found = points(tmp_path, "\n\n".join(blocks))
    assert found["Article 1(1)"] == "one, if:\nIt shines."
    assert found["Article 1(2)"] == "two."


def test_references_in_a_line_are_no_points(tmp_path):
    found = points(tmp_path, "See points (a), (b) and (c) of Article 4(1); Article 5(2) applies.")
    assert list(found) == ["Article 1"]


@pytest.mark.parametrize(
    "line",
    [
        "They are:(a) red;(b) blue.",
        "They are: (a) red; (b) blue.",
        "They are: (a) red; or (b) blue.",
        "They are:▼M1(a) red;▼B(b) blue.",
        "They are:(a) red as in Regulation (EU) No 1/2013(b) blue.",
    ],
)
def test_points_in_a_line_are_found_by_their_labels(tmp_path, line):
    found = points(tmp_path, line)
    assert list(found) == ["Article 1", "Article 1(a)", "Article 1(b)"]
    assert found["Article 1(b)"] == "blue."


def test_i_is_a_letter_after_h_and_a_numeral_after_a_colon(tmp_path):
    letters = "".join(f"({letter}) x;" for letter in "abcdefghij")
    assert list(points(tmp_path, f"They are:{letters}"))[-2:] == ["Article 1(i)", "Article 1(j)"]
    nested = "They are:" + "".join(f"({letter}) x;" for letter in "abcdefg")
    found = points(tmp_path, f"{nested}(h) y:(i) one;(ii) two;(i) z.")
    assert list(found)[-4:] == [
        "Article 1(h)", "Article 1(h)(i)", "Article 1(h)(ii)", "Article 1(i)",
    ]  # fmt: skip


def test_a_row_of_a_label_and_a_text_is_a_point(tmp_path):
    found = points(tmp_path, "1. They are:\n\n| (a) | red. |\n| --- | --- |")
    assert list(found) == ["Article 1", "Article 1(1)", "Article 1(1)(a)"]


def test_tables_and_multiplications_keep_their_signs(tmp_path):
    found = points(tmp_path, "*RW* is LGD*EAD.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |")
    assert found["Article 1"] == "RW is LGD*EAD.\n\\Table Start\na\tb\n1\t2\n\\Table End"


def test_the_path_makes_the_breadcrumb(tmp_path):
    passages = arrange(read_text(LexArticlesReader(), tmp_path, "act.json", json.dumps(LEX)))
    assert passages[-2].breadcrumb == (
        "Title I GENERAL", "Title I.Chapter 1a Keepers", "Article 2a Duties",
    )  # fmt: skip


def test_a_path_that_names_number_and_heading_apart_is_understood(tmp_path):
    text = lex("x", path=["CHAPTER 1", "Keepers"])
    found = texts(read_text(LexArticlesReader(), tmp_path, "act.json", text))
    assert found["Chapter 1"] == "Keepers"


def test_an_anchor_gives_the_number_where_num_is_missing(tmp_path):
    text = lex("Article 2a\n\nIt is.", num=None, anchor="art_2a")
    assert texts(read_text(LexArticlesReader(), tmp_path, "act.json", text)) == {
        "Article 2a": "It is."
    }


def test_every_record_has_its_line(tmp_path):
    passages = read_text(LexArticlesReader(), tmp_path, "act.json", json.dumps(LEX, indent=1))
    first = next(p for p in passages if p.passage_id == "Article 2a(1)")
    lines = (tmp_path / "act.json").read_text().splitlines()
    assert '"art_2a"' in lines[int(first.source.rpartition(":")[2]) - 1]


def test_notes_of_the_record_are_told(tmp_path):
    path = tmp_path / "act.json"
    path.write_text(json.dumps({**LEX, "notes": ["footnotes omitted: 3"]}), encoding="utf-8")
    assert act_of(LexArticlesReader(), path).left_out[-1].text == "footnotes omitted: 3"


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("[1]", 'no object with "schema"'),
        ('{"schema": "other"}', 'no object with "schema"'),
        ('{"schema": "lex-articles/1"', "not valid JSON"),
        ('{"schema": "lex-articles/1", "provisions": []}', "has no list of provisions"),
        ('{"schema": "lex-articles/1", "provisions": [3]}', "expected a provision in braces"),
        (lex(5), "text_md of a provision must be a text, found a number"),
        (lex("x", num=7), "num of a provision must be a text"),
        (lex("x", path="a"), "path of a provision must be a list of texts"),
        (lex("x", num=None, anchor="rec_1"), "a provision has no num, heading or anchor"),
        (lex("x", num="Article\x07 1"), "control character"),
    ],
)
def test_faulty_records_are_refused_with_a_sentence(tmp_path, record, told):
    path = tmp_path / "act.json"
    path.write_text(record, encoding="utf-8")
    assert told in refusal(LexArticlesReader(), path)


def test_one_faulty_record_refuses_the_whole_act(tmp_path):
    path = tmp_path / "act.json"
    path.write_text(json.dumps({**LEX, "provisions": [*LEX["provisions"], {}]}), encoding="utf-8")
    with pytest.raises(InputError, match="text_md of a provision"):
        list(indexer.read(path))


def test_a_paragraph_joined_to_the_last_item_closes_the_clause(tmp_path):
    line = "They are:(a) red, if:(i) round;(ii) lit.They shine.(b) blue.Both burn."
    found = points(tmp_path, line)
    assert found["Article 1(a)(ii)"] == "lit."
    assert found["Article 1(a)"] == "red, if:\nThey shine."
    assert found["Article 1"] == "They are:\nBoth burn."


LIST = "| (h) | one of:(i)red;(ii)blue. |\n| --- | --- |\n| (i) | red; |\n| (ii) | blue. |"


def test_the_rows_of_a_list_below_a_point_are_points_of_it(tmp_path):
    letters = "".join(f"({letter}) x;" for letter in "abcdefg")
    found = points(tmp_path, f"1. They are:{letters}\n\n{LIST}\n\n2. They shine.")
    assert list(found)[-4:] == [
        "Article 1(1)(h)", "Article 1(1)(h)(i)", "Article 1(1)(h)(ii)", "Article 1(2)",
    ]  # fmt: skip


def test_a_list_that_the_text_of_a_point_and_rows_say_is_read_once(tmp_path):
    found = points(tmp_path, f"They are:\n\n{LIST}")
    assert found["Article 1(h)"] == "one of:"
    assert found["Article 1(h)(ii)"] == "blue."
    left_out = act_of(LexArticlesReader(), tmp_path / "act.json").left_out
    assert [(piece.text, piece.reason) for piece in left_out] == [
        ("(i)red;(ii)blue.", "a list, repeated")
    ]


def test_lists_of_rows_nest(tmp_path):
    rows = {"(7)": "which:(a)is:(i)red;(ii)lit;(b)burns;", "(a)": "is:(i)red;(ii)lit;",
            "(i)": "red;", "(ii)": "lit;", "(b)": "burns;"}  # fmt: skip
    table = [f"| {label} | {text} |" for label, text in rows.items()]
    found = points(tmp_path, "\n".join([table[0], "| --- | --- |", *table[1:]]))
    assert {number.removeprefix("Article 1"): text for number, text in found.items()} == {
        "": "", "(7)": "which:", "(7)(a)": "is:", "(7)(a)(i)": "red;", "(7)(a)(ii)": "lit;",
        "(7)(b)": "burns;",
    }  # fmt: skip


def test_what_the_rows_of_a_list_do_not_say_stays_in_its_point(tmp_path):
    rows = "| (h) | one of:(i)red;(ii)blue.Both shine. |\n| --- | --- |\n| (i) | red; |"
    assert points(tmp_path, rows)["Article 1(h)"] == "one of:(i)red;(ii)blue."

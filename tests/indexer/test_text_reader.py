"""Numbered text: which lines open a passage, and what belongs to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from effort import no_runaway

import indexer
from indexer.readers.frontmatter import MOST_CHARACTERS
from indexer.readers.protocol import BEGINNING
from indexer.review.structure import structure
from indexer.structuring.labels.labels import line_label
from indexer.structuring.labels.line_labels import heading, written_number
from search.errors import InputError
from search.records import Passage


@pytest.fixture
def read(tmp_path: Path):
    def run(text: str, name: str = "rules.txt") -> list[Passage]:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return list(indexer.read(path))

    return run


def numbers(passages: list[Passage]) -> list[str]:
    return [passage.passage_id for passage in passages]


@pytest.mark.parametrize(
    "number",
    [
        "1.", "28)", "2.1.3", "2.1.3.(1)", "2.1.3.Guidance.1", "15.11A.1", "8.5.1(2)",
        "Part 1", "Part 1.Chapter 1.1.(1)", "PART 5.13.3.9.Guidance.3", "Schedule 1.Part 2",
        "APP2.A2.1.1", "APP 1.A1.2", "Article 92", "Annex III", "SECTION VII.D.4.", "A.1.",
        "Schedule.Part 2",
        "8.3.6.Guidance on Politically Exposed Persons (PEPs) and corruption.1.",
    ],
)  # fmt: skip
def test_a_full_number_before_a_tab_opens_a_passage(number):
    assert written_number(number) == number


@pytest.mark.parametrize("label", ["(a)", "(1)", "(ii)", "a)", "a.", "•", "Term", "100%", "T1"])
def test_a_list_label_opens_none(label):
    assert line_label(f"{label}\tevery Firm; and") is None


@pytest.mark.parametrize(
    "line",
    [
        "3.5.8 applies where a Firm holds money.",
        "Rule 3.5.8 sets out what a Firm must do.",
        "Part 4 of these Regulations does not apply.",
        "Section 5(1) and the Rules made under it apply.",
        "2015 Regulations",
        "28 days after the notice, a Firm must answer.",
        "§ 5 Absatz 2 des Gesetzes und",
        "§ 5 gilt nicht",
        "Artikel 5 des Gesetzes",
        "3.3.1). A component has no name.",
        "127..159. Letters",
        "3.5.8 of COBS",
        "3.5 dpkg",
    ],
)
def test_a_number_inside_a_sentence_opens_none(line):
    assert line_label(line) is None


@pytest.mark.parametrize(
    ("line", "number", "text"),
    [
        ("1.1 Application", "1.1", "Application"),
        ("2.1.3 A Firm must keep records.", "2.1.3", "A Firm must keep records."),
        ("28) Fees are due.", "28)", "Fees are due."),
        ("Part 2: Duties", "Part 2", "Duties"),
        ("Section 1.1: Scope", "Section 1.1", "Scope"),
        ("1. A lender must report.", "1.", "A lender must report."),
        ("1.1. A Fund must report.", "1.1.", "A Fund must report."),
        ("1. I consent.", "1.", "I consent."),
        ("2. Section 5 applies to a Firm.", "2.", "Section 5 applies to a Firm."),
        ("4. Guidance on fees", "4.", "Guidance on fees"),
        ("5. 10 Business Days are allowed.", "5.", "10 Business Days are allowed."),
        ("Artículo 1. Objeto", "Artículo 1", "Objeto"),
        ("Articolo 3 Oggetto", "Articolo 3", "Oggetto"),
        ("Artikel 4 Zweck", "Artikel 4", "Zweck"),
        ("§ 1 Zweck", "§ 1", "Zweck"),
        ("§ 5a Zweck", "§ 5a", "Zweck"),
        ("Article 5", "Article 5", ""),
        ("## 3.1 Conflicts", "3.1", "Conflicts"),
        ("### Article 5 Scope ###", "Article 5", "Scope"),
        ("5.7. (How) Does it work?", "5.7.", "(How) Does it work?"),
        ("\u200e1.3.3\tTitle", "1.3.3", "Title"),
    ],
)
def test_spaces_and_markdown_part_number_and_text_too(line, number, text):
    assert line_label(line) == (number, text)


@pytest.mark.parametrize(
    ("line", "number", "text"),
    [
        ("**1.1** Each manager must report.", "1.1", "Each manager must report."),
        ("**1.1**\tEach manager must report.", "1.1", "Each manager must report."),
        ("**1.1 Scope.** Each manager must report.", "1.1", "Scope. Each manager must report."),
        ("__1.1__ Each manager must report.", "1.1", "Each manager must report."),
        ("- 2.1 Access must be logged.", "2.1", "Access must be logged."),
        ("  * **2.1.3** Access must be logged.", "2.1.3", "Access must be logged."),
    ],
)
def test_markdown_may_set_a_number_bold_or_in_a_list(line, number, text):
    assert line_label(line) == (number, text)


@pytest.mark.parametrize(
    ("line", "number", "text"),
    [
        ("Article 5 **Scope**", "Article 5", "**Scope**"),
        ("Article 1. **Scope.**", "Article 1", "**Scope.**"),
    ],
)
def test_the_text_behind_a_number_may_begin_bold_or_in_italics(line, number, text):
    assert line_label(line) == (number, text)


@pytest.mark.parametrize(
    "line",
    [
        "1.2 * 3",
        "1.2 *3",
        "1.2 *provided* that it reports.",
        "1.2 **times** the fee is due.",
        "5 **Firms were asked what they do with the money that is left over each year.**",
        "1.2 snake_case_name",
    ],
)
def test_other_stars_and_emphasis_in_a_sentence_open_none(line):
    assert line_label(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "**5** firms were asked.",
        "**1.5** times the fee is due.",
        "**Part 4** of these Rules applies.",
        "- 3 Directors",
        "- 2.1 of these Rules applies.",
        "- **Note** 2.1 Access",
    ],
)
def test_other_bold_words_and_items_of_markdown_open_none(line):
    assert line_label(line) is None


def test_a_long_row_of_stars_is_read_in_no_time():
    with no_runaway():
        assert line_label("1.2 " + "*a " * 50_000) is None


@pytest.mark.parametrize("codes", ["I." * 100, "XV." * 100, "A1." * 31, "Guidance." * 17])
@pytest.mark.parametrize("end", ["!", "/\tA firm."])
def test_a_long_row_of_codes_is_read_in_no_time(codes, end):
    with no_runaway():
        assert line_label(f"1.{codes}{end}") is None


def test_list_lines_and_unnumbered_lines_continue_the_passage(read):
    passages = read(
        "1.1\tA Firm must:\n(a)\tkeep records; and\n(b)\treport.\nAlways.\n1.2\tNext.\n"
    )
    assert numbers(passages) == ["1.1", "1.2"]
    assert passages[0].text == "A Firm must:\n(a)\tkeep records; and\n(b)\treport.\nAlways."
    assert [passage.source for passage in passages] == ["rules.txt:1", "rules.txt:5"]


def test_a_broken_sentence_does_not_open_a_passage(read):
    (passage,) = read("1.1\tThis is subject to Rule\n3.5.8 and to no other Rule.\n")
    assert passage.text == "This is subject to Rule\n3.5.8 and to no other Rule."


@pytest.mark.parametrize("slash", ["\\", "/"])
def test_a_fence_keeps_its_lines_in_one_passage(read, slash):
    table = f"{slash}Table Start\nNo.\tFee\n1.\t100\n1.2\t200\n{slash}Table End"
    passages = read(f"1.\tFEES\n1.1\tThe fees are:\n{table}\n1.2\tFees are due at once.\n")
    assert numbers(passages) == ["1.", "1.1", "1.2"]
    assert passages[1].text == f"The fees are:\n{table}"
    assert passages[1].kind == "table"


def test_a_fence_that_never_ends_hides_nothing(read):
    assert numbers(read("1.1\tA\n\\Figure Start\nbox\n1.2\tB\n")) == ["1.1", "1.2"]


def test_chapter_headings_are_told_from_numbered_lists(read):
    text = "1.\tSCOPE\n1.1\tIt covers:\n1.\tfirms;\n2.\tfunds.\n2.\tDUTIES\n2.1\tKeep records.\n"
    passages = read(text)
    assert numbers(passages) == ["1.", "1.1", "2.", "2.1"]
    assert passages[1].text == "It covers:\n1.\tfirms;\n2.\tfunds."


def test_a_list_between_the_rules_of_a_chapter_opens_nothing(read):
    text = "1.\tSCOPE\n1.1\tIt covers:\n1.\tfirms;\n2.\tfunds.\n1.2\tNothing else.\n"
    assert numbers(read(text)) == ["1.", "1.1", "1.2"]


def test_a_deleted_chapter_is_still_a_chapter(read):
    text = "1.\tSCOPE\n1.1\tAll.\n2.\t[Deleted]\n3.\tDUTIES\n3.1\tKeep records.\n"
    assert numbers(read(text)) == ["1.", "1.1", "2.", "3.", "3.1"]


def test_the_last_chapters_need_no_rules(read):
    rules = "1. FEES\n1.1 Pay.\n2. FINES\n2.1 Pay in\n"
    known = ["1.", "1.1", "2.", "2.1", "3.", "4."]
    assert numbers(read(f"{rules}3. GENERAL\nPay.\n4. END\nPay.")) == known


def test_numbers_below_an_appendix_are_completed(read):
    text = "1.\tSCOPE\n1.1\tAll.\nAPP2\tFORMS\nA2.1\tUse\nA2.1.1\tUse the form.\n"
    assert numbers(read(text))[2:] == ["APP2", "APP2.A2.1", "APP2.A2.1.1"]


def test_titles_of_articles_may_end_with_a_stop(read):
    passages = read("Article 1. Scope.\n1. It applies to banks.\nArticle 2. Fees.\nBanks pay.")
    assert numbers(passages) == ["Article 1", "Article 1(1)", "Article 2"]


def test_the_first_line_is_the_title_and_the_rest_the_preamble(read):
    passages = read("CONDUCT RULES 2020\n\nMade by the Board.\n\n1.\tSCOPE\n")
    assert numbers(passages) == ["CONDUCT RULES 2020", "1."]
    assert passages[0].text == "Made by the Board."
    assert {passage.document_title for passage in passages} == {"CONDUCT RULES 2020"}


def test_front_matter_names_the_document(read):
    front = (
        "---\ndocument_id: COB\ntitle: 'Conduct: Rules'\ntopic: [banking, funds]\nregime: \n---\n"
    )
    (passage,) = read(front + "1.1\tAll.\n")
    assert (passage.document_id, passage.document_title) == ("COB", "Conduct: Rules")
    assert passage.metadata == {"topic": ("banking", "funds")}
    assert passage.source == "rules.txt:7"


@pytest.mark.parametrize("end", ["---", "Markdown Content:"])
def test_a_saved_page_says_its_title_above_the_text(read, end):
    head = f"Title: Guideline on Lamps\n\nURL Source: https://a.example/lamps\nPages: 7\n\n{end}\n"
    (passage,) = read(f"{head}\n1.1\tAll.\n")
    assert (passage.document_title, passage.text) == ("Guideline on Lamps", "All.")
    assert passage.metadata == {"url_source": "https://a.example/lamps", "pages": "7"}
    assert passage.source == "rules.txt:8"


def test_lines_with_colons_above_the_first_number_are_text_where_no_title_is_among_them(read):
    assert {p.document_title for p in read("Duties: read on\n---\n\n1.1\tAll.\n")} == {
        "Duties: read on"
    }


def test_numbers_may_begin_at_zero(read):
    assert numbers(read("Licence\n\n0. Terms.\n\n1. Copies.\n\n2. Changes.\n")) == [
        "0.",
        "1.",
        "2.",
    ]


def test_an_address_before_the_rules_opens_no_passage(read):
    text = "Licence\n51 High Street, Low Town\n\n1. Copies are free.\n\n2. Changes are free.\n"
    assert numbers(read(text)) == ["1.", "2."]


def test_headings_may_be_underlined(read):
    text = (
        "Fee Rules\n=========\n\n1. Terms\n--------\n\n1.1. A fee is a sum.\n\n"
        "3. Disputes\n-----------\n\nCourts decide.\n\n4. Fees\n-------\n\n4.1. Pay.\n"
    )
    found = read(text)
    assert [(one.passage_id, one.text) for one in found] == [
        ("1.", "Terms"),
        ("1.1.", "A fee is a sum."),
        ("3.", "Disputes\nCourts decide."),
        ("4.", "Fees"),
        ("4.1.", "Pay."),
    ]
    assert found[0].document_title == "Fee Rules"


def test_articles_put_in_later_are_numbers_of_their_own(read):
    text = "Article 1\nBanks report.\n\nArticle 2 bis\nBanks pay.\n\nArticle 3ter\nBanks end.\n"
    assert numbers(read(text)) == ["Article 1", "Article 2 bis", "Article 3ter"]


def test_rules_of_a_chapter_may_follow_one_without_rules(read):
    text = "Chapter 1. Aims\n\n1.1. Be fair.\n\nChapter 2. Notes\n\nChapter 3. Fees\n\n3.1. Pay.\n"
    assert numbers(read(text)) == ["Chapter 1", "1.1.", "Chapter 2", "Chapter 3", "3.1."]


def test_a_title_may_begin_with_a_path(read):
    assert numbers(read("1.1. Files\nAll.\n1.2. /etc : Settings\nAll.\n")) == ["1.1.", "1.2."]


def test_lines_of_a_table_underline_no_heading(read):
    text = "1.1\tFees are:\nName  Fee\n---------\nCopy  5\n1.2\tPay.\n"
    assert [one.text for one in read(text)] == ["Fees are:\nName Fee\nCopy 5", "Pay."]


def test_markdown_headings_open_passages(read):
    passages = read("# Conduct Rules\n\n## 1 Scope\n\n1.1 All firms.\n", "rules.md")
    assert numbers(passages) == ["1", "1.1"]
    assert passages[0].document_title == "Conduct Rules"
    assert passages[1].breadcrumb == ("1 Scope",)


def test_headings_without_numbers_are_above_the_numbered_rules_that_follow(read):
    passages = read(
        "# Home devices policy\n\nOwner: Head of IT\n\n## Contents\n\n1.1 Lock it.\n\n"
        "1.2 Report it.\n\n## Software\n\n2.1 Install none.\n",
        "policy.md",
    )
    assert {one.passage_id: (one.text, one.breadcrumb) for one in passages[1:]} == {
        "Contents": ("Contents", ()),
        "1.1": ("Lock it.", ("Contents",)),
        "1.2": ("Report it.", ("Contents",)),
        "Software": ("Software", ()),
        "2.1": ("Install none.", ("Software",)),
    }
    assert passages[0].document_title == "Home devices policy"
    assert passages[0].text == "Owner: Head of IT"
    assert passages[0].metadata["owner"] == "Head of IT"


def test_bold_numbers_and_numbers_of_list_items_open_passages(read):
    passages = read(
        "## 1 Scope\n\n**1.1** Each manager must keep\n**2** copies and:\n- 3 Directors\n"
        "**2** Lamps\n\n## 2 Access\n\n- 2.1 Access must be logged.\n- 2.2 Logs must be kept.\n",
        "rules.md",
    )
    assert {passage.passage_id: passage.text for passage in passages} == {
        "1": "Scope",
        "1.1": "Each manager must keep\n2 copies and:\n3 Directors\n2 Lamps",
        "2": "Access",
        "2.1": "Access must be logged.",
        "2.2": "Logs must be kept.",
    }


def test_definitions_whose_terms_are_bold_are_passages(read):
    text = "# 2 Terms\n\n2.1 **Owner** means a person.\n\n2.2 *Vault* means a room.\n"
    assert {one.passage_id: one.text for one in read(text, "rules.md")} == {
        "2": "Terms", "2.1": "Owner means a person.", "2.2": "Vault means a room.",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("1. Act.\n2. Keep.\n4. Report.\n9. Publish.", ["1.", "2.", "4.", "9."]),
        ("1. Act.\n2. Keep.\n2A. Keep safe.\n3. Report.", ["1.", "2.", "2A.", "3."]),
        ("§ 1 Begriffe\n(1) Banken.\n§ 2 Ausnahmen\n(1) Keine.\n§ 3 Pflichten\n(1) Alle.",
         ["§ 1", "§ 1(1)", "§ 2", "§ 2(1)", "§ 3", "§ 3(1)"]),
    ],
)  # fmt: skip
def test_the_only_numbers_of_a_text_go_on_after_gaps(read, lines, found):
    assert numbers(read(lines)) == found


def test_a_table_of_contents_in_front_is_left_out(read):
    entries = "1 Scope .... 1\n1.1 Firms .... 1\n1.2 Fees .... 2\n"
    body = "1 Scope\n1.1 Firms\nAll firms.\n1.2 Fees\nTen dollars."
    passages = read(f"Policy\n\nContents\n{entries}\n{body}")
    assert numbers(passages) == ["1", "1.1", "1.2"]
    assert passages[0].document_title == "Policy"


def test_articles_stand_below_their_title_and_rules_below_the_number_that_begins_theirs(read):
    articles = read("TITLE I\nAIMS\nArticle 1\nAll.\nTITLE II\nArticle 2\nNone.\n")
    assert [one.breadcrumb for one in articles] == [(), ("Title I AIMS",), (), ("Title II",)]


def test_the_paragraphs_of_a_spanish_law_stand_below_their_article(read):
    passages = read("LEY\nArtículo 1. Objeto\n1. La ley.\n2. El fin.\nArtículo 2. Fin\nTodo.\n")
    assert [(passage.passage_id, passage.text) for passage in passages] == [
        ("Artículo 1", "Objeto"),
        ("Artículo 1(1)", "La ley."),
        ("Artículo 1(2)", "El fin."),
        ("Artículo 2", "Fin\nTodo."),
    ]


def test_ids_stay_the_same_and_repeated_numbers_get_their_own(read):
    text = "1.1\tA\n1.1\tB\n"
    first, second = read(text)
    assert first.id != second.id
    assert [p.id for p in read(text)] == [first.id, second.id]


def test_windows_line_ends_and_byte_order_mark_are_accepted(read):
    (passage,) = read("\ufeff1.1\tA Firm must:\r\n(a)\treport.\r\n")
    assert passage.text == "A Firm must:\n(a)\treport."


@pytest.mark.parametrize(
    ("text", "number", "kept"),
    [
        ("A firm must keep its records for five years.\n", "Text", "A firm must"),
        ("# Glossary\n\n**Client money** means money that a firm holds for a client.\n",
         "Glossary", "Client money means"),
        ("Fees.\n\nA firm must pay its fees by the end of March.\n", "Fees.", "A firm"),
    ],
)  # fmt: skip
def test_a_text_without_numbers_and_headings_is_one_passage(read, text, number, kept):
    (passage,) = read(text)
    assert passage.passage_id == number
    assert passage.text.startswith(kept)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "{path}: the file is empty; give a file that contains passages"),
        (b"1.1\tA \x00 firm must report.\n", "{path}: not text, or in an unknown encoding; save"),
        (b"1.1\tA\x01\x02\x03 firm must report.\n", "{path}: not text, or in an unknown encoding"),
        (
            "1.1\tВсе фирмы платят.\n".encode("cp1251"),
            "{path}: not text, or in an unknown encoding",
        ),
        (
            "1.1\t会社は報告する。\n".encode("shift-jis"),
            "{path}: not text, or in an unknown encoding",
        ),
        (b"All firms.\n", "{path}: contains no number and no heading; number the passages"),
        (
            b"Xf0 Arial;1\tSCOPEXpar 9.1ard\tKeepers hold oil\n",
            "{path}: contains no number and no heading; number the passages",
        ),
        (
            b'---\ndocument_id: "a\\tb\\x01"\n---\n1\tA\n',
            "{path}:2: document_id contains a control",
        ),
        (
            b"1.1.(1)\tA\n1.1.(2)\tB\n1.2.(1)\tC\n1.Guidance\x1b on fees.1\tD\n",
            "{path}:4: the number contains a control character",
        ),
    ],
)
def test_a_text_that_cannot_be_used_is_refused(tmp_path, content, problem):
    path = tmp_path / "rules.txt"
    path.write_bytes(content)
    with pytest.raises(InputError) as refused:
        list(indexer.read(path))
    assert str(refused.value).startswith(problem.format(path=path))


@pytest.mark.parametrize(
    ("written", "items"),
    [
        ('["a, x", b]', ("a, x", "b")),
        ("['a, x', b]", ("a, x", "b")),
        ("['it''s', it's]", ("it's", "it's")),
        (r'["say \"yes\"", "C:\\x"]', ('say "yes"', "C:\\x")),
        ('[ "a" , b, ]', ("a", "b")),
        ("[*a, &b]", "[*a, &b]"),
        ("\n  - a, x\n  - >-\n    b\n    c", ("a, x", "b c")),
        ("[]", ()),
    ],
)
def test_lists_of_the_front_matter_are_metadata(read, written, items):
    (passage,) = read(f"---\ntags: {written}\n---\n1.1\tAll.\n")
    assert passage.metadata["tags"] == items


@pytest.mark.parametrize(
    ("front", "title", "metadata"),
    [
        ("Title: Act on the Lamps of the Towns and\n  of the Harbours\nslug: lamps",
         "Act on the Lamps of the Towns and of the Harbours", {"slug": "lamps"}),
        ("title: >-\n  Act on\n  Lamps", "Act on Lamps", {}),
        ("title: |\n  Act on\n  Lamps", "Act on Lamps", {}),
        ('title: "Act on\n  Lamps"', "Act on Lamps", {}),
        ("title: Act: on\n  Lamps\nowner: @keeper", "Act: on Lamps", {"owner": "@keeper"}),
        ("title: [Draft] Lamps", "[Draft] Lamps", {}),
        ("title:\tLamps\n# a remark\n\nempty:", "Lamps", {}),
        ("title: Lamps\nversion: 1.10\ndate: 2024-01-02\nopen: no\ncode: 007\nnone: null",
         "Lamps", {"version": "1.10", "date": "2024-01-02", "open": "no", "code": "007",
                   "none": "null"}),
        ("title: !!int 5\nrun: !!python/object/apply:os.getpid []", "5", {"run": ()}),
        ("title: &t Lamps\nother: *t", "Lamps", {"other": "Lamps"}),
    ],
)  # fmt: skip
def test_front_matter_is_yaml_whose_values_stay_as_written(read, front, title, metadata):
    passage, _ = read(f"---\n{front}\n---\n\n1.1\tAll.\n1.2\tNone.\n")
    assert (passage.document_title, passage.metadata) == (title, metadata)
    assert passage.source == f"rules.txt:{front.count(chr(10)) + 5}"


@pytest.mark.parametrize(
    ("front", "why"),
    [
        ("title", "it has no fields"),
        ("- a\n- b", "it has no fields"),
        ("a: b\nc", "could not find expected ':' in line 3"),
        ("a: \x7f", "damaged"),
        (f"a: {'[' * 9000}", "damaged"),
        (f"a: {'b' * MOST_CHARACTERS}", f"it has more than {MOST_CHARACTERS:,} characters"),
    ],
    ids=["word", "list", "open", "control", "deep", "long"],
)
def test_front_matter_that_is_not_yaml_is_text_and_noted(tmp_path, front, why):
    path = tmp_path / "rules.txt"
    path.write_text(f"---\n{front}\n---\n1.1\tAll.\n1.2\tNone.\n")
    found = structure(path)
    assert [one.passage_id for one in found.passages()][-2:] == ["1.1", "1.2"]
    assert not any("---" in one.text + one.document_title for one in found.passages())
    assert found.guesses == (
        f"rules.txt: the front matter was read as text, because it is not YAML ({why}).",
    )


@pytest.mark.parametrize("end", ["...", ""])
def test_front_matter_may_end_with_dots_or_an_empty_line(tmp_path, end):
    path = tmp_path / "rules.md"
    path.write_text(f"---\ntitle: Lamps\nstatus: draft\n{end}\n1. All must lamps light.\n")
    (passage,) = structure(path).passages()
    assert (passage.document_title, passage.metadata) == ("Lamps", {"status": "draft"})
    path.write_text(f"---\nNote: all light.\n{end or '--'}\n\n1. All must lamps light.\n")
    assert (structure(path).passages()[0].metadata == {}) == (not end)


def test_front_matter_without_an_end_is_text_and_noted(tmp_path):
    path = tmp_path / "rules.txt"
    path.write_text("---\n1.1\tAll.\n1.2\tNone.\n")
    found = structure(path)
    assert [one.passage_id for one in found.passages()] == ["1.1", "1.2"]
    assert "(the closing line '---' is missing)" in found.guesses[0]


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("part: II", "the field name 'part' is reserved"),
        ("id: 5", "the field name 'id' is reserved"),
        ("kind: note", "a passage's kind follows from its number"),
        ("DocumentTitle: B", "the front matter has 'title' twice"),
        ("own: {a: {b: {c: {d: e}}}}", "nested values of 'own_a_b_c' in the front matter"),
        ("own: [a, [b]]", "nested values of 'own' in the front matter"),
        ("own: &a [*a]", "nested values of 'own' in the front matter"),
    ],
)
def test_fields_that_no_passage_can_have_are_left_out_and_noted(tmp_path, field, why):
    path = tmp_path / "rules.txt"
    path.write_text(f"---\ntitle: Lamps\n{field}\nslug: lamps\n---\n1.1\tAll.\n")
    found = structure(path)
    (passage,) = found.passages()
    assert (passage.document_title, passage.metadata) == ("Lamps", {"slug": "lamps"})
    assert [note.reason.startswith(why) for note in found.left_out] == [True]


@pytest.mark.parametrize(
    ("encoding", "guess"),
    [
        ("cp1252", "Windows-1252"), ("utf-16", ""), ("utf-16-be", "UTF-16-BE"),
        ("utf-16-le", "UTF-16-LE"), ("utf-8-sig", ""), ("utf-8", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("in_folder", [False, True])
def test_texts_are_read_in_the_encodings_of_windows(tmp_path, encoding, guess, in_folder):
    text = "Lampengesetz\r\n\r\n§ 1 Größe\r\nEine Lampe „misst“ 5 €.\r\n§ 2 Öl\r\nEs brennt.\r\n"
    path = tmp_path / "rules.txt"
    path.write_bytes(text.encode(encoding))
    found = structure(tmp_path if in_folder else path)
    assert [one.passage_id for one in found.passages()][-2:] == ["§ 1", "§ 2"]
    assert "Eine Lampe „misst“ 5 €." in found.passages()[-2].text
    told = (f"rules.txt is not UTF-8 and was read as {guess}.",) if guess else ()
    assert (found.guesses, found.refused) == (told, ())


def test_a_text_that_ends_within_a_character_of_its_beginning_is_found(tmp_path):
    text = f"1.1\t{'a' * (BEGINNING - 6)}é Firms pay.\n1.2\tNone.\n"
    (tmp_path / "rules.txt").write_text(text, encoding="utf-8")
    assert [one.passage_id for one in structure(tmp_path).passages()] == ["1.1", "1.2"]


def test_a_file_name_with_control_characters_names_no_document(tmp_path):
    path = tmp_path / "a\tb.txt"
    path.write_text("1.1\tA\n")
    with pytest.raises(
        InputError, match=r"contains a control character .* or put a document_id in"
    ):
        list(indexer.read(path))
    path.write_text("---\ndocument_id: AB\n---\n1.1\tA\n")
    assert [passage.document_id for passage in indexer.read(path)] == ["AB"]


def test_a_title_with_a_tab_numbers_the_preamble_with_a_space(read):
    passages = read("CONDUCT RULES\t2020\nMade by the Board.\n1.\tSCOPE\n")
    assert numbers(passages) == ["CONDUCT RULES 2020", "1."]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Jurisdiction", "Jurisdiction"),
        ("Introduction\nThis Guidance explains the Rules.", "Introduction"),
        ("A Firm must keep records.", ""),
        ("In this Rule:", ""),
        ("one two three four five six seven eight nine ten eleven twelve thirteen", ""),
        ("", ""),
    ],
)
def test_a_heading_is_short_and_no_sentence(text, found):
    assert heading(text) == found


def test_lists_below_headings_without_numbers_belong_to_their_headings(read):
    text = (
        "# Incidents\n\nAll staff follow this.\n\n## Detection\n\nDo this:\n\n1. Call the desk.\n"
        "2. Write the time.\n\n## Response\n\n### General\n\nThe team acts.\n\n## Review\n\n"
        "### General\n\nReviews are held.\n"
    )
    assert numbers(read(text, "incidents.md")) == [
        "Incidents", "Detection", "Detection.1", "Detection.2", "Response", "Response.General",
        "Review", "Review.General",
    ]  # fmt: skip


def test_numbers_that_count_on_below_headings_are_rules(read):
    text = "# Rules\n\n## Oil\n\n1. Hold oil.\n\n## Wicks\n\n2. Clean wicks.\n\n3. Light them.\n"
    assert [one.rstrip(".") for one in numbers(read(text, "rules.md"))][-3:] == ["1", "2", "3"]

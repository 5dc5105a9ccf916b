"""How lawyers number: from paragraphs to the passages that people make of them."""

from __future__ import annotations

import pytest
from outline_samples import blocks, numbers, read

from indexer.blocks import FOOTNOTE, TABLE_OF_CONTENTS, TITLE_PAGE, Block, LeftOut
from indexer.structuring.outline import outline


def test_a_list_that_completes_a_clause_stays_with_it():
    assert read(
        "1.\t**SCOPE", "1.1\tA Firm must:", "\t(a)\tkeep records; and", "\t(b)\treport.", "Always."
    )[1] == ("1.1", "A Firm must:\n(a)\tkeep records; and\n(b)\treport.\nAlways.")


def test_paragraphs_that_begin_a_rule_are_passages_of_their_own():
    found = read("1.1.1\t(1)\tA Firm must:", "\t(a)\treport.", "(2)\tA Fund need not.")
    assert found == [
        ("1.1.1", ""), ("1.1.1.(1)", "A Firm must:\n(a)\treport."),
        ("1.1.1.(2)", "A Fund need not."),
    ]  # fmt: skip


def test_items_below_a_heading_or_a_whole_sentence_stand_alone():
    heading = Block("2.4\tClients", bold=True)
    assert numbers(heading, "\t(a)\tA Firm must ask.", "\t(b)\tIt must record.") == [
        "2.4", "2.4.(a)", "2.4.(b)",
    ]  # fmt: skip
    assert numbers("2.4\tThe tests are these.", "\t(a)\tSize.", "\t(b)\tAge.")[1:] == [
        "2.4.(a)", "2.4.(b)",
    ]  # fmt: skip


def test_a_sentence_that_announces_a_list_keeps_it_as_a_colon_does():
    announced = "2.4\tA Firm must meet the following requirements at all times."
    assert numbers(announced, "\t(a)\tIt is solvent.", "\t(b)\tIt is audited.") == ["2.4"]
    paragraphs = ("\t(a)\tSize. A Firm is large.", "\t(b)\tAge. A Firm is old. It is known.")
    assert numbers(announced, *paragraphs) == ["2.4", "2.4.(a)", "2.4.(b)"]
    assert numbers(announced, "\ta.\tIt is solvent.", "\tb.\tIt is audited.")[1:] == [
        "2.4.a.", "2.4.b.",
    ]  # fmt: skip


def test_bullets_and_inner_lists_never_stand_alone():
    assert numbers("2.4\tThe tests are these.", "•\tSize.", "•\tAge.") == ["2.4"]
    found = numbers("2.4\tTests.", "\t(a)\tSize.", "\t\t(i)\tSmall.", "\t\t(ii)\tLarge.")
    assert found == ["2.4", "2.4.(a)"]


def test_guidance_belongs_to_the_rule_and_its_items_are_numbered():
    assert numbers(
        "1.2.1\t(1)\tAll firms.", "(2)\tAll funds.", "**Guidance**", "1.\tA branch is no firm.",
        "2.\tA fund is none.", "1.2.2\tNo others.",
    ) == [
        "1.2.1", "1.2.1.(1)", "1.2.1.(2)", "1.2.1.Guidance", "1.2.1.Guidance.1.",
        "1.2.1.Guidance.2.", "1.2.2",
    ]  # fmt: skip


def test_guidance_without_items_is_one_passage_and_may_have_a_subject():
    found = read("1.2.1\tAll firms.", "**Guidance on branches**", "A branch is no firm.")
    assert found[1] == ("1.2.1.Guidance on branches", "A branch is no firm.")


def test_guidance_in_the_middle_of_a_clause_stays_in_it():
    (passage,) = read(
        "1.2.1\tA Firm must:", "\t(a)\treport;", "**Guidance**", "By letter.", "\t(b)\tpay."
    )
    assert passage[1] == "A Firm must:\n(a)\treport;\nGuidance\nBy letter.\n(b)\tpay."


def test_numbers_after_guidance_belong_to_their_chapter():
    found = numbers(
        Block("2.\tDUTIES", bold=True), "**Guidance**", "1.\tOne.", "2.\tTwo.", "2.1\tA Firm.",
        "2.2\tA Fund.",
    )  # fmt: skip
    assert found == ["2.", "2.Guidance", "2.Guidance.1.", "2.Guidance.2.", "2.1", "2.2"]


def test_parts_and_chapters_hold_sections_whose_numbers_run_on():
    found = numbers(
        "**Part 1 The Regulator**", "**Chapter 1 Powers**", "1.\tPowers", "(1)\tIt may act.",
        "**Chapter 2 Duties**", "2.\tDuties", "**Part 2 Rules**", "**Chapter 1 Making**",
        "3.\tRules", "**Schedule 1**", "**Part 1 General**", "1.\tWords",
    )  # fmt: skip
    assert found == [
        "Part 1", "Part 1.Chapter 1", "Part 1.Chapter 1.1.", "Part 1.Chapter 1.1.(1)",
        "Part 1.Chapter 2", "Part 1.Chapter 2.2.", "Part 2", "Part 2.Chapter 1",
        "Part 2.Chapter 1.3.", "Schedule 1", "Schedule 1.Part 1", "Schedule 1.Part 1.1.",
    ]  # fmt: skip


def test_numbers_that_run_on_stay_in_the_chapter_in_which_they_stand():
    found = numbers(
        "**Part 1 Markets**", "1.\tListing", "2.\tRules", "**Chapter 1 Offers**", "3.\tOffers",
        "4.\tPrices",
    )  # fmt: skip
    assert found[3:] == ["Part 1.Chapter 1", "Part 1.Chapter 1.3.", "Part 1.Chapter 1.4."]


def test_a_part_inside_a_chapter_is_a_heading_and_no_number():
    found = read(
        Block("3.\tCAPITAL", bold=True), "**Part 1 – Application**", "3.1\tScope", "3.1.1\tAll.",
        "**Part 2 – Rules**", "3.2\tLimits",
    )  # fmt: skip
    assert [number for number, _ in found] == ["3.", "3.1", "3.1.1", "3.2"]
    assert found[1][1] == "Part 1 – Application\nScope"


def test_unnumbered_headings_stand_before_each_number_until_the_next():
    found = read(
        "1.1\tFirst.", "**Records**", "1.2\tKeep.", "1.3\tShow.", "**Fees**", "1.4\tPay.",
        "2.\t**NEXT", "2.1\tOther.",
    )  # fmt: skip
    assert [text.split("\n") for _, text in found][1:4] == [
        ["Records", "Keep."], ["Records", "Show."], ["Fees", "Pay."],
    ]  # fmt: skip


def test_a_heading_before_unnumbered_text_is_part_of_the_text():
    assert read("1.1\tFirst.", "**Records**", "Keep them.")[0][1] == "First.\nRecords\nKeep them."


def test_appendices_number_their_own_rules():
    found = numbers(
        "**APP1 FORMS**", "A1.1\tUse", "A1.1.1\tUse the form.", "**APP2 FEES**", "A2.1\tX"
    )
    assert found == ["APP1", "APP1.A1.1", "APP1.A1.1.1", "APP2", "APP2.A2.1"]


def test_a_rule_quoted_in_an_appendix_is_no_passage():
    found = read(
        "**APPENDIX A: EXEMPT OFFERS**", "**Guidance**", "It says.", "4.3.1\tAn offer is exempt."
    )
    assert [number for number, _ in found] == ["APPENDIX A:", "APPENDIX A.Guidance"]
    assert found[1][1].endswith("4.3.1\tAn offer is exempt.")


def test_lettered_chapters_hold_numbers_of_several_parts():
    found = numbers(
        Block("D.\tPRINCIPLES", bold=True), "1.\tThe board should act.", "1.1.\tIt meets.",
        "2.\tIt reports.",
    )  # fmt: skip
    assert found == ["D.", "D.1.", "D.1.1.", "D.2."]


def test_roman_items_are_told_from_the_letter_i():
    letters = [f"\t({letter})\tword;" for letter in "abcdefghij"]
    assert read("1.1\tThese:", *letters)[0][1].count("\n") == 10
    inner = read("1.1\tThese:", "\t(a)\tone:", "\t\t(i)\tsmall;", "\t\t(ii)\tlarge;", "\t(b)\ttwo.")
    assert inner[0][1].endswith("(a)\tone:\n(i)\tsmall;\n(ii)\tlarge;\n(b)\ttwo.")


def test_bare_lists_are_structure_where_most_of_them_stand_alone():
    lines = [
        "A.\t**Reports**", "1.\tFirms report.", "2.\tFunds report.", "B.\tThe rules are these.",
        "1.\tOne.", "C.\tA firm must give:", "1.\tits name;", "2.\tits address.",
    ]  # fmt: skip
    lines[0] = "A.\tReports are due."
    assert numbers(*lines)[-3:] == ["C.", "C.1.", "C.2."]


def test_what_stands_before_the_contents_is_the_title_page():
    listed = [LeftOut("1 Scope", TABLE_OF_CONTENTS, 3)]
    found = outline(
        blocks("**FEE RULES**", "Version 2", "**CONTENTS**", "1.\tSCOPE", "1.1\tAll."), listed
    )
    assert [one.number for one in found.passages] == ["1.", "1.1"]
    assert found.title == "FEE RULES"
    left = [one.text for one in found.left_out if one.reason == TITLE_PAGE]
    assert left == ["FEE RULES", "Version 2", "CONTENTS"]


def test_a_title_page_without_contents_ends_before_the_first_number():
    lines = ("**FEE RULES**", "Version 2", "1.\tSCOPE", "1.1\tAll.")
    found = outline(blocks(*lines))
    assert [(one.number, one.text) for one in found.passages] == [("1.", "SCOPE"), ("1.1", "All.")]
    assert [one.text for one in found.left_out] == ["FEE RULES", "Version 2"]


def test_a_heading_right_before_the_first_number_belongs_to_the_text():
    background = Block("Background", italic=True)
    found = outline(blocks("**FEE RULES**", background, "1)\tFees are due."))
    assert [one.text for one in found.passages] == ["Background\nFees are due."]


def test_enacting_words_are_a_preamble_named_by_the_title():
    enacted = "The Board makes these Regulations under Article 6 of the Law of 2013 as amended."
    found = read("**FEE REGULATIONS**", enacted, "1.\tFees are due.")
    assert found[0] == ("FEE REGULATIONS", enacted)


def test_a_document_without_numbers_is_parted_by_its_headings():
    found = read("**Scope**", "All firms.", "**Fees**", "None are due.")
    assert found == [("Scope", "All firms."), ("Fees", "None are due.")]


def test_bullets_before_any_number_are_text():
    found = read("**Scope**", "•\tFirms", "•\tFunds")
    assert found == [("Scope", "•\tFirms\n•\tFunds")]


def test_figures_and_references_at_the_beginning_of_a_line_open_nothing():
    found = read(
        "1.1 The fee is set in Rule", "3.5.8 Applies to it.", "2.5 Million dollars are paid.",
        "1.2 Next.", "2.1 And so on.",
    )  # fmt: skip
    assert [number for number, _ in found] == ["1.1", "1.2", "2.1"]
    assert "3.5.8 Applies to it." in found[0][1]


def test_a_subsection_on_the_line_of_its_section():
    found = read("1.\tThese are Rules.", "2.—(1) A Firm must pay.", "(2)\tA Fund need not.")
    assert found[1:] == [
        ("2.", ""), ("2.(1)", "A Firm must pay."), ("2.(2)", "A Fund need not."),
    ]  # fmt: skip


def test_articles_of_an_act():
    assert numbers(
        "**CHAPTER I**", "**GENERAL PROVISIONS**", "**Article 1**", "**Scope**", "1.\tAll banks.",
        "2.\tNo others.", "**Article 2**", "**Duties**", "Banks report.",
    ) == [
        "CHAPTER I", "CHAPTER I.Article 1", "CHAPTER I.Article 1.1.", "CHAPTER I.Article 1.2.",
        "CHAPTER I.Article 2",
    ]  # fmt: skip


def test_named_sections_stand_beside_the_chapters():
    found = read(
        Block("1.\tSCOPE", bold=True), "1.1\tAll.", "**Definitions**", "A Firm is a company.",
        Block("2.\tFEES", bold=True), "**Introduction**", "Fees are low.",
    )  # fmt: skip
    assert [number for number, _ in found] == ["1.", "1.1", "Definitions", "2.", "2.Introduction"]


def heading(text: str, level: int = 2) -> Block:
    """Return a paragraph in a heading style of Word (1 is the outermost)."""
    return Block(text, style=f"heading {level}", heading_level=level - 1)


def test_numbers_that_begin_anew_below_a_styled_heading_stand_beside_the_first():
    found = read(
        "Loan Code", heading("Duty of care"), "1. Lenders must act fairly.", "2. Lenders record.",
        heading("Reports"), "1. Lenders must report.", "2. Reports are signed.",
    )  # fmt: skip
    assert found == [
        ("1.", "Duty of care\nLenders must act fairly."), ("2.", "Duty of care\nLenders record."),
        ("1.", "Reports\nLenders must report."), ("2.", "Reports\nReports are signed."),
    ]  # fmt: skip


def test_numbers_that_run_on_below_a_styled_heading_stay_in_their_list():
    found = numbers("1)\tOne.", heading("Reports"), "2)\tTwo.", heading("Fees"), "3)\tThree.")
    assert found == ["1)", "2)", "3)"]


def test_a_list_below_a_styled_heading_inside_a_chapter_belongs_to_the_chapter():
    chapter = Block("2.\tDUTIES", bold=True)
    assert numbers(
        "1.\tAll.", chapter, heading("Care"), "1. One.", "2. Two.", heading("Reports"), "1. Three."
    ) == ["1.", "2.", "2.1.", "2.2.", "2.1."]
    assert numbers(heading("1. Care"), "1.1\tAll.", heading("Reports"), "1. Three.")[-1] == "1."


def test_items_below_a_styled_heading_are_no_part_of_the_clause_before_it():
    found = read("1. A Firm must:", "(a) report;", heading("Fees"), "(a) One.", "(b) Two.")
    assert found == [
        ("1.", "A Firm must:\n(a)\treport;"),
        ("(a)", "Fees\nOne."),
        ("(b)", "Fees\nTwo."),
    ]


@pytest.mark.parametrize("text", ["This code is in force.", "•\tThis code is in force."])
def test_text_below_a_styled_heading_is_a_passage_that_the_heading_names(text):
    found = read("1. Lenders must report.", heading("Final"), text, "2. Others need not.")
    assert found == [
        ("1.", "Lenders must report."), ("Final", text), ("2.", "Final\nOthers need not."),
    ]  # fmt: skip


def test_a_styled_heading_at_the_end_is_no_part_of_the_last_rule():
    assert read("1. Lenders must report.", heading("Final")) == [
        ("1.", "Lenders must report."), ("Final", ""),
    ]  # fmt: skip


def test_a_styled_heading_parts_the_text_of_the_chapter_in_which_it_stands():
    found = read(
        heading("1 Scope", 1), heading("Firms"), "All firms.", "1.1\tNone is exempt.",
        heading("Records"), "They are kept.", "1.2\tThey are shown.", heading("Final", 1),
        "The end.",
    )  # fmt: skip
    assert found == [
        ("1", "Scope\nFirms\nAll firms."), ("1.1", "None is exempt."),
        ("1.Records", "They are kept."), ("1.2", "Records\nThey are shown."), ("Final", "The end."),
    ]  # fmt: skip


def test_a_styled_heading_ends_an_article_but_no_part():
    found = numbers(
        heading("Part 1", 1), heading("Article 1"), heading("Scope"), "All banks.",
        heading("Final provisions"), "It is in force.",
    )  # fmt: skip
    assert found == ["Part 1", "Part 1.Article 1", "Part 1.Final provisions"]


@pytest.mark.parametrize("words", ["§ {} Duty", "Artículo {}. Deber de información."])
def test_titles_with_numbers_of_other_languages_begin_new_runs(words):
    found = numbers(
        "Ley", heading(words.format(3)), "1. Uno.", "2. Dos.", heading(words.format(4)), "1. Uno."
    )
    assert found == ["1.", "2.", "1."]


def test_a_numbered_title_ends_the_unnumbered_headings_of_its_level():
    found = read(
        "Rules", heading("General", 1), "All banks report.", heading("1 Scope", 1), "1.1\tAll."
    )
    assert found == [("General", "All banks report."), ("1", "Scope"), ("1.1", "All.")]


def test_articles_with_a_letter_or_a_latin_suffix_are_numbers_of_their_own():
    assert numbers(
        "**Article 1**", "1.\tAll banks.", "**Article 1a**", "1.\tFunds.", "2.\tFirms.",
        "**Article 2 bis**", "Fees.", "**Article 2 ter Reports**", "1.\tEach.",
    ) == [
        "Article 1", "Article 1.1.", "Article 1a", "Article 1a.1.", "Article 1a.2.",
        "Article 2 bis", "Article 2 ter", "Article 2 ter.1.",
    ]  # fmt: skip


def test_text_below_a_heading_before_the_first_number_is_kept():
    found = outline(
        blocks(
            "Travel Policy", "Version 2", heading("Principle", 1), "Nobody travels first class.",
            heading("1 Scope", 1), "1.1\tAll.",
        )
    )  # fmt: skip
    assert [(one.number, one.text) for one in found.passages] == [
        ("Principle", "Nobody travels first class."), ("1", "Scope"), ("1.1", "All."),
    ]  # fmt: skip
    assert [one.text for one in found.left_out] == ["Travel Policy", "Version 2"]


@pytest.mark.parametrize("title", ["Travel Policy", heading("Travel Policy", 1)])
def test_a_short_sentence_before_the_first_number_is_a_preamble(title):
    found = read(title, "Version 2", "Nobody travels first class.", heading("1 Scope", 1))
    assert found == [("Travel Policy", "Version 2\nNobody travels first class."), ("1", "Scope")]


def test_a_title_in_two_styled_lines_is_a_title_page():
    found = outline(blocks(heading("RULES", 1), heading("of 2020", 1), "Version 2", "1.\tAll pay."))
    assert [one.text for one in found.left_out] == ["RULES", "of 2020", "Version 2"]


def test_numbers_of_an_appendix_may_have_one_level():
    lines = ("A1\tOwners", "A1.1\tState who.", "A1.2\tState more.", "A2\tSafety", "A2.1\tHow.")
    below = ["APP1.A1", "APP1.A1.1", "APP1.A1.2", "APP1.A2", "APP1.A2.1"]
    assert numbers("1.\tAll.", "**APP1\tQuestions**", *lines) == ["1.", "APP1", *below]
    automatic = Block("Owners", label="A1", list_id="1")
    assert numbers("**APP1**", automatic, "A1.1\tState who.") == ["APP1", *below[:2]]
    assert numbers("1.\tAll:", "A4\tpaper", "**A2 Motorway**", "2.\tSome.") == ["1.", "2."]


def test_plain_lines_are_titles_of_chapters_where_they_go_on_with_those_before():
    found = read(
        "Rules", "1 Scope", "1.1 All firms report.", "2 Duties", "2.1 A Firm must act.",
        "4 Others", "3 firms did.",
    )  # fmt: skip
    assert found == [
        ("1", "Scope"), ("1.1", "All firms report."), ("2", "Duties"),
        ("2.1", "A Firm must act.\n4 Others\n3 firms did."),
    ]  # fmt: skip


def test_plain_lines_are_articles_and_sections_where_they_go_on_with_those_before():
    found = read(
        "Rules", "Article 1", "All report.", "Article 2", "They pay.", "Article 5", "Gone."
    )
    assert found == [("Article 1", "All report."), ("Article 2", "They pay.\nArticle 5\nGone.")]
    assert read("Rules", "Section 1. Scope", "All report.", "Section 2. Fees", "They pay.") == [
        ("Section 1", "Scope\nAll report."), ("Section 2", "Fees\nThey pay."),
    ]  # fmt: skip


def test_a_plain_line_beside_set_titles_is_text():
    found = numbers("**Section 1**", "It applies to:", "Section 2", "**Section 2**", "Fees.")
    assert found == ["Section 1", "Section 2"]


def test_paragraphs_of_a_schedule_have_no_mark_after_their_number():
    found = read(
        "**SCHEDULE 1**", "1 (1) An exemption is given.", "(2) It may end.",
        "2 An exemption is personal.", "3 (1) It is written.", "3 firms have one.",
    )  # fmt: skip
    assert found == [
        ("SCHEDULE 1", ""), ("SCHEDULE 1.1", ""), ("SCHEDULE 1.1.(1)", "An exemption is given."),
        ("SCHEDULE 1.1.(2)", "It may end."), ("SCHEDULE 1.2", "An exemption is personal."),
        ("SCHEDULE 1.3", ""), ("SCHEDULE 1.3.(1)", "It is written.\n3 firms have one."),
    ]  # fmt: skip


def test_sections_of_an_act_have_no_mark_after_their_number():
    found = numbers("Act", "1 (1) A Firm must report.", "(2) It pays.", "2 A Fund does not pay.")
    assert found == ["1", "1.(1)", "1.(2)", "2"]


def test_footnotes_are_left_out():
    found = outline(blocks("1.1\tAll.", Block("Amended.", kind="footnote", place=1)))
    assert [one.text for one in found.passages] == ["All."]
    assert [(one.text, one.reason) for one in found.left_out] == [("Amended.", FOOTNOTE)]


def test_footnotes_stand_below_the_passage_that_refers_to_them():
    found = outline(
        blocks(
            "1.1.\tAll.",
            Block("Amended.", kind="footnote", place=1),
            "and more.",
            Block("See there.", kind="footnote", place=3),
            "1.2\tSome.",
        ),
        footnotes=True,
    )
    assert [(one.number, one.text) for one in found.passages] == [
        ("1.1.", "All.\nand more."),
        ("1.1.Footnote.1", "Amended."),
        ("1.1.Footnote.2", "See there."),
        ("1.2", "Some."),
    ]
    assert not found.left_out


def test_a_number_is_no_title():
    assert outline(blocks("CONDUCT RULES", "1.\tSCOPE", "1.1\tAll.")).title == "CONDUCT RULES"
    assert not outline(blocks("1.\tSCOPE", "1.1\tAll.")).title
    assert not outline([Block("SCOPE", label="1.", place=1), *blocks("1.1\tAll.")]).title


def test_nothing_becomes_nothing():
    found = outline([])
    assert (found.title, found.passages, found.left_out) == ("", (), ())


@pytest.mark.parametrize("many", [20_000])
def test_time_does_not_grow_with_the_square_of_the_text(many):
    lines = ["1.1\tThese:", "\t(a)\tone;", *["**Guidance**"] * many, "**Introduction**"]
    assert len(outline(blocks(*lines)).passages) > many / 2


def test_labels_joined_to_a_number_are_its_items():
    assert read("**1\tFEES**", "1.1(1)\tPay.", "1.1(2)\tPay:", "1.1(2)(a)\tnow.", "1.2\tEnd.") == [
        ("1", "FEES"),
        ("1.1", ""),
        ("1.1.(1)", "Pay."),
        ("1.1.(2)", "Pay:\n(a)\tnow."),
        ("1.2", "End."),
    ]


def test_numbers_that_begin_with_that_of_their_chapter_stand_alone():
    lines = (
        "**Chapter 3 Fees**",
        "3.1\tPay.",
        "3.2\tPay soon.",
        "**Chapter 4 Fines**",
        "4.1\tNone.",
    )
    assert numbers(*lines) == ["Chapter 3", "3.1", "3.2", "Chapter 4", "4.1"]


def test_numbers_that_run_on_through_the_parts_stand_below_them():
    lines = ("**Part 1 Fees**", "1.1\tPay.", "2.1\tPay soon.", "**Part 2 Fines**", "3.1\tNone.")
    assert numbers(*lines) == ["Part 1", "Part 1.1.1", "Part 1.2.1", "Part 2", "Part 2.3.1"]


def test_a_title_in_bold_may_begin_with_a_small_letter_where_its_number_comes_next():
    lines = ("**1.1 Tools**", "**1.1.1 Fees**", "Pay.", "**1.1.2 dpkg and others**", "It is free.",
             "**7.7.7 of them**")  # fmt: skip
    assert numbers(*lines) == ["1.1", "1.1.1", "1.1.2"]

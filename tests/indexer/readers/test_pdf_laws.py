"""How publishers set laws: side notes, raised figures, words struck through, quoted sections."""

from __future__ import annotations

import pytest
from pdf_samples import (
    Rule,
    Text,
    below,
    left_out_of,
    passages_of,
    read_outline,
    texts_of,
    write_pdf,
)

from indexer.blocks import STRUCK, Block
from indexer.problems import Problems
from indexer.readers.pdf.body import ILLEGIBLE, SIDE_NOTE
from indexer.readers.pdf.reader import PdfReader
from indexer.structuring.outline import outline
from search.errors import InputError

DUTY = "A company must tell the Registrar of each change of its owners"
WORDS = "A company must tell the Registrar of each change of its owners, and pay the fee at once."
SHIFTED = "".join(chr(ord(c) - 29) if c.isalpha() else c for c in f"{WORDS.lower()} " * 3)


def numbers(found):
    return [one.number for one in found]


def test_a_side_note_is_the_title_of_the_section_beside_it(tmp_path):
    for left, note in ((72, 420), (160, 72)):  # on right pages, and on left ones
        page = [
            Text(72, 60, "Companies Act", 14, "bold"),
            *below([f"1. {DUTY}", "at once."], left),
            Text(note, 100, "Duty to tell", 8), Text(note, 108, "the Registrar", 8),
            *below(["2. A company that does not is liable to a fine in full."], left, 140),
            Text(note, 140, "Offence", 8),
        ]  # fmt: skip
        found = passages_of(tmp_path, page)
        assert numbers(found) == ["1.", "2."]
        assert found[0].text.startswith("Duty to tell the Registrar\nA company must tell")
        assert found[0].text.endswith("of its owners at once.")


def test_a_note_beside_no_number_is_named_as_left_out(tmp_path):
    lines = ["1. A company must tell the Registrar of each change of its owners,", "and its fees."]
    page = [*below(lines), Text(420, 112, "Formerly section 12", 8)]
    assert (SIDE_NOTE, "Formerly section 12") in left_out_of(tmp_path, page)


def test_raised_figures_that_count_number_paragraphs_and_marks_of_notes_do_not(tmp_path):
    def article(top, number, mark, *paragraphs):
        yield Text(72, top, number, look="bold")
        yield Text(72 + 6 * len(number), top - 4, mark, 6)
        yield Text(130, top, "Duties", look="bold")
        for at, text in enumerate(paragraphs, start=1):
            yield Text(72, top + 16 * at - 4, str(at), 6)
            yield Text(76, top + 16 * at, text)

    page = [
        *article(100, "Art. 5", "", "Banks report.", "They pay.", "They close."),
        *article(180, "Art. 5a", "7", "Funds report.", "They pay."),
        *[Text(72, 800, "7", 7), Text(80, 800, "In force since 1 January 2008.", 7)],
    ]
    found = PdfReader().read(write_pdf(tmp_path / "rules.pdf", page), "rules.pdf", Problems())
    assert [one.passage_id for one in found] == [
        "Article 5", "Article 5(1)", "Article 5(2)", "Article 5(3)", "Article 5a", "Article 5a(1)",
        "Article 5a(2)",
    ]  # fmt: skip


def test_words_with_a_line_through_them_are_left_out_and_underlined_ones_stay(tmp_path):
    page = [
        Text(72, 100, "6.1"), Text(108, 100, "The limit is"), Text(170, 100, "ten million"),
        Text(225, 100, "five million dollars."), Rule(169, 97, 222, 97),
        Rule(225, 101.5, 320, 101.5),
        *below(["6.2\tThe limit is reviewed."], top=120),
    ]  # fmt: skip
    assert texts_of(tmp_path, page)[0] == "6.1\tThe limit is five million dollars."
    assert (STRUCK, "ten million") in left_out_of(tmp_path, page)


def test_a_file_in_letters_that_nobody_can_read_is_refused_and_a_page_of_it_is_named(tmp_path):
    readable = below(["1\tSCOPE", f"1.1\t{WORDS}"])
    page = below([SHIFTED[at : at + 80] for at in range(0, len(SHIFTED), 80)])
    with pytest.raises(InputError, match="fonts"):
        read_outline(write_pdf(tmp_path / "rules.pdf", page))
    found = read_outline(write_pdf(tmp_path / "rules.pdf", readable, page, readable))
    assert [one.reason for one in found.left_out if one.lost] == [ILLEGIBLE]


def test_a_number_below_a_full_line_that_ends_a_sentence_opens_a_paragraph(tmp_path):
    lines = [
        "6.1 A firm sets a limit for each of its clients, and tells each client what it is.",
        "6.2 A firm may raise the limit if the client asks for it and the firm agrees in full.",
        "6.3 A firm must not raise it more than two times in a year for one and the same one.",
    ]
    assert numbers(passages_of(tmp_path, below(lines))) == ["6.1", "6.2", "6.3"]


def test_a_title_page_gives_the_title_that_later_pages_repeat(tmp_path):
    title = [
        Text(180, 200, "PARLIAMENT", 14, "bold"),
        Text(150, 230, "CHANGE ACT, No. 9", 12, "bold"),
    ]
    pages = [
        [Text(72, 40, "Change Act, No. 9"), *below([f"{number}. {WORDS}"], top=300)]
        for number in (1, 2, 3)
    ]
    found = read_outline(write_pdf(tmp_path / "rules.pdf", title, *pages))
    assert (found.title, numbers(found.passages)) == ("CHANGE ACT, No. 9", ["1.", "2.", "3."])


def test_provisions_that_an_act_quotes_are_text_of_the_section_that_inserts_them():
    lines = [
        "Change Act", "1. Scope", "2. The following is inserted:", "“51A. (1) A holder reports.",
        "(2) “Holder” means a person.", "51B. A holder pays.”", "3. Fees are due.",
    ]  # fmt: skip
    found = outline([Block(text, place=at) for at, text in enumerate(lines, start=1)]).passages
    assert numbers(found) == ["1.", "2.", "3."]
    assert "51B. A holder pays.”" in found[1].text


def test_a_mark_that_is_never_closed_quotes_nothing():
    lines = ["1. Scope", "“2. Duties", "3. Fees are due.", "4. Fees are high."]
    found = outline([Block(text, place=at) for at, text in enumerate(lines, start=1)]).passages
    assert "4." in numbers(found)

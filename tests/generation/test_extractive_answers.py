"""Answers without a language model: the obligations in the words of the rules."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hits import make_hit, make_hits

from generation import Answer, AnswerContext, AnswerSettings, FilterSettings, answer
from generation.extract.asked import asked_kinds
from generation.extract.margins import SCORE
from generation.extract.score import Subject, meaning_of
from generation.extract.units import Candidate, essence
from generation.extract.write import answer_line
from generation.statements.passages import fold, statements_of
from generation.statements.units import units_of
from generation.text.labels import distinct_labels
from generation.text.subject import terms_of
from generation.verify import verify
from search.errors import InputError
from search.records import DocumentSummary, Hit, Passage, RetrieverScore, Scores
from tests.generation.small_acts import Shelves


def assert_quotes_are_the_sources_words(result: Answer) -> None:
    sources = result.sources()
    for citation in result.citations:
        assert citation.quote
        assert citation.quote in fold(citation.passage.text)
    for quoted, markers in re.findall(r"“(.*?)”\** ((?:\[\d+\])+)(?=\s|$)", result.text, re.DOTALL):
        source = fold(sources[int(re.findall(r"\d+", markers)[0])].text)
        for run in re.split(r"\s*\[…\]\s*", fold(quoted)):
            assert run in source
    assert set(
        re.findall(r"\[(\d+)\]", re.sub(r"“.*?”\** ", "", result.text, flags=re.DOTALL))
    ) == {str(number) for number in sources}


def test_obligations_are_quoted_by_rule_with_citations() -> None:
    hits = [
        make_hit(
            "Disclosure. An Authorised Person must disclose any conflict to the Client. "
            "The history of this rule goes back to an earlier rulebook of another regulator, which "
            "had it in a chapter on markets. That chapter was made in a year of many changes, when "
            "the markets of the region were small and few firms had an office there to speak of.",
            "3.5.8",
            breadcrumb=("3 Conflicts of Interest", "3.5 Disclosure"),
        ),
        make_hit(
            "A Person may not hide a conflict.",
            "8.1.(2)",
            document_id="7",
            document_title="GEN_VER08",
        ),
    ]
    result = answer("How must a conflict be disclosed to the Client?", hits)
    assert result.text == (
        "**COBS 3.5.8** (Disclosure): “An Authorised Person must disclose any conflict to the "
        "Client.” [1]\n\n**GEN 8.1.(2)**: “A Person may not hide a conflict.” [2]"
    )
    assert [c.to_json() for c in result.citations[:1]] == [
        {
            "marker": "[1]",
            "id": "3/3.5.8",
            "document_id": "3",
            "passage_id": "3.5.8",
            "document_title": "COBS_VER15.150823",
            "breadcrumb": ["3 Conflicts of Interest", "3.5 Disclosure"],
            "quote": "An Authorised Person must disclose any conflict to the Client.",
            **dict.fromkeys(("version_id", "valid_from", "valid_to")),
            "status": "unknown",
            "standing": "",
            "names_days": [],
            "later": [],
        },
    ]
    assert not result.warnings
    assert result.trace is not None
    assert not result.trace.calls


@pytest.mark.parametrize(
    ("titles", "called"),
    [
        (("COBS_VER15.150823", "COBS_VER16.010124"), ("COBS_VER15.150823", "COBS_VER16.010124")),
        (("Conduct Rules", "Conduct Rules"), ("Conduct Rules (old)", "Conduct Rules (new)")),
        (("COBS_VER15.150823", "GEN_VER08"), ("COBS", "GEN")),
    ],
    ids=["two versions", "one title", "two rulebooks"],
)
def test_documents_that_people_call_alike_are_told_apart(
    titles: tuple[str, str], called: tuple[str, str]
) -> None:
    texts = ("A Person must pay within 5 days.", "A Person must pay within 9 days.")
    hits = [
        make_hit(text, "1.1", document_id=key, document_title=title)
        for text, key, title in zip(texts, ("old", "new"), titles, strict=True)
    ]
    result = answer("When must a Person pay?", hits)
    differing, rules = result.text.split("\n\n", 1)
    assert differing.startswith("These provisions differ:")
    assert re.findall(r"\*\*(.*) 1\.1\*\*", rules) == list(called)
    assert re.findall(r"\*\*(.*) 1\.1\*\*", differing) == list(called)
    assert verify(result.text, result.sources()).score == 1
    refused = answer("Where do divers swim?", [replace(hit, score=0.1) for hit in hits])
    assert re.findall(r"- (.*) 1\.1", refused.text) == list(called)


def test_documents_whose_ids_look_alike_have_labels_too() -> None:
    hits = [
        make_hit("A Person must pay.", document_id=key, document_title="Rules")
        for key in ("a", "a\x1b")
    ]
    assert set(distinct_labels(hit.passage for hit in hits)) == {"a", "a\x1b"}
    assert "**Rules (a) 1.1**" in answer("Who must pay?", hits).text


def test_sub_paragraphs_of_a_rule_are_under_it_and_the_best_one_is_first() -> None:
    hits = [
        make_hit("A Fund must report.", "3.5.8.(b)", 0.95, 1, order=2),
        make_hit("A Fund must keep records.", "3.5.8.(a)", 0.9, 2, order=1),
    ]
    assert answer("What must a Fund do?", hits).text == (
        "**COBS 3.5.8**:\n- (b): “A Fund must report.” [1]\n- (a): “A Fund must keep records.” [2]"
    )


def test_repeated_rules_are_merged_with_both_citations() -> None:
    text = "An Authorised Person must keep records for six years."
    result = answer("How long must records be kept?", make_hits(text, text))
    assert result.text.count("six years") == 1
    assert "[1][2]" in result.text
    assert [c.passage.passage_id for c in result.citations] == ["1.1", "1.2"]


def test_both_citations_of_a_repeated_rule_quote_all_that_it_says() -> None:
    said = "An Authorised Person must keep records.", "An Authorised Person must pay the fee."
    hits = make_hits(" ".join(said), " ".join(said))
    result = answer("What must an Authorised Person do?", hits)
    for number in (1, 2):
        quotes = [one.quote for one in result.citations if one.number == number]
        assert " ".join(quotes) == " ".join(said)


RETENTION = (
    "An Authorised Person must keep all records of Client orders and decisions to deal in "
    "Investments at its principal office for {} years after the end of the financial year."
)


@pytest.mark.parametrize(
    "other", [RETENTION.format(10), RETENTION.format(6).replace("must", "must not")]
)
def test_a_changed_figure_or_a_negation_is_no_repetition(other: str) -> None:
    one = RETENTION.format(6)
    assert "[1][2]" in answer("How long?", make_hits(one, one.replace("the end", "an end"))).text
    text = answer("How long?", make_hits(one, other)).text.replace("**", "")
    assert f"“{one}” [1]" in text
    assert f"“{other}” [2]" in text


ADVICE = (
    "Before it advises a Retail Client, a firm must obtain in writing the information on the "
    "knowledge, experience, income and objectives of that client that the Authority prescribes."
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Retail", "Professional"),
        ("Before", "After"),
        ("income and", "income or"),
        ("a Retail Client", "all Retail Clients"),
        ("income and", "income above £500 and"),
    ],
)
def test_a_rule_for_somebody_or_something_else_is_no_repetition(old: str, new: str) -> None:
    other = ADVICE.replace(old, new)
    text = answer("What must a firm obtain?", make_hits(ADVICE, other)).text.replace("**", "")
    assert f"“{ADVICE}” [1]" in text
    assert f"“{other}” [2]" in text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The fee is £500.", "The fee is $500."), ("The cap is 5.", "The cap is 5%."),
        ("A ratio of <= 25 is low.", "A ratio of >= 25 is low."),
        ("The rate must be above -2.", "The rate must be above 2."),
        ("A bond must be rated A+ then.", "A bond must be rated A- then."),
    ],
)  # fmt: skip
def test_another_sign_is_no_repetition(one: str, other: str) -> None:
    assert essence(one) != essence(other)


def test_articles_number_and_punctuation_make_no_other_rule() -> None:
    other = ADVICE.replace("a Retail Client,", "any retail clients").replace(" the k", " k")
    assert "[1][2]" in answer("What must a firm obtain?", make_hits(ADVICE, other)).text


FEES = """The annual fee of a firm is set out in the following table:
\\Table Start
Category\tFee
Category 1 bank\t25,000 dollars
Category 2 broker\t12,500 dollars
\\Table End"""


def test_a_small_table_is_quoted_whole_with_what_leads_into_it() -> None:
    result = answer("What is the annual fee of a broker?", make_hits(FEES))
    assert result.text.endswith(
        "**COBS 1.1**: “The annual fee of a firm is set out in the following table:\n"
        "  | Category | Fee |\n"
        "  | Category 1 bank | 25,000 dollars |\n"
        "  | Category 2 broker | 12,500 dollars |” [1]"
    )
    assert [citation.quote for citation in result.citations] == [
        "The annual fee of a firm is set out in the following table:",
        "Category Fee Category 1 bank 25,000 dollars Category 2 broker 12,500 dollars",
    ]
    assert result.verification is not None
    assert result.verification.score == 1


def test_of_a_large_table_the_head_and_the_rows_that_bear_on_the_question_are_quoted() -> None:
    rows = [f"Category {n} holder of licence number {n}\t{n},000 dollars" for n in range(1, 30)]
    rows[20] = "Category 21 broker of derivatives\t12,500 dollars"
    start, head, *_, end = FEES.splitlines()[1:]
    lead = FEES.splitlines()[0]
    text = "\n".join([lead, start, head, *rows, end, "A firm must pay it in May."])
    result = answer("What is the annual fee of a broker of derivatives?", make_hits(text))
    assert result.text.endswith(
        "table:\n"
        "  | Category | Fee | […]\n"
        "  | Category 21 broker of derivatives | 12,500 dollars | […] A firm must pay it in May.” "
        "[1]"
    )
    for citation in result.citations:
        assert citation.quote in fold(citation.passage.text)
    assert result.verification is not None
    assert result.verification.score == 1


def test_a_changed_cell_is_found_by_the_verifier() -> None:
    result = answer("What is the annual fee of a broker?", make_hits(FEES))
    changed = result.text.replace("12,500", "17,500")
    assert verify(changed, result.sources()).score == 0


def test_long_lists_keep_introduction_and_the_items_that_bear_on_the_question() -> None:
    items = [f"({chr(97 + n)})\tmatter number {n} of general housekeeping;" for n in range(20)]
    items[13] = "(n)\tdispute resolution procedures for storage facilities;"
    text = "A Person must have arrangements for:\n" + "\n".join(items)
    result = answer(
        "Which dispute resolution must storage facilities have?",
        make_hits(text),
        settings=AnswerSettings(words=40),
    )
    assert "“A Person must have arrangements for:" in result.text
    assert "(n) dispute resolution procedures for storage facilities;" in result.text
    assert "[…]" in result.text
    assert_quotes_are_the_sources_words(result)


def test_item_that_introduces_others_is_not_quoted_without_them() -> None:
    text = (
        "A Person must:\n(a)\tensure that its systems:\n(i)\tare tested every year by an auditor;\n"
        "(ii)\tare documented; and\n(b)\tpay the fee."
    )
    result = answer("When are systems tested?", make_hits(text), settings=AnswerSettings(words=15))
    assert "(i) are tested every year" in result.text


def test_a_fact_in_the_indicative_answers_as_a_duty_does() -> None:
    text = "A firm must keep records of its complaints. A reply is sent within three working days."
    result = answer("How soon is a reply sent?", make_hits(text))
    assert result.extract is not None
    best = next(one for one in result.extract.statements if "three working days" in one.quote)
    assert (best.kind, best.time) == ("other", "three working days")


def test_question_for_a_meaning_gets_the_definition() -> None:
    hits = make_hits('A Fund must file accounts. "Annual accounts" means accounts of a year.')
    result = answer("What does annual accounts mean?", hits, settings=AnswerSettings(words=6))
    assert '"Annual accounts" means accounts of a year.” [1]' in result.text


GLOSSARY = "Defined Terms\tDefinitions\n" + "\n".join(
    f"Thing {n}\tMeans a thing that a firm must report." for n in range(12)
)


def test_of_a_glossary_only_the_definition_that_is_asked_for_is_quoted() -> None:
    said = "Thing 7\tMeans a thing that a firm must report."
    hit = replace(make_hit(GLOSSARY), definition=said)
    result = answer("What is Thing 7?", [hit])
    assert "“Thing 7 Means a thing that a firm must report.” [1]" in result.text
    assert "Thing 6" not in result.text
    assert_quotes_are_the_sources_words(result)
    assert result.verification is not None
    assert (result.verification.obligations, result.verification.missing) == (1, ())


def test_budget_bounds_the_answer_and_the_record_has_what_is_left_out() -> None:
    hits = make_hits(*(f"A Person must do thing {n} " + "and more " * 15 + "." for n in range(10)))
    result = answer("What must be done?", hits, settings=AnswerSettings(words=100))
    assert len(result.text.split()) < 180
    assert result.extract is not None
    quoted = {one.passage.id for one in result.extract.statements}
    left_out = {one.passage.id for one in result.extract.left_out}
    assert quoted | left_out == {hit.id for hit in hits}
    assert not quoted & left_out


def test_all_parts_of_a_rule_that_is_asked_for_are_quoted_or_named() -> None:
    texts = "Practices. The following practices shall be prohibited:", *(
        f"(a) the use of system {n} that deceives persons of group {n};" for n in range(6)
    )  # fmt: skip
    named = [replace(hit, scores=replace(hit.scores, number=0.9)) for hit in make_hits(*texts)]
    whole = answer("Article 5", named)
    assert all(f"system {n}" in whole.text for n in range(6))
    short = answer("Article 5", named, settings=AnswerSettings(words=30))
    assert short.text.startswith("**COBS 1.1**: “The following practices shall be prohibited:")
    assert "Not quoted for length: 1." in short.text
    assert all(f" 1.{n}" in short.text for n in range(1, 8))
    assert short.verification is not None
    assert short.verification.score == 1


def test_of_a_long_sentence_the_words_that_answer_are_bold() -> None:
    text = (
        "Where a firm has learned of a loss of client money, whether by its own fault or not, it "
        "must, having told its auditor, notify the Regulator within 24 hours of that time, and it "
        "must keep a record of what it did."
    )
    result = answer("How soon must the Regulator be notified of a loss?", make_hits(text))
    _, line = re.findall(r"\*\*(.+?)\*\*", result.text)
    assert "within 24 hours" in line
    assert line in text
    assert len(line.split()) <= 25
    assert result.text.replace("**", "").count("24 hours") == 1
    assert result.extract is not None
    assert [one.role for one in result.extract.statements] == ["answer", "rule"]
    assert result.verification is not None
    assert result.verification.score == 1


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("May a Fund lend money?", "A Fund must not lend money."),
        ("Can a Fund lend money?", "A Fund may lend money."),
        ("May a Fund lend money?", "A Fund may lend money only in May."),
    ],
)
def test_no_verdict_comes_before_the_rule(question: str, text: str) -> None:
    assert answer(question, make_hits(text)).text.startswith("**COBS")


def test_numbers_of_sources_rise_in_the_order_of_the_answer() -> None:
    first = "A Fund must value its land every year, and it must tell the Regulator of each value."
    second = (
        "If the value of the land of a Fund falls by more than a third within one month, the Fund "
        "must report the loss in value to the Regulator within five days after it becomes aware."
    )
    hits = [
        make_hit(second, "5.2.(2)", 1.0, 1, order=2),
        make_hit(first, "5.2.(1)", 0.95, 2, order=1),
    ]
    result = answer("How soon must a Fund report a loss in value of its land?", hits)
    assert result.text.index(second[:30]) < result.text.index(first[:30])
    numbers = [int(number) for number in re.findall(r"\[(\d+)\]", result.text)]
    assert list(dict.fromkeys(numbers)) == [1, 2]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How soon must a Fund report a loss?", "The provisions found do not state a time limit."),
        ("Which software must a Fund use?", "The provisions found do not state which software."),
        ("How many owls must a Fund report?", "The provisions found do not state how many owls."),
        ("Which weight must a Fund report?", "**COBS 1.1**"),
        ("Must a Fund report a loss?", "**COBS 1.1**"),
    ],
)
def test_what_is_asked_for_and_not_stated_is_said_first(question: str, first: str) -> None:
    found = answer(question, make_hits("A Fund must report a loss to its board."))
    assert found.text.startswith(first)
    assert found.verification is not None
    assert found.verification.score == 1


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What is the fine for a Fund that reports no loss?", ["money"]),
        ("Which fees must a Fund pay when it reports a loss?", ["money"]),
        ("Fine for a loss that a Fund does not report?", ["money"]),
        ("Must a Fund report the costs of an insolvency as a loss?", []),
        ("Must our platform report the loss of a Fund?", []),
        ("On which platform must a Fund report a loss?", ["form"]),
        ("What is the threshold for a loss that a Fund must report?", ["percent"]),
        ("Must a Fund whose thresholds are exceeded report a loss?", []),
        ("How far in advance must a Fund report a loss?", ["time"]),
    ],
)
def test_a_kind_of_value_is_missing_only_where_it_is_asked_for(
    question: str, missing: list[str]
) -> None:
    found = answer(question, make_hits("A Fund must report a loss to its board."))
    assert found.to_json()["not_stated"]["kinds"] == missing


@pytest.mark.parametrize("kept", [True, False])
def test_what_a_kept_passage_states_is_stated_even_if_it_is_not_quoted(kept: bool) -> None:
    hits = [
        make_hit("A Fund must pay the fee for a licence of a fund to the board.", "1.1", 0.9),
        make_hit("Owls are 5 euros.", "1.2", 0.8 if kept else 0.2, 2),
    ]
    found = answer("How much is the fee for a licence of a fund?", hits)
    assert [one.passage_id for one in found.sources().values()] == ["1.1"]
    assert found.to_json()["not_stated"]["kinds"] == ([] if kept else ["money"])


def test_most_is_asked_for_as_a_number_only_where_it_is_one() -> None:
    assert "number" not in asked_kinds("What are the most critical aspects of the rule?")
    assert "number" in asked_kinds("What is the most that a Fund may borrow?")
    assert "number" in asked_kinds("What is the minimum capital of a Fund?")
    assert "number" not in asked_kinds("What are the minimum security requirements for keys?")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("For how much must a tug be insured?", "Each tug must be insured for 2 million kroner."),
        ("How much is the fee of a tug?", "The fee of a tug is Rs 5,000."),
        ("How many times is a tug read?", "A tug must be read twice."),
        ("How long must passwords of a tug be?", "Passwords must have 8 characters for a tug."),
    ],
)
def test_nothing_is_called_absent_beside_a_figure_of_an_unknown_unit(
    question: str, text: str
) -> None:
    assert answer(question, make_hits(text)).to_json()["not_stated"]["kinds"] == []
    without = answer(question, make_hits("A tug must be insured, be read and have passwords."))
    assert without.to_json()["not_stated"]["kinds"]


def test_what_shares_no_word_with_the_question_is_not_sure() -> None:
    hits = make_hits("A zoo must feed the otters twice a day.")
    assert answer("How often must the otters eat?", hits).state == "answered"
    assert answer("How often must a kennel walk each dog?", hits).state == "unsure"


def test_a_table_of_fees_without_a_currency_states_an_amount() -> None:
    table = "Fees are set out below.\n| Ship | Fee |\n| --- | --- |\n| Tug | 20 |"
    found = answer("How much is the fee for a tug?", make_hits(table))
    assert found.to_json()["not_stated"]["kinds"] == []
    ships = table.replace("Fee", "Crew")
    other = answer("How much is the fee for a tug?", make_hits(ships))
    assert other.to_json()["not_stated"]["kinds"] == ["money"]


@pytest.mark.parametrize("amount", ["Amount in EUR: 41250", "Amount (EUR): 41,250"])
def test_a_row_of_a_sheet_is_quoted_whole_with_a_line_for_each_column(amount: str) -> None:
    row = f"Fee: Levy of the industry\nRecipient:  Central Bank\n{amount}\nDue: 28 February 2027\n"
    found = answer("How much is the levy?", make_hits(row))
    assert "“Fee: Levy of the industry\nRecipient: Central Bank\n" in found.text
    assert found.text.count("Due: 28 February 2027”") == 1 and "[…]" not in found.text
    assert found.to_json()["not_stated"]["kinds"] == []
    (citation,) = found.citations
    assert citation.quote == " ".join(row.split())


def test_names_of_values_above_prose_are_no_row_of_a_sheet() -> None:
    rule = "Scope: all firms.\nA firm must pay. It must pay the levy: in full.\nNote: none."
    assert "\n" not in answer("Who must pay the levy?", make_hits(rule)).text.split("\n\n")[0]


def test_words_of_grammar_and_of_references_are_not_said_to_be_absent() -> None:
    found = answer("Was sagt Art. 5 Abs. 2 zum Honig?", make_hits("Der Honig ist zu wiegen."))
    assert found.to_json()["not_stated"]["words"] == []
    found = answer("Combien de temps pour le miel ?", make_hits("Le miel est gardé un an."))
    assert found.to_json()["not_stated"]["words"] == []


def test_of_a_table_in_a_passage_that_the_filter_left_out_the_best_rows_are_quoted() -> None:
    places = "ports", "mines", "farms", "inns", "forts", "banks", "ships", "mills", "parks", "zoos"
    rows = [f"Files on {one} of the county\t{n} years" for n, one in enumerate(places, 3)]
    rows += ["Files on wells that were dug by strangers and are dry by now\t2 years"]
    table = "\n".join(["Records are kept as follows:", "\\Table Start", "Record\tPeriod", *rows])
    hits = [
        make_hit("This policy says how long records are kept.", "1.1", 0.95),
        make_hit(f"{table}\n\\Table End", "5.2", 0.3, 2),
    ]
    found = answer("How long are files on dry wells that strangers dug kept?", hits)
    assert "2 years" in found.text
    assert "inns" not in found.text


def test_a_sentence_that_only_points_gives_way_to_what_another_passage_says() -> None:
    hits = [
        make_hit("This policy says how paper files of the group are destroyed.", "1.1", 0.95),
        make_hit("Paper files of the group are shredded by the cleaners.", "5.2", 0.5, 2),
    ]
    found = answer("How should paper files be destroyed?", hits)
    assert "shredded by the cleaners" in found.text
    assert "shredded" not in answer("How should paper files be destroyed?", [
        make_hit("This policy destroys paper files of the group.", "1.1", 0.95), hits[1]
    ]).text  # fmt: skip


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("How soon must a keeper respond?", "but in all cases within 45 days of receipt"),
        ("How often must a keeper respond?", "but in all cases within 45 days of receipt"),
        ("Who must respond to a ship?", ""),
        ("How much must a keeper pay?", ""),
    ],
)
def test_the_clause_with_the_value_that_was_asked_for_is_the_answer(
    question: str, line: str
) -> None:
    text = (
        "A keeper shall respond without undue delay to each ship, but in all cases within 45 days "
        "of receipt, and shall keep the request with the papers of the ship that it is about."
    )
    assert answer_line(question, text) == line
    assert not answer_line(question, text + " A late reply is given within 60 days.")


def test_german_endings_do_not_hide_the_subject() -> None:
    about = Subject("Geldwäschebeauftragter", {"geldwäschebeauftragt": 5.0})
    assert about.share(terms_of("einen Geldwäschebeauftragten zu bestellen")) == 1
    assert about.share(terms_of("einen Beauftragten zu bestellen")) == 0


PERIOD = Passage("period", "3", "9.9", "A Fund must keep each record for 6 years.", "Rules")


class Corpus(Shelves):
    """Knows how rare words are and which documents there are, and nothing else."""

    def __init__(self, *documents: DocumentSummary) -> None:
        super().__init__({})
        self._documents = list(documents)

    def documents(self) -> list[DocumentSummary]:
        return self._documents

    def rarities(self, terms: Collection[str]) -> dict[str, float]:
        return {term: 0.0 if term in ("finqen", "portal", "qx") else 5.0 for term in terms}

    def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float("losses" in text) for text in texts]

    def cited(self, passages: Sequence[Passage]) -> list[Passage]:
        """Rule 9.9 alone, where they name it."""
        return [PERIOD] if any("Rule 9.9" in one.text for one in passages) else []


def test_the_period_is_quoted_from_the_rule_that_the_best_sentence_names() -> None:
    hits = make_hits("The period in Rule 9.9 is the only retention period of a Fund.")
    found = answer("retention period of a Fund?", hits, context=AnswerContext(library=Corpus()))
    assert found.citations[0].passage is PERIOD
    assert found.to_json()["not_stated"]["kinds"] == []
    assert found.text.startswith("**COBS 9.9**")


def test_a_passage_that_is_only_cited_is_in_the_record_with_its_text() -> None:
    hits = make_hits("The period in Rule 9.9 is the only retention period of a Fund.")
    found = answer("retention period of a Fund?", hits, context=AnswerContext(library=Corpus()))
    record = found.to_json()
    texts = dict(zip(record["RetrievedIDs"], record["RetrievedPassages"], strict=True))
    assert texts[PERIOD.id] == PERIOD.text
    assert next(iter(texts)) == hits[0].id


def test_a_rule_that_states_no_time_is_not_followed() -> None:
    hits = make_hits("The amount in Rule 8.8 is the only retention period of a Fund.")
    found = answer("retention period of a Fund?", hits, context=AnswerContext(library=Corpus()))
    assert found.to_json()["not_stated"]["kinds"] == ["time"]


class Rulebook(Corpus):
    """A corpus with the passages of one document."""

    def __init__(self, *passages: Passage) -> None:
        super().__init__()
        self._held = list(passages)

    def passages(self, document_id: str) -> list[Passage]:
        return [one for one in self._held if one.document_id == document_id]


def test_a_sub_paragraph_that_the_quotation_names_is_quoted_beside_it() -> None:
    first = make_hit("Subject to (2), a Fund must report each loss.", "4.1.(1)")
    second = make_hit("No report is due where (3) applies.", "4.1.(2)").passage
    third = make_hit("A loss is small below EUR 10.", "4.1.(3)").passage
    other = make_hit("No one reports.", "5.1.(2)").passage
    context = AnswerContext(library=Rulebook(first.passage, second, third, other))
    found = answer("Must a Fund report a loss?", [first], context=context)
    assert [one.passage.passage_id for one in found.citations] == ["4.1.(1)", "4.1.(2)"]
    assert "- (2): “No report is due where (3) applies.” [2]" in found.text


def test_what_a_fetched_sub_paragraph_names_is_quoted_too() -> None:
    first = make_hit("For the purposes of (1), a Fund must report each loss.", "4.1.(3)")
    rule = make_hit("Each Fund watches the matters in (2).", "4.1.(1)").passage
    matters = make_hit("The matters are losses, in the words of (4).", "4.1.(2)").passage
    beyond = make_hit("Words are plain.", "4.1.(4)").passage
    context = AnswerContext(library=Rulebook(first.passage, rule, matters, beyond))
    found = answer("What must a Fund report?", [first], context=context)
    assert {one.passage.passage_id for one in found.citations} == {"4.1.(1)", "4.1.(2)", "4.1.(3)"}


def test_guidance_that_names_a_sub_paragraph_of_its_rule_has_it_beside_it() -> None:
    first = make_hit("In relation to (4), a Fund should report each loss.", "4.1.Guidance.2.")
    rule = make_hit("No Fund hides a loss.", "4.1.(4)").passage
    context = AnswerContext(library=Rulebook(first.passage, rule))
    found = answer("How should a Fund report a loss?", [first], context=context)
    assert rule.id in {one.passage.id for one in found.citations}


def test_a_range_of_sub_paragraphs_of_another_rule_names_none_of_this_one() -> None:
    first = make_hit("A Fund must report under Rules 3.8.12(b) to (5).", "4.1.(1)")
    other = make_hit("No Fund hides a loss.", "4.1.(5)").passage
    context = AnswerContext(library=Rulebook(first.passage, other))
    found = answer("What must a Fund report?", [first], context=context)
    assert [one.passage.id for one in found.citations] == [first.id]


def test_a_sentence_that_only_points_elsewhere_is_never_the_whole_answer() -> None:
    texts = (
        "This Chapter sets out how a Fund must report each loss.",
        "Losses are counted by the auditor.",
    )
    hits = [
        replace(hit, score=score, relevance=score)
        for hit, score in zip(make_hits(*texts), (1.0, 0.01), strict=True)
    ]
    found = answer("How must a Fund report each loss?", hits)
    assert "This Chapter" in found.text
    assert "counted by the auditor" in found.text


def test_passages_that_hardly_answer_beside_the_best_are_not_quoted() -> None:
    texts = (
        "A Fund must report a loss.",
        "A Fund must publish a loss.",
        "A Fund must sign a loss.",
    )
    hits = [
        replace(hit, relevance=relevance)
        for hit, relevance in zip(make_hits(*texts), (0.9, 0.4, 0.02), strict=True)
    ]
    found = answer("What must a Fund do about a loss?", hits)
    assert "publish" in found.text and "sign" not in found.text
    unsure = [replace(hit, relevance=0.02) for hit in hits]
    assert "sign" in answer("What must a Fund do about a loss?", unsure).text


def test_the_short_name_of_a_quoted_document_is_not_said_to_be_absent() -> None:
    hits = [make_hit("A Fund must report a loss.", "3.5.1")]
    found = answer("Rule 3.5.1 of COBS?", hits, context=AnswerContext(library=Corpus()))
    assert "COBS" not in found.to_json()["not_stated"]["words"]


def test_names_that_the_index_lacks_are_told() -> None:
    context = AnswerContext(library=Corpus())
    result = answer("Must a Fund tell FinQEN of a loss?", make_hits("A Fund reports a loss."),
                    context=context)  # fmt: skip
    assert "Nothing in this index mentions: FinQEN." in result.text
    assert result.to_json()["not_stated"]["names"] == ["FinQEN"]


@pytest.mark.parametrize(("answerable", "refuses"), [(0.29, True), (0.31, False), (None, False)])
def test_a_name_that_the_index_lacks_is_refused_where_an_answer_is_in_doubt(
    answerable: float | None, refuses: bool
) -> None:
    result = answer(
        "Must a Fund tell FinQEN of a loss?", make_hits("A Fund reports a loss."),
        context=AnswerContext(library=Corpus()), answerable=answerable,
        settings=AnswerSettings(filter=FilterSettings(min_answerable=0.2)),
    )  # fmt: skip
    assert result.refused_by == ("unknown-name" if refuses else None)


@pytest.mark.parametrize(("name", "refuses"), [("FinQEN", True), ("QX", False)])
def test_two_capitals_are_no_reason_to_refuse(name: str, refuses: bool) -> None:
    result = answer(
        f"Must a Fund tell the {name} of a loss?", make_hits("A Fund reports a loss."),
        context=AnswerContext(library=Corpus()), answerable=0.29,
        settings=AnswerSettings(filter=FilterSettings(min_answerable=0.2)),
    )  # fmt: skip
    assert (result.refused_by == "unknown-name") is refuses


def test_who_is_not_sure_names_the_nearest_passages_and_the_unknown_name() -> None:
    estimated = AnswerSettings(filter=FilterSettings(min_answerable=0.1, nearest_share=0.3))
    result = answer(
        "Must a Fund tell FinQEN of a loss?", make_hits("A Fund reports a loss."),
        context=AnswerContext(library=Corpus()), answerable=0.05, settings=estimated,
    )  # fmt: skip
    assert result.state == "unsure"
    assert "Nothing in this index mentions: FinQEN." in result.text


def test_a_question_is_read_with_its_abbreviations_in_full() -> None:
    hits = make_hits("A firm makes a data protection impact assessment before it buys a tool.")
    full = AnswerContext(library=Corpus(), in_full="When is a data protection impact assessment?")
    assert answer("When is a DPIA?", hits, context=full).state == "answered"
    context = AnswerContext(library=Corpus())
    assert answer("When is a DPIA?", hits, context=context).state == "unsure"


@pytest.mark.parametrize(
    ("document_id", "title"),
    [
        ("7", "FinQEN Rules on Reports"),
        ("finqen", "Reports"),
        ("finqen-2024", "Document of 2024"),
        ("7", "Reports to the Network (FINCEN)"),
        ("7", "Financial Crimes Enforcement Network Act, 2004, c. 3, Sched. A"),
        ("7", "Act No. 7 (Financial Crime and Enforcement Notice)"),
    ],
)
def test_a_name_of_a_document_at_hand_is_not_missing(document_id: str, title: str) -> None:
    question = "Must a Fund report a loss under FINCEN and PORTAL?"
    context = AnswerContext(library=Corpus(DocumentSummary(document_id, title, 1)))
    if title.startswith(("Financial", "Act")):
        question = question.replace("FINCEN", "FCEN")
    result = answer(question, make_hits("A Fund must report a loss."), context=context)
    assert result.to_json()["not_stated"]["names"] == ["PORTAL"]


def test_a_question_is_not_refused_for_the_name_of_a_document() -> None:
    hits = make_hits("Somebody else does something else.")
    for id_, refused in (("finqen", False), ("other", True)):
        context = AnswerContext(library=Corpus(DocumentSummary(id_, "Title", 1)))
        result = answer("Which custodians report under FinQEN?", hits, context=context)
        assert result.insufficient_evidence == refused
        if not refused:
            assert result.extract is not None
            assert "FinQEN" not in result.extract.not_stated["words"]


def test_what_is_alike_in_meaning_goes_before_what_shares_words() -> None:
    hits = make_hits("A Fund has a red sign. Heavy losses are told to the board by phone at night.")
    found = answer("What does a Fund do when it is in the red?", hits,
                   context=AnswerContext(library=Corpus()))  # fmt: skip
    assert found.extract is not None
    assert "losses" in found.extract.statements[0].quote


def test_a_rule_named_in_passing_is_quoted_behind_what_answers() -> None:
    rule = Passage("r", "3", "9.3", "A Fund must value its assets.", document_title="COBS")
    hits = make_hits("Under Rule 9.3 a Fund should ask an expert for the value of land.")
    result = answer("Who values land under Rule 9.3?", hits, context=AnswerContext(named=(rule,)))
    assert [p.passage_id for p in result.sources().values()] == ["1.1", "9.3"]


def test_a_rule_named_in_passing_is_not_quoted_at_length() -> None:
    duties = [f"A Fund must count its {word} every Monday." for word in ("gold", "tin", "oil")]
    rule = Passage("r", "3", "9.3", " ".join(duties), document_title="COBS")
    hits = make_hits("Under Rule 9.3 a Fund must ask an expert for the value of land.")
    question = "Who values land, which Rule 9.3 does not let a Fund count like oil?"
    result = answer(question, hits, context=AnswerContext(named=(rule,)))
    quotes = [c.quote for c in result.citations if c.passage == rule]
    assert quotes
    assert not all(any(duty in quote for quote in quotes) for duty in duties)
    assert "expert" in result.text


@pytest.mark.parametrize("text", ["Application", "/Table Start\n/Table End", "a" * 50_000, "1.\t2"])
def test_passages_without_a_sentence_still_give_an_answer(text: str) -> None:
    result = answer("What applies?", make_hits(text))
    assert result.citations
    assert_quotes_are_the_sources_words(result)


def test_empty_question_is_refused() -> None:
    with pytest.raises(InputError, match="question is empty"):
        answer(" \n", make_hits("A Person must pay."))


def test_unknown_mode_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="choose one of extractive, rag"):
        answer("What?", make_hits("A Person must pay."), mode="poem")


def test_whole_answer_is_handed_to_the_listener_safe_to_print() -> None:
    heard: list[str] = []
    answer("What?", make_hits("A Person must pay \x1b[31mnow."), on_text=heard.append)
    assert len(heard) == 1
    assert "\x1b" not in heard[0]
    assert "[31mnow" in heard[0]


@pytest.mark.corpus
def test_quotes_of_real_answers_are_the_sources_words(data_folder: Path) -> None:
    passages = real_passages(data_folder)
    lines = (data_folder / "obliqa" / "questions.dev.jsonl").read_text("utf-8").splitlines()
    for line in lines[::7]:
        question = json.loads(line)
        gold = [passages[key] for key in question["relevant"] if key in passages]
        hits = [
            Hit(rank, 1 - rank / 50, Scores(RetrieverScore(1, 1, rank)), passage)
            for rank, passage in enumerate(gold, start=1)
        ]
        result = answer(question["question"], hits)
        for citation in result.citations:
            assert citation.quote in fold(citation.passage.text)
        assert len(result.text.split()) < 450


def real_passages(data_folder: Path) -> dict[str, Passage]:
    found = {}
    for file in (data_folder / "obliqa" / "documents").glob("*.json"):
        for r in json.loads(file.read_text("utf-8")):
            found[r["ID"]] = Passage(r["ID"], str(r["DocumentID"]), r["PassageID"], r["Passage"])
    return found


def test_where_nothing_is_sure_the_first_hit_is_shown_beside_what_answers_best() -> None:
    texts = ("A notice is on green paper.", "A Fund reports a loss within 3 days.", "Nothing else.")
    hits = [replace(hit, score=0.5 - hit.rank / 100) for hit in make_hits(*texts)]
    found = answer("How soon is a loss of a Fund reported?", hits, answerable=0.5)
    assert found.state == "unsure"
    assert "within 3 days" in found.text and "green paper" in found.text


def test_an_amount_is_asked_for_at_the_end_of_a_question_too() -> None:
    assert "money" in asked_kinds("Do suppliers need insurance, and for how much?")
    assert "money" not in asked_kinds("How much notice must a tenant give?")


def test_of_a_long_list_item_its_introduction_and_its_own_words_are_compared() -> None:
    lead = "A Fund that holds assets of others in any of the ways named in this Chapter must:"
    items = [f"({mark}) {what} each quarter, in the form that the Regulator asks for, and without"
             " delay where the value of those assets has changed much"
             for mark, what in (("a", "report losses"), ("b", "sign the accounts"))]  # fmt: skip
    units = [unit for one in statements_of("\n".join([lead, *items])) for unit in units_of(one)]
    seen: list[str] = []

    def similarities(question: str, texts: Sequence[str]) -> list[float]:
        seen.extend(texts)
        return [0.0] * len(texts)

    meaning_of("What?", [Candidate(0, 0, unit, "obligation") for unit in units], similarities)
    assert all(len(text.split()) == SCORE.words and text.startswith("A Fund") for text in seen)
    assert "report losses" in seen[0] and "sign the accounts" in seen[1]


def test_a_definition_that_nobody_asked_for_does_not_answer_alone() -> None:
    incident = "Material Incident means a cyber attack that discloses details of clients."
    duty = "A firm must inform each client of a Material Incident within 3 days."
    question = "A cyber attack has disclosed details of some clients: how soon must we inform them?"
    rule = make_hit(duty, "4.2", 0.6, 2, document_id="gov")
    defined = make_hit(incident, "2.2", 1.0, 1, kind="definition", document_id="glo")
    assert [one.passage.passage_id for one in answer(question, [defined, rule]).citations] == [
        "2.2", "4.2",
    ]  # fmt: skip
    other = make_hit(incident, "2.2", 1.0, 1, document_id="glo")
    assert [one.passage.passage_id for one in answer(question, [other, rule]).citations] == ["2.2"]


def test_a_question_in_another_language_is_not_told_which_words_are_missing() -> None:
    hits = make_hits("A bank that trades for its own account must not use what it has learnt.")
    question = (
        "Une banque tient les deux côtés du marché. Lundi, elle apprend une mauvaise nouvelle "
        "encore cachée. Peut-elle continuer mardi ?"
    )
    found = answer(question, hits, context=AnswerContext(library=Corpus()))
    assert not found.insufficient_evidence
    assert found.to_json()["not_stated"]["words"] == []


LAW = make_hit("A keeper must hold each log for six months.", "26", 0.95, 1, document_id="law")
POLICY = make_hit("We store the log of each lorry for two years.", "9", 0.3, 2, document_id="own")


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("Do we store a log longer than the Log Act demands?", {"law", "own"}),
        ("How does the Irish log period compare with that of the UK?", {"law", "own"}),
        ("How long must a keeper hold a log?", {"law"}),
    ],
)
def test_what_is_compared_is_quoted_side_by_side(question: str, documents: set[str]) -> None:
    result = answer(question, [LAW, POLICY])
    assert {one.passage.document_id for one in result.citations} == documents
    assert "six months" in result.text


def test_a_document_without_the_value_asked_for_is_not_set_beside() -> None:
    other = make_hit("We store the log of each lorry.", "9", 0.3, 2, document_id="own")
    result = answer("Do we store a log longer than the Log Act demands?", [LAW, other])
    assert {one.passage.document_id for one in result.citations} == {"law"}


def test_a_figure_that_is_asked_for_is_quoted_from_the_next_passage() -> None:
    hits = make_hits(
        "Unless they are developed with care, critical systems pose risks from hacking and loss.",
        "Vendors send, besides the form:\n"
        "• the summary of a penetration test that is not older than twelve months;\n"
        "• a certificate to ISO/IEC 27001 or a SOC 2 Type II report of last year;\n"
        "• proof of cyber insurance of at least EUR 5 million;\n"
        "• the plan for business continuity with the result of the last test.",
    )
    question = "Do our critical suppliers need insurance against hacking, and for how much?"
    assert "EUR 5 million" in answer(question, hits).text


def test_a_heading_that_passages_begin_with_is_not_quoted() -> None:
    heading = "Principle 1 – Oversight and responsibility of climate-related risks."
    going_on = (
        "The board should understand climate-related risks.",
        "A firm should oversee climate-related risks in its strategy.",
        "Senior management is responsible for climate-related risks.",
    )
    hits = make_hits(*(f"{heading}\n{text}" for text in going_on))
    question = "Who has oversight and responsibility of climate-related risks?"
    assert "Principle 1" not in answer(question, hits).text
    # What two passages share may be a rule that both have.
    assert "Principle 1" in answer(question, hits[:2]).text


def test_what_one_passage_says_several_times_is_no_heading_of_it() -> None:
    same = "(a) a fee for each lamp that it lights in the harbour or on the quay between the first "
    same += "day of May and the last day of August, unless the clerk freed it by a written note."
    text = "\n".join(["A keeper must pay:", same, same, same, same, "The clerk keeps a list."])
    assert "a fee for each lamp" in answer("What must a keeper pay?", make_hits(text)).text

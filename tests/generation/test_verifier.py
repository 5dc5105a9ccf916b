"""The verifier: every statement of an answer against the passages it cites."""

from __future__ import annotations

from dataclasses import replace

import pytest
from effort import no_runaway

from generation.statements.answers import statements_in
from generation.statements.words import words_of
from generation.verify import Verification, verification_text, verify
from generation.verify.checks.coverage import obligations_of
from generation.verify.compare.sources import Source
from search.records import Passage

NOTIFY = Passage(
    "n",
    "GOVN",
    "4.2.1",
    "A Licensed Firm must notify the Commission of a Material Incident within 24 hours after "
    "becoming aware of it. A Licensed Firm must not delay the notification, unless Rule 3.5.8(b) "
    "applies. The Commission may publish the incident before 1 March 2026.",
    document_title="Governance Rulebook (GOVN)",
    breadcrumb=("4 Incidents. General",),
)
FEES = Passage(
    "f",
    "FEES",
    "2.1",
    "An Applicant should pay the annual fee of USD 10,000 in three instalments. It must:\n"
    "(a)\tstate the “reference number” on each payment;\n(b)\tkeep a receipt for six years; and\n"
    "(c)\tinform its bank.",
    document_title="Fees Rules",
)
SOURCES = {1: NOTIFY, 2: FEES}


def verdict(text: str, question: str = "") -> tuple[str, list[str]]:
    """The verdict on an answer of one statement, and the kinds of what was found."""
    (one,) = verify(text, SOURCES, question).statements
    return one.verdict, [finding.kind for finding in one.findings]


@pytest.mark.parametrize(
    "text",
    [
        "A Licensed Firm must notify the Commission of a Material Incident within 24 hours after "
        "becoming aware of it [1].",
        "Within twenty-four hours of becoming aware of a Material Incident, the Licensed Firm is "
        "required to notify the Commission [1].",
        "The rule says: “a Licensed Firm must notify the Commission […] within 24 hours” [1].",
        'A firm must not "delay the notification", unless Rule 3.5.8(b) applies [1].',
        "Under Governance Rulebook Rule 4.2.1, a Licensed Firm must not delay the notification, "
        "unless Rule 3.5.8 applies [1].",
        "The Commission may publish the incident before March 1, 2026 [1].",
        "**GOVN 4.2.1** (4 Incidents. General): “The Commission may publish the incident” [1]",
        "The annual fee is USD 10000, and an Applicant should pay it in 3 instalments.[2]",
        "An Applicant must state the ‘reference number’ on each payment 【2】.",
    ],
)
def test_what_the_passage_says_is_supported_in_other_words_too(text: str) -> None:
    assert verdict(text) == ("supported", [])


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("an Applicant must keep a receipt for six years", "supported"),
        ("an Applicant must keep a receipt for seven years", "unsupported"),
        ("an Applicant must not inform its bank", "partly"),
        ("the Commission may publish the incident", "partly"),
    ],
)
def test_each_clause_is_held_against_its_own_passage(clause: str, expected: str) -> None:
    text = f"No. The Commission may publish the incident before 1 March 2026 [1], and {clause} [2]."
    assert verdict(text)[0] == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A Licensed Firm must notify the Commission of a Material Incident within 48 hours after "
         "becoming aware of it [1].", "number"),
        ("An Applicant should pay the annual fee of USD 10,000 in six instalments [2].", "number"),
        ("A Licensed Firm must not delay the notification, unless Rule 3.5.9(b) applies [1].",
         "number"),
        ("The Commission may publish the incident before 2 March 2026 [1].", "number"),
        ("A Licensed Firm must delay the notification, unless Rule 3.5.8(b) applies [1].",
         "negation"),
        ("The Commission may not publish the incident before 1 March 2026 [1].", "negation"),
        ("The Commission may publish the incident after 1 March 2026 [1].", "negation"),
        ("The rule says “A Licensed Firm must … delay the notification” [1].", "negation"),
        ("A Licensed Firm may notify the Commission of a Material Incident within 24 hours after "
         "becoming aware of it [1].", "force"),
        ("An Applicant must pay the annual fee of USD 10,000 in three instalments [2].", "force"),
        ("The rule says “a Licensed Firm must tell the Commission” [1].", "quote"),
        ("An Applicant should pay the annual fee of USD 10,000 in three instalments [1].", "words"),
        ("**FEES 2.2**: “An Applicant should pay the annual fee of USD 10,000” [2]", "number"),
        ("An Applicant should pay the annual fee of USD 10,000 in three instalments [7].",
         "citation"),
    ],
)  # fmt: skip
def test_what_was_changed_is_named(text: str, kind: str) -> None:
    found, kinds = verdict(text)
    assert found == "unsupported"
    assert kind in kinds


@pytest.mark.parametrize("other", ["not be misleading", "never be sold to a minor"])
def test_an_item_that_is_left_out_takes_no_not_from_the_others(other: str) -> None:
    text = (
        f"A financial promotion of a firm must:\n(a)\t{other};\n"
        "(b)\tidentify the issuer and state its address clearly; and\n"
        "(c)\tshow the date of approval by the board."
    )
    sources = {1: Passage("p", "COBS", "3.2", text)}
    said = "A financial promotion of a firm must identify the issuer and state its address clearly"
    (one,) = verify(f"{said} [1].", sources, "").statements
    assert (one.verdict, one.findings) == ("supported", ())


SECRET = Passage(
    "s", "AMLR", "3.1",
    "If a Firm is unable to complete due diligence, it must not open the account. A Firm must not "
    "disclose to the Customer or to any other person that a report has been made, and must keep "
    "the report for 6 years.",
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "The Customer must not be told that a report has been made [1].",
        "If due diligence cannot be completed, it must not open the account [1].",
    ],
)
def test_a_ban_in_the_passive_and_a_case_that_cannot_be_are_supported(text: str) -> None:
    (one,) = verify(text, {1: SECRET}).statements
    assert (one.verdict, one.findings) == ("supported", ())


@pytest.mark.parametrize(
    "text",
    [
        "If due diligence cannot be completed, it must open the account [1].",
        "The report must not be kept for 6 years [1].",
    ],
)
def test_a_ban_that_is_lost_or_put_on_another_act_is_not_supported(text: str) -> None:
    (one,) = verify(text, {1: SECRET}).statements
    assert one.verdict == "unsupported"


def test_reason_shows_both_sides_of_a_change() -> None:
    text = "A Licensed Firm must notify the Commission of a Material Incident within 48 hours [1]."
    (one,) = verify(text, SOURCES).statements
    assert "The statement says “48”, but the passage says “24”." in [
        f.message for f in one.findings
    ]


def test_one_wrong_citation_among_others_leaves_the_statement_partly_supported() -> None:
    text = "A Licensed Firm must notify the Commission of a Material Incident within 24 hours "
    assert verdict(text + "[1][7].") == ("partly", ["citation"])
    assert verdict(text + "[1][2].") == ("partly", ["citation"])


def test_each_passage_that_a_quotation_cites_must_have_its_words() -> None:
    retail = "Before it advises a Retail Client, a firm must obtain its objectives in writing."
    texts = {
        1: retail,
        2: retail.replace("Retail", "Professional"),
        3: retail.replace("a f", "any f"),
    }
    there = {number: Passage(str(number), "A", str(number), text) for number, text in texts.items()}

    (other,) = verify(f"“{retail}” [1][2]", there).statements
    assert other.verdict == "partly"
    assert [one.message for one in other.findings] == [
        "The quoted words are not in [2], which the statement cites for them."
    ]
    (same,) = verify(f"“{retail}” [1][3]", there).statements
    assert same.verdict == "supported"


def test_number_at_the_end_may_stand_for_the_rest_of_a_sentence() -> None:
    text = (
        "A firm “must not delay the notification, unless Rule 3.5.8(b) applies” [1], and an "
        "Applicant should pay the annual fee of USD 10,000 in three instalments [2]."
    )
    assert verdict(text) == ("supported", [])


RECORDS = Passage(
    "r",
    "RECS",
    "1",
    "A firm must keep records for 6 years, unless the Authority agrees to a shorter period. "
    "Subject to Rule 5, a Person may inspect them. The records are subject to audit each year.",
)


@pytest.mark.parametrize(
    ("text", "exception"),
    [
        ("A firm must keep records for 6 years [1].",
         "unless the authority agrees to a shorter period"),
        ("Records must be kept by a firm for 6 years [1].",
         "unless the authority agrees to a shorter period"),
        ("The rule says: “A firm must keep records for 6 years” [1].",
         "unless the authority agrees to a shorter period"),
        ("A Person may inspect them [1].", "subject to rule 5"),
    ],
)  # fmt: skip
def test_a_dropped_exception_leaves_doubt(text: str, exception: str) -> None:
    (one,) = verify(text, {1: RECORDS}).statements
    assert one.verdict == "partly"
    assert f"The statement omits “{exception}”, an exception in the passage." in [
        finding.message for finding in one.findings
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Unless the Authority agrees to a shorter period, a firm must keep them for 6 years [1].",
        "Only with a shorter period that the Authority agrees to, a firm need not keep them [1].",
        "The records are subject to audit [1].",
        "“A firm must keep records for 6 years […]” [1].",
    ],
)
def test_an_exception_that_is_told_or_belongs_elsewhere_leaves_none(text: str) -> None:
    (one,) = verify(text, {1: RECORDS}).statements
    assert "an exception in the passage" not in str(one.findings)


def test_a_duty_that_changes_sides_is_not_supported() -> None:
    there = {1: Passage("a", "A", "1", "A Firm must promptly notify the Authority of an incident.")}
    (swapped,) = verify("The Authority must notify the Firm of an incident [1].", there).statements
    assert swapped.verdict == "unsupported"
    assert (
        swapped.findings[0].message
        == "The statement binds “authority”, but the passage binds “firm”."
    )
    (turned,) = verify("The Authority must be notified by a Firm [1].", there).statements
    assert turned.verdict == "supported"


def test_one_kind_of_client_does_not_take_the_place_of_another() -> None:
    rule = "A Professional Client may at any time ask in writing to be treated as a Retail Client."
    there = {1: Passage("a", "A", "1", rule)}
    for text in (
        "Yes, a retail client can be treated as a professional client. [1]",
        "A Retail Client may at any time ask to be treated as a Professional Client [1].",
    ):
        (swapped,) = verify(text, there).statements
        assert swapped.verdict == "unsupported"
        assert swapped.findings[0].message == (
            "The statement binds “retail client”, but the passage binds “professional client”."
        )
    (same,) = verify(
        "Professional Clients can ask to be treated as Retail Clients [1].", there
    ).statements
    assert same.verdict == "supported"


@pytest.mark.parametrize(
    ("party", "verdict"),
    [
        ("A Representative Office", "supported"),
        ("Such an office", "supported"),
        ("The firm", "supported"),
        ("You", "supported"),
        ("An Authorised Person", "supported"),
        ("The auditor", "partly"),
        ("A Retail Client", "partly"),
    ],
)
def test_a_party_of_which_nobody_spoke_leaves_doubt(party: str, verdict: str) -> None:
    rule = (
        "A Representative Office must promptly notify the Regulator of any change of its address."
    )
    text = f"{party} must promptly notify the Regulator of a change of its address [1]."
    (one,) = verify(text, {1: Passage("a", "A", "1", rule)}).statements
    assert one.verdict == verdict
    (asked,) = verify(text, {1: Passage("a", "A", "1", rule)}, f"What must {party} do?").statements
    assert asked.verdict == "supported"


def test_uncited_statement_is_told_where_its_words_stand() -> None:
    (one,) = verify("A Licensed Firm must not delay the notification.", SOURCES).statements
    assert (one.verdict, one.citations) == ("uncited", ())
    assert one.findings[0].message == "No citation; its words appear in [1]."


def test_numbers_and_terms_of_the_question_may_be_repeated() -> None:
    text = "An incident of “4 June” must be notified to the Commission within 24 hours [1]."
    assert verdict(text)[0] == "unsupported"
    assert verdict(text, "What must be done about an incident of “4 June”?")[0] == "supported"


def test_headings_introductions_and_reports_of_silence_are_no_statements() -> None:
    text = (
        "## Duties\n\nTwo rules bear on this question:\n"
        "- Firms must not delay the notification, unless Rule 3.5.8(b) applies. [1]\n"
        "- A receipt must be kept for six years [2]\n\n"
        "The passages do not say who pays.\n\n"
        "Not quoted for length: FEES 2.1."
    )
    found = verify(text, SOURCES)
    assert [one.citations for one in found.statements] == [(1,), (2,)]
    assert found.score == 1


@pytest.mark.parametrize(
    "text",
    [
        "The passages do not say whether a firm pays in advance or later.",
        "The provisions given do not specify who pays and when it is due.",
        "The passages do not say whether a firm must pay in advance.",
        "The passages do not state how soon the notification under Rule 4.2.1(b) is due.",
        "The passages do not say whom a firm must tell, how soon, or what a report must contain.",
        "The passages do not say what applies to a client that is not rated as high risk.",
        "The passages do not say whether a strong feeling is enough for “ought to know”.",
        "These rules say nothing about the fee of a branch.",
        "The sources leave the time of payment open.",
        "The passages do not say who pays [1].",
        "The provided passages do not contain a time limit for payment [1][2].",
        "However, the passages do not explicitly state how often the fee is paid [1].",
        "There is no specific mention of a deadline in the passages [1].",
        "The provisions found do not state a time limit.",
        "The provisions found do not state which software.",
        "Nothing in this index mentions: FinCEN.",
        "The passages do not specify the form in which the report must be submitted.",
        "The provisions do not set out a time limit, an amount or a form for the appeal.",
        "The passages do not say who must sign the report, nor do they set a fee.",
        "The format of the report is not specified in the provided passages [1].",
        "The passages contain no definition of a Material Incident.",
        "Not quoted for length: Fees and Levies (EU) 2.1.(b), paragraph 47, GEN Annex I.",
    ],
)
def test_an_honest_frame_is_no_statement(text: str) -> None:
    assert statements_in(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "The passage says “the Commission pays every fee” [1].",
        "The rules do not say “the Commission never pays” [1].",
        "The passages leave the fee to each firm [1].",
        "The passages do not say otherwise, so a firm is free to spend client money [1].",
        "The passages do not say otherwise, so a firm is free to spend client money.",
        "The passages do not say otherwise and a firm is free to spend client money.",
        "The passages do not say whether it is due, and a firm must not spend client money.",
        "The passages do not require that a firm must pay.",
        "The passages do not state how soon the fee of 500 under Rule 4.2.1 is due.",
        "The passages do not say who pays, as a firm must not.",
        "The passages do not say why “a firm never pays a fee”.",
        "The passages are silent: a firm is free to spend client money.",
        "The passages are silent—a firm is free to spend client money.",
        "The passages are silent. a firm is free to spend client money.",
        "The rules provide no exemption for a branch [1].",
        "No licence is given to an Applicant [1].",
        "The passages do not say that a Licensed Firm must notify the Commission [1].",
        "The passages do not say whether the 48 hours include weekends.",
        "The rules do not contain a limit, so a firm is free to spend client money [1].",
        "Not quoted for length: clients pay in advance (1).",
        "Not quoted for length: FEES 2.1 (1) and all pay.",
    ],
)
def test_what_only_sounds_like_a_report_of_silence_is_checked(text: str) -> None:
    assert [one.verdict for one in verify(text, SOURCES).statements] != []
    assert verdict(text)[0] != "supported"


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        (
            "- Keep every single record here.\n- Report every single incident.\n\n[1][2]",
            [(1, 2), (1, 2)],
        ),
        (
            "- Keep every single record here. [2]\n- Report every single incident.\n[1]",
            [(2,), (1,)],
        ),
        ("Keep every single record here.\nPassages [1] and [2] are relevant.", [(1, 2)]),
        ("Keep every single record here. This is stated in [1][3].", [(1, 3)]),
        (
            "A licensed firm must keep:\n(a) all of its books;\n(b) all records. [3]",
            [(3,), (3,), (3,)],
        ),
        (
            "A licensed firm must keep [3]:\n- all of its books.\n- all of its records.",
            [(3,), (3,), (3,)],
        ),
        ("- Keep every single record here.\n- Report every single incident. [1]", [(), (1,)]),
        ("| Item | Factor |\n| --- | --- |\n| Credit substitutes | 100% |\n\n[1]", [(1,)]),
        ("[1][2] Keep every single record. [3] Report every single incident.", [(1, 2), (3,)]),
        ("Keep every single record here.\n\nReport every single incident. [1]", [(), (1,)]),
        ("All of this information is required. [1]", [(1,)]),
        ("Must a firm keep every record? [1][2]", []),
        ("“May a firm outsource it?” [1]", []),
    ],
)
def test_numbers_belong_to_all_that_they_stand_for(
    text: str, citations: list[tuple[int, ...]]
) -> None:
    assert [one.citations for one in statements_in(text)] == citations


def test_of_numbers_that_a_list_shares_each_item_needs_one() -> None:
    there = {
        1: Passage("a", "A", "1", "A firm must keep every record. A firm must report incidents."),
        2: Passage("b", "A", "2", "The annual fee is USD 5."),
    }
    text = "- A firm must keep every record.\n- The annual fee is USD 5.\n\n[1][2]"
    assert [one.verdict for one in verify(text, there).statements] == ["supported", "supported"]
    assert [one.verdict for one in verify(f"{text}[7]", there).statements] == ["supported"] * 2
    (own,) = verify("A firm must keep every record [1][2].", there).statements
    assert [one.message for one in own.findings] == [
        "Citation [2] shares almost no words with this statement."
    ]


def test_introduction_that_binds_is_a_statement() -> None:
    text = (
        "Within five days a firm must do the following:\n- It must keep a receipt for six years [2]"
    )
    assert [one.verdict for one in verify(text, SOURCES).statements] == ["unsupported", "supported"]


def test_quotation_of_several_lines_is_one_statement() -> None:
    text = (
        "**Fees Rules 2.1**: “It must:\n  (a) state the “reference number” on each payment;\n"
        "  (b) keep a receipt for six years; and\n  (c) inform its bank.” [2]"
    )
    assert verdict(text) == ("supported", [])


def test_an_obligation_that_two_sentences_convey_is_not_missing() -> None:
    text = "An Applicant is to keep a receipt [2]. This is for six years [2]."
    assert "receipt" not in str(verify(text, SOURCES).missing)
    assert "receipt" in str(
        verify("It must inform its bank within six years [2].", SOURCES).missing
    )


def test_obligations_left_out_are_listed_with_their_introduction() -> None:
    found = verify("An Applicant must keep a receipt for six years [2].", SOURCES)
    assert found.obligations == 4
    assert [(one.number, one.text) for one in found.missing] == [
        (2, "An Applicant should pay the annual fee of USD 10,000 in three instalments."),
        (2, "It must: (a) state the “reference number” on each payment;"),
        (2, "It must: […] (c) inform its bank."),
    ]


def test_json_form_is_stable() -> None:
    found = verify("Nobody has to pay anything. It may be published [1].", SOURCES).to_json()
    assert list(found) == [
        "statements", "score", "obligations", "missing_obligations", "judge", "notes",
    ]  # fmt: skip
    assert list(found["statements"][0]) == ["text", "citations", "verdict", "reasons", "kinds"]
    assert found["statements"][1]["citations"] == ["[1]"]
    assert verify("", {}).to_json()["score"] is None


def test_text_form_has_a_line_for_each_doubt_and_steers_no_terminal() -> None:
    found = verify("All fees are \x1b[31mdue\u202e now, in twelve parts [2].", SOURCES)
    lines = verification_text(found.to_json()).splitlines()
    assert lines[0] == "0 of 1 statements supported:"
    assert lines[1].startswith("- unsupported: “All fees are [31mdue now, in twelve parts [2].” ")
    assert lines[2] == "4 of 4 obligations of the cited passages are missing from the answer:"
    assert not {"\x1b", "\u202e"} & set("".join(lines))
    assert verification_text(Verification(()).to_json()) == ""


def test_items_that_begin_alike_are_counted_in_one_line() -> None:
    lead = "A firm must keep at its principal office for six years after the end of the year, in "
    items = "".join(f"\n({letter})\trecords of {letter * 3}." for letter in "abcde")
    there = Passage("a", "A", "1", f"{lead * 2}writing:{items}")
    lines = verification_text(verify("It pays a fee [1].", {1: there}).to_json()).splitlines()
    assert lines[2] == "5 of 5 obligations of the cited passages are missing from the answer:"
    assert lines[3].endswith("… (5 of its items)")
    assert len(lines) == 4


ARABIC = "يجب على الشركة المرخصة إخطار الهيئة بأي حادث جوهري خلال ٢٤ ساعة من علمها به"


def test_other_script_than_the_passage_is_told_as_not_compared() -> None:
    assert verdict(f"{ARABIC} [1].") == ("partly", ["unchecked"])
    assert verdict(f"{ARABIC.replace('٢٤', '٤٨')} [1].")[0] == "unsupported"


def test_other_languages_are_compared_by_their_words() -> None:
    there = Passage("a", "A", "1", f"{ARABIC}. ولا يجوز لها تأخير الإخطار.")
    (one,) = verify(f"{ARABIC} [1].", {1: there}).statements
    assert one.verdict == "supported"
    (other,) = verify(f"{ARABIC.replace('٢٤', '48')} [1].", {1: there}).statements
    assert other.verdict == "unsupported"


GERMAN = (
    "Ein Institut muss der Behörde jeden wesentlichen Vorfall innerhalb von 24 Stunden melden, "
    "nachdem es davon Kenntnis erlangt hat."
)


@pytest.mark.parametrize(("old", "new"), [("muss", "kann"), ("Stunden", "Tagen")])
def test_what_only_english_words_tell_is_said_to_be_unchecked_in_other_languages(
    old: str, new: str
) -> None:
    there = {1: Passage("a", "A", "1", GERMAN)}
    assert verify(f"{GERMAN.replace(old, new)} [1]", there).notes == (
        "[1] is not in English, so changed negations, units and obligations were not checked.",
    )
    assert verify(f"“{GERMAN}” [1]", there).notes == ()


@pytest.mark.parametrize(
    "amount", ["9" * 400 + " million", "one" + " hundred" * 2300, "one " + "million " * 800]
)
def test_an_amount_beyond_all_measure_is_not_supported(amount: str) -> None:
    assert verdict(f"The annual fee is USD {amount}, which an Applicant should pay [2].")[0] == (
        "unsupported"
    )


def test_amounts_in_words_and_figures_are_the_same() -> None:
    written, figures = "one hundred billion and 12.5 million", "100,000 million and 12500000"
    assert [one.form for one in words_of(written)] == ["100000000000", "and", "12500000"]
    assert [one.form for one in words_of(figures)] == ["100000000000", "and", "12500000"]


def obligations(text: str) -> list[str]:
    return [whole for _, whole in obligations_of(Source(1, Passage("a", "A", "1", text)))]


def test_an_obligation_reads_as_it_is_shown_with_what_leads_to_it() -> None:
    text = "A firm must keep [1]:\n(a)  its books; and\n(b) its records."
    assert obligations(text) == [
        "A firm must keep (1): (a) its books; and",
        "A firm must keep (1): […] (b) its records.",
    ]


def test_of_a_glossary_only_the_definitions_that_are_spoken_of_are_expected() -> None:
    lines = [
        f"Fund {n}\tMeans a fund that must report figure {n} to its {n} owners." for n in range(12)
    ]
    glossary = Passage("a", "A", "1", "\n".join(["Term\tMeaning", *lines]))
    said = "A Fund 7 is a fund that must report figure 7 to its 7 owners [1]."
    found = verify(said, {1: glossary})
    assert (found.obligations, [one.text for one in found.missing]) == (1, [])
    few = Passage("a", "A", "1", "\n".join(["Term\tMeaning", *lines[:8]]))
    assert verify(said, {1: few}).obligations == 8


def test_obligations_cost_time_in_proportion_to_the_passage() -> None:
    text = "\n".join(f"A firm must report figure {n} within ten days." for n in range(50_000))
    with no_runaway():
        assert len(obligations(text)) == 50_000


def test_a_bold_name_before_many_blanks_costs_time_in_proportion_to_them() -> None:
    with no_runaway():
        statements_in("**COBS 1**" + " " * 500_000 + "x")


HOSTILE = {
    "stops": ".",
    "open quotes": "“",
    "pairs of quotes": '"a" ',
    "open citation": "[1, ",
    "spaces": " ",
    "numbers": "1.",
    "bold": "**a** (",
    "markers": "a. [1] ",
    "words": "must not ",
    "duties": "a must do ",
    "zeros": "\x00",
    "surrogates": "\ud800",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_answers_cost_time_in_proportion_to_their_length(piece: str) -> None:
    with no_runaway():
        verify(f"[1{piece * (400_000 // len(piece))}", SOURCES)


def test_hostile_passage_is_no_danger_either() -> None:
    texts = ["“" * 20_000, "." * 50_000, "(a)\t" * 5_000, "", "x" * 100_000, "\x00\ud800"]
    for text in texts:
        found = verify("A Person must pay the fee in time [1].", {1: Passage("p", "d", "1", text)})
        assert [one.verdict for one in found.statements] == ["unsupported"]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("No deadline is stated.", "supported"),
        ("The passages name no fee.", "supported"),
        ("No share or threshold is stated in these passages.", "supported"),
        ("No time limit is given here [1].", "supported"),
        ("No deadline is stated, so a firm need not hurry.", "uncited"),
    ],
)
def test_that_nothing_of_a_kind_is_stated_is_held_against_the_passages(
    text: str, verdict: str
) -> None:
    silent = {1: Passage("a", "A", "1", "A firm must notify the Regulator of any change.")}
    (one,) = verify(text, silent).statements
    assert one.verdict == verdict
    stating = {1: Passage("a", "A", "1", "A firm must pay a fee of USD 100, or 5 %, in 3 days.")}
    (one,) = verify(text, stating).statements
    assert one.verdict == ("unsupported" if verdict == "supported" else "uncited")


def test_a_number_may_be_that_of_another_passage_that_is_cited_beside() -> None:
    sources = {
        1: Passage("a", "A", "6.2.3", "If a firm cannot meet the limit in Rule 6.2.2, it must "
                   "before that limit expires:\n(a)\texplain the reason for the delay to "
                   "the client."),
        2: Passage("b", "A", "6.2.2", "A firm must send the client a final response in writing "
                   "within 40 Business Days after receiving the complaint."),
    }  # fmt: skip
    text = (
        "If a firm cannot send the final response within {} Business Days after receiving the "
        "complaint [2], it must before that limit expires explain the reason for the delay to the "
        "client [1]."
    )
    assert [one.verdict for one in verify(text.format(40), sources).statements] == ["supported"]
    assert [one.verdict for one in verify(text.format(60), sources).statements] == ["unsupported"]
    moved = "A firm must explain the reason for the delay of 40 weeks to the client [1][2]."
    assert [one.verdict for one in verify(moved, sources).statements] != ["supported"]


@pytest.mark.parametrize(
    "number", ["12.3.3", "12.3.3(a)", "PART 5.12.3.3", "12.3.3(b)(ii)", "12.3"]
)
def test_a_pinpoint_may_name_the_items_of_a_passage(number: str) -> None:
    rule = "A fund must:\n(a)\tkeep a list; and\n(b)\tname:\n(i)\tits head; and\n(ii)\tits seat."
    sources = {1: Passage("a", "A", "PART 5.12.3.3", rule, document_title="FUNDS")}
    (one,) = verify(f"A fund must keep a list (FUNDS {number}) [1].", sources).statements
    assert one.verdict == "supported"


@pytest.mark.parametrize("number", ["12.3.4", "12.3.3(c)", "12.3.3(b)(iii)", "13.3.3"])
def test_a_pinpoint_that_the_passage_does_not_have_is_blamed(number: str) -> None:
    rule = "A fund must:\n(a)\tkeep a list; and\n(b)\tname:\n(i)\tits head; and\n(ii)\tits seat."
    sources = {1: Passage("a", "A", "PART 5.12.3.3", rule, document_title="FUNDS")}
    (one,) = verify(f"A fund must keep a list (FUNDS {number}) [1].", sources).statements
    assert one.verdict == "unsupported"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The limit is 10² metres for a firm [1].", "supported"),
        ("The limit is 102 metres for a firm [1].", "unsupported"),
        ("The share is 2½ per cent for a firm [1].", "supported"),
        ("The share is 21 per cent for a firm [1].", "unsupported"),
    ],
)
def test_a_raised_figure_or_a_fraction_is_no_digit_of_a_number(claim: str, expected: str) -> None:
    source = replace(
        NOTIFY, text="The limit is 10² metres for a \ufb01rm. The share is 2½ per cent for a firm."
    )
    (one,) = verify(claim, {1: source}).statements
    assert one.verdict == expected


@pytest.mark.parametrize(
    ("text", "question", "told"),
    [
        ("A firm must report each transfer within 3 days [1].", "", "partly"),
        ("A firm must report each transfer within 3 days if the risk is high [1].", "",
         "supported"),
        ("A firm must report each transfer of a high-risk client within 3 days [1].", "",
         "supported"),
        ("A firm must report each transfer within 3 days [1].", "What if a client is a high risk?",
         "supported"),
    ],
)  # fmt: skip
def test_a_condition_of_which_a_statement_has_no_word_is_told(
    text: str, question: str, told: str
) -> None:
    rules = [
        "Where a client is a high risk, a firm must report each transfer within 3 days.",
        "(1) Once a client is a high risk, a firm must report each transfer within 3 days.",
        "Where a client is a high risk under Rule 2.1, a firm must:\n(a)\treport each transfer "
        "within 3 days; and\n(b)\tkeep a record.",
    ]
    for rule in rules:
        (one,) = verify(text, {1: Passage("a", "A", "1", rule)}, question).statements
        assert one.verdict == told, rule


def test_what_is_claimed_beside_a_silence_is_checked_alone() -> None:
    text = "The passages state no fee, but the Commission {} the incident before 1 March 2026 [1]."
    assert verdict(text.format("may publish")) == ("supported", [])
    assert verdict(text.format("must publish"))[0] == "unsupported"


NOTICE = (
    "A firm must give notice of the change if a new owner holds a quarter of its shares. If an "
    "audit finds a gap, the firm must close the gap within 3 days. A firm must keep a register "
    "and, where a branch is abroad, translate it into the language of that place."
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A firm must give notice of the change [1].", "partly"),
        ("A firm must give notice of the change once a new owner is there [1].", "supported"),
        (
            "A firm must give notice of the change [1]. A new owner has shares [1].",
            "supported",
        ),
        ("A gap must be closed by the firm within 3 days [1].", "supported"),
        ("A firm must keep a register [1].", "supported"),
        ("A firm must translate it into the language of that place [1].", "partly"),
        ("“A firm must give notice of the change” [1]", "partly"),
    ],
)
def test_a_condition_limits_the_clause_beside_it_alone(text: str, told: str) -> None:
    first, *_ = verify(text, {1: Passage("a", "A", "1", NOTICE)}).statements
    assert first.verdict == told


def test_an_exception_in_brackets_that_names_a_rule_is_told() -> None:
    rule = "A firm may review a cost (subject to arbitration under § 51.57) at any time."
    (one,) = verify(f"{rule[:-1]} [1].", {1: Passage("a", "A", "1", rule)}).statements
    assert one.verdict == "supported"


def test_an_item_must_tell_the_exception_of_its_introduction() -> None:
    rule = "Unless a client agrees, a firm must not:\n(a) lend its assets;\n(b) sell them."
    text = "{} firm must not lend its assets [1]."
    for opening, told in (("A", "partly"), ("Unless a client agrees, a", "supported")):
        (one,) = verify(text.format(opening), {1: Passage("a", "A", "1", rule)}).statements
        assert one.verdict == told


@pytest.mark.parametrize("weaker", ["should", "may", "is encouraged to", "ought to"])
def test_a_duty_that_is_weakened_is_not_supported(weaker: str) -> None:
    text = f"A Licensed Firm {weaker} tell the Commission of a Material Incident in 24 hours [1]."
    assert verdict(text)[0] != "supported"
    avoid = (
        "A Licensed Firm should avoid delaying the notification, unless Rule 3.5.8(b) applies [1]."
    )
    assert verdict(avoid)[0] != "supported"

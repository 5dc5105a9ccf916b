"""How people name documents: by code, by title, by half a title."""

import json
from pathlib import Path

import pytest
from effort import lines_run

from search.provisions.documents.names import DocumentNames
from search.provisions.documents.titles import document_code
from search.records import DocumentSummary

TITLES = {
    "cobs": "COBS_VER15.150823",
    "gen": "GEN_VER08.181223",
    "funds": "FUNDS_VER08.040723",
    "fp": "FP_VER01.110319",
    "fsmr": "FSMR (Consolidated_December 2023)",
    "crs": "CRS Regulations 2017 (Consolidated_October 2023) v6",
    "fatca": "Foreign Tax Account Compliance Regulations 2022",
    "virtual": "Guidance - Virtual Asset Activities in ADGM (VER05.181223)",
    "laws": "ADGM_Guidance_-_Application_of_English_Laws",
    "spot": "Guidance - Regulation of Spot Commodities Activities in ADGM (VER02.181223)",
    "venture": "Guidance – Regulatory Framework for Fund Managers of Venture Capital Funds",
    "crs-notes": "UAE_CRS_Guidance_Notes_17 June 2020 (002)",
}


@pytest.fixture(scope="module")
def names() -> DocumentNames:
    return DocumentNames([DocumentSummary(key, title, 1) for key, title in TITLES.items()])


@pytest.mark.parametrize(
    ("title", "code"),
    [
        ("COBS_VER15.150823", "COBS"),
        ("FSMR (Consolidated_December 2023)", "FSMR"),
        ("BRR Regulations (December 2018)", "BRR"),
        ("GPM VER03.120623", "GPM"),
        ("FP_VER01.110319", "FP"),
        ("COBS", "COBS"),
        ("Foreign Tax Account Compliance Regulations 2022", None),
        ("Guidance - Private Credit Funds_VER01.040523", None),
        ("ADGM_Guidance_-_Application_of_English_Laws", None),
        ("COMMON REPORTING STANDARD REGULATIONS 2017", None),
        ("API - Guidance Note_Final 14 October 2019 Eng", None),
        ("Regulation (EU) No 575/2013", None),
        ("", None),
    ],
)
def test_code_of_a_title(title: str, code: str | None) -> None:
    assert document_code(title) == code


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does COBS say on suitability?", ("cobs",)),
        ("the Conduct of Business Rulebook on suitability", ("cobs",)),
        ("Compare GEN with COBS.", ("gen", "cobs")),
        ("section 5 of the Financial Services and Markets Regulations 2015", ("fsmr",)),
        ("Common Reporting Standard Regulations", ("crs",)),
        ("What do the CRS guidance notes say?", ("crs-notes",)),
        ("FATCA penalties", ("fatca",)),
        ("the Foreign Account Tax Compliance Regulations", ("fatca",)),
        ("paragraph 45 of the virtual assets guidance", ("virtual",)),
        ("the spot commodities guidance", ("spot",)),
        ("the Fund Passporting Rules 2019", ("fp",)),
        ("the conduct of business rulebook", ("cobs",)),
        ("the General Rulebook (GEN)", ("gen",)),
        ("the venture capital funds guidance", ("venture",)),
        ("Application of English Laws 3.4", ("laws",)),
    ],
)
def test_a_question_names_documents(
    names: DocumentNames, question: str, expected: tuple[str, ...]
) -> None:
    assert names.named_in(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What fees do funds pay in general?",
        "Is there guidance on the application of these rules?",
        "Which virtual asset activities need a permission?",
        "FUNDS Rules".lower(),
        "How are foreign funds regulated?",
        "WHAT FEES DO FUNDS PAY TO THE REGULATOR EACH YEAR?",
        "For the purposes of Rules 3.10.7(g) and (h)",
        "the Financial Services and Markets Act 2000",
        "the Consumer Credit Act 1974",
        "",
    ],
)
def test_ordinary_words_name_nothing(names: DocumentNames, question: str) -> None:
    assert names.named_in(question) == ()


def test_a_mention_tells_its_place(names: DocumentNames) -> None:
    question = "Does the CRS Regulations 2017 apply?"
    (mention,) = names.mentions(question)
    assert question[mention.start : mention.end] == "CRS Regulations 2017"


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("the prudential rulebook", ["GOVN"]),
        ("the governance and prudential rules", ["GOVN"]),
        ("the AML rulebook", ["AMLR"]),
        ("the laundering rulebook", ["AMLR"]),
        ("the prudential guidance", []),
        ("the Mining Governance Rulebook", []),
        ("the conduct rulebook", ["wholesale", "retail"]),
        ("the member rulebook", []),  # four have the word
        ("the market rulebook", []),
        ("the rulebook", []),
        ("prudential. Rulebook", []),
    ],
)
def test_half_a_title_names_the_few_documents_that_have_it(
    phrase: str, expected: list[str]
) -> None:
    titles = {
        "AMLR": "Anti-Money Laundering Rulebook (AMLR)",
        "GOVN": "Governance and Prudential Rulebook (GOVN)",
        "wholesale": "Wholesale Conduct Rulebook",
        "retail": "Retail Conduct Rulebook",
    }
    titles |= {f"m{number}": f"Member Trading Rulebook {number}" for number in range(4)}
    names = DocumentNames([DocumentSummary(key, title, 1) for key, title in titles.items()])
    found = names.partly_named(phrase)
    assert [one for mention in found for one in mention.document_ids] == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("section 4.1 of the funds rulebook", [("funds",)]),
        ("the fund rules 4.1", [("funds",)]),
        ("section 4.1 of the fund passporting rules", [("fp",)]),
        ("section 5 of the household claims policy", [("claims",)]),
        ("section 5 of the claims policies of 2025", [("claims",)]),
        ("paragraph 2 of the Prudential Sourcebook", [("psdt",)]),
        ("the prudential rules 2.1", [("psdt",)]),
        ("the laundering procedures 3.1", [("aml",)]),
        ("Article 3 of the activities order", [("rao",)]),
        ("the remuneration policy 3.1", []),
        ("5 of the fund policy", []),
        ("5 in order to pay", []),
    ],
)
def test_beside_a_rule_number_a_code_is_a_title_and_policies_are_documents(
    question: str, expected: list[tuple[str, ...]]
) -> None:
    titles = {
        "funds": "FUNDS_VER08.040723", "fp": "Fund Passporting Rules",
        "claims": "MOTOR AND HOUSEHOLD CLAIMS POLICY", "aml": "Money Laundering Procedures Manual",
        "psdt": "Prudential Sourcebook for Deposit Takers", "rao": "Regulated Activities Order",
    }  # fmt: skip
    names = DocumentNames([DocumentSummary(key, title, 1) for key, title in titles.items()])
    assert [mention.document_ids for mention in names.partly_named(question)] == expected


def test_a_title_of_several_documents_means_them_all_and_a_document_id_only_its_own() -> None:
    titles = {"a": "Capital Rules", "b": "Capital Rules", "capital rules": "Fees"}
    documents = [DocumentSummary(key, title, 1) for key, title in titles.items()]
    assert DocumentNames(documents[:2]).called("capital rules") == ("a", "b")
    assert DocumentNames(documents).called("Capital Rules") == ("capital rules",)


@pytest.mark.parametrize(
    ("question", "mentioned", "expected"),
    [
        ("What do the Fee Rules 2025 say?", "Fee Rules 2025", ("f25",)),
        ("What do the 2025 fee rules say?", "2025 fee rules", ("f25",)),
        ("rule 1.2 of the Fee Rules (2022)", "Fee Rules (2022)", ("f22",)),
        ("the fee rules of 2022, rule 1.2", "fee rules of 2022", ("f22",)),
        ("Outsourcing Rules 2025 rule 3.2", "Outsourcing Rules 2025", ("o-2025",)),
        ("OUTS 2022 3.2", "OUTS 2022", ("o-2022",)),
        ("Outsourcing Rules (OUTS) 3.2", "Outsourcing Rules (OUTS)", ("o-2022", "o-2025")),
        ("Fee Rules 1.2", "Fee Rules", ("f22", "f25")),
        ("Fee Rules 2019 1.2", "Fee Rules 2019", ("f22", "f25")),
        ("In 2022 Market Rules applied.", "Market Rules", ("m22",)),
        ("Levy Rules 1.2", "Levy Rules", ("levy",)),
    ],
)
def test_the_year_beside_a_title_tells_which_of_several_documents_is_meant(
    question: str, mentioned: str, expected: tuple[str, ...]
) -> None:
    titles = {
        "f22": "Fee Rules 2022", "f25": "Fee Rules 2025", "o-2022": "Outsourcing Rules (OUTS)",
        "o-2025": "Outsourcing Rules (OUTS)", "m22": "Market Rules 2022", "l25": "Levy Rules 2025",
        "levy": "Levy Rules",
    }  # fmt: skip
    names = DocumentNames([DocumentSummary(key, title, 1) for key, title in titles.items()])
    (mention,) = names.mentions(question)
    assert question[mention.start : mention.end] == mentioned
    assert mention.document_ids == expected


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("Outsourcing Policy 2.1.1", "op"),
        ("What does 3.1 of the Outsourcing Policy say?", "op"),
        ("DTR 2.1", "D8"),
        ("What must an outsourcing policy say?", None),
        ("Which rules of the EU apply?", None),
    ],
)
def test_a_team_names_its_own_documents_by_whole_titles_and_codes_in_brackets(
    question: str, document: str | None
) -> None:
    titles = {"op": "Outsourcing Policy", "ci": "Conflicts of Interest Policy",
              "D8": "Data Rules (DTR)", "D9": "Banking Law (EU)"}  # fmt: skip
    names = DocumentNames([DocumentSummary(key, title, 1) for key, title in titles.items()])
    assert names.named_in(question) == (() if document is None else (document,))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Rule 1.1 of con-2024", ("con-2024",)),
        ("What does CON-2023 say on fees_2?", ("con-2023", "fees_2")),
        ("What is due by 2024?", ()),  # an ID that is a mere number or word is none in a sentence
        ("Which fees are due?", ()),
        ("Rule 1.1 of con-2024b", ()),
    ],
)
def test_a_document_id_that_is_no_word_names_its_document(
    question: str, expected: tuple[str, ...]
) -> None:
    ids = ("con-2023", "con-2024", "fees_2", "2024", "fees")
    names = DocumentNames([DocumentSummary(one, "Conduct of Firms", 1) for one in ids])
    named = [one for mention in names.mentions(question) for one in mention.document_ids]
    assert tuple(named) == expected


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("COBS", ("cobs",)),
        ("the Conduct of Business Rulebook", ("cobs",)),
        ("COBS rules", ("cobs",)),
        ("CRS Regulations 2017", ("crs",)),
        ("COBS 2019", ()),
        ("COBS rules 2019", ()),
        ("COBS-OLD", ()),
        ("all but COBS", ()),
        ("everything except COBS", ()),
        ("Conduct of Business Rulebook draft", ()),
    ],
)
def test_a_name_means_a_document_only_as_a_whole(
    names: DocumentNames, name: str, meant: tuple[str, ...]
) -> None:
    assert names.called(name) == meant


LAWS = {
    "dpa": "Data Protection Act 2018",
    "2018/506": "The Network and Information Systems Regulations 2018",
    "poca": "Proceeds of Crime Act 2002",
    "gg": "Grundgesetz für die Bundesrepublik Deutschland (GG)",
    "kwg": "Gesetz über das Kreditwesen (Kreditwesengesetz - KWG)",
    "title-1": "United States Code, Title 1: General Provisions",
    "lamps": "Lamp Oil Act of 1996 (Public Law 104–191)",
}


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("s 60 DPA 2018", ("dpa",)),
        ("regulation 8 of the NIS Regulations 2018", ("2018/506",)),
        ("s 330 POCA", ("poca",)),
        ("PCA s 330", ("poca",)),
        ("Art. 1 Grundgesetz", ("gg",)),
        ("§ 25 Kreditwesengesetz", ("kwg",)),
        ("1 U.S.C. 112b", ("title-1",)),
        ("1 USC 7", ("title-1",)),
        ("18 USC 242", ()),
        ("Pub. L. No. 104-191 section 2", ("lamps",)),
        ("Public Law 104-192 section 2", ()),
        ("NIS Directive Article 5", ()),
        ("Is a person under the act liable?", ()),
    ],
)
def test_laws_are_named_by_initials_by_one_word_and_by_a_number_of_a_code(
    question: str, named: tuple[str, ...]
) -> None:
    names = DocumentNames([DocumentSummary(key, title, 1) for key, title in LAWS.items()])
    assert names.named_in(question) == named


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("section 1176 of HIPAA", ("csa_hipaa",)),
        ("What do the CSA acts say?", ()),  # two files are called so
        ("Article 33 GDPR", ()),  # its checklist is not the law
    ],
)
def test_a_law_is_named_by_what_its_file_alone_is_called(
    question: str, named: tuple[str, ...]
) -> None:
    titles = {
        "csa_hipaa": "PUBLIC LAW 104–191—AUG. 21, 1996",
        "csa_other": "Public Law 105",
        "gdpr_checklist": "Checklist for Hospitals",
    }
    names = DocumentNames([DocumentSummary(key, title, 1) for key, title in titles.items()])
    assert names.named_in(question) == named


def test_the_code_of_a_document_is_no_other_law() -> None:
    documents = [DocumentSummary("a", "Data Protection Act", 1), DocumentSummary("b", "DPA", 1)]
    assert DocumentNames(documents).named_in("What does DPA 5 say?") == ("b",)


def test_ids_that_differ_in_case_alone_are_told_apart() -> None:
    names = DocumentNames([DocumentSummary(one, f"Title of {one}", 1) for one in ("Z-1", "z-1")])
    assert (names.called("Z-1"), names.called("z-1")) == (("Z-1",), ("z-1",))
    assert [m.document_ids for m in names.mentions("What does z-1 say?")] == [("z-1",)]
    documents = [DocumentSummary(one, "Title", 1) for one in ("con-1", "CON-1")]
    assert DocumentNames(documents).called("Con-1") == ("con-1", "CON-1")


def test_codes_are_found_in_any_case(names: DocumentNames) -> None:
    assert names.with_code("cobs") == ("cobs",)
    assert names.with_code("nothing") == ()


def test_a_thousand_documents_cost_little() -> None:
    documents = [
        DocumentSummary(f"{key}-{copy}", f"{title} {copy}", 1)
        for copy in range(85)
        for key, title in TITLES.items()
    ]
    names = DocumentNames(documents)
    question = "What must fund managers of venture capital funds do under COBS 3.4.2 or GEN?"
    names.named_in(question)
    assert lines_run(lambda: names.named_in(question)) < 25 * len(documents)


@pytest.mark.corpus
def test_ordinary_questions_rarely_name_documents_by_their_words(data_folder: Path) -> None:
    titles = json.loads((data_folder / "obliqa" / "titles.json").read_text(encoding="utf-8"))
    names = DocumentNames([DocumentSummary(key, title, 1) for key, title in titles.items()])
    lines = (data_folder / "obliqa" / "questions.dev.jsonl").read_text(encoding="utf-8")
    questions = [json.loads(line)["question"] for line in lines.splitlines()]
    named = [question for question in questions if names.named_in(question)]
    assert 0.05 < len(named) / len(questions) < 0.13


def test_a_german_law_is_found_by_the_abbreviation_behind_its_short_title():
    title = "Gesetz über das Kreditwesen (Kreditwesengesetz – KWG)"
    names = DocumentNames([DocumentSummary("a", title, 1), DocumentSummary("b", "Lamp Rules", 1)])
    assert names.with_code("KWG") == ("a",)


FILED = {
    "FIN-04 Spending": "FIN-04 Purchasing and Spending Policy",
    "HR-12_Gifts_v2": "GIFTS AND HOSPITALITY",
    "medicines": "Medicines Management (ISMS-POL-007)",
    "report": "Annual report (HR-2024)",
}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("FIN-04 3.2", "FIN-04 Spending"),
        ("rule 3.2 of fin 4", "FIN-04 Spending"),
        ("What does FIN04 say?", "FIN-04 Spending"),
        ("Who approved HR-12?", "HR-12_Gifts_v2"),
        ("isms-pol-7, section 2", "medicines"),
        ("FIN-05 3.2", None),
        ("FIN-04.3", None),
        ("HR 2024", None),
    ],
)
def test_the_reference_by_which_a_firm_files_a_document(
    question: str, expected: str | None
) -> None:
    names = DocumentNames([DocumentSummary(key, title, 1) for key, title in FILED.items()])
    assert names.named_in(question) == ((expected,) if expected else ())


@pytest.mark.parametrize("asked", ["Office Rules", "O\ufb03ce Rules", "re\u0301sume\u0301"])
def test_a_name_is_the_same_in_each_form_of_its_letters(asked: str) -> None:
    known = [("o", "O\ufb03ce Rules"), ("r\u00e9sum\u00e9", "Summary of Rules on Boats")]
    names = DocumentNames([DocumentSummary(key, title, 1) for key, title in known])
    assert len(names.called(asked)) == 1

"""How people name documents: by code, by title, by half a title."""

import json
from collections.abc import Mapping
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


def named_as(titles: Mapping[str, str]) -> DocumentNames:
    return DocumentNames([DocumentSummary(key, title, 1) for key, title in titles.items()])


@pytest.fixture(scope="module")
def names() -> DocumentNames:
    return named_as(TITLES)


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


LAWS = {
    "dpa": "Data Protection Act 2018",
    "2018/506": "The Network and Information Systems Regulations 2018",
    "poca": "Proceeds of Crime Act 2002",
    "gg": "Grundgesetz für die Bundesrepublik Deutschland (GG)",
    "kwg": "Gesetz über das Kreditwesen (Kreditwesengesetz - KWG)",
    "title-1": "United States Code, Title 1: General Provisions",
    "lamps": "Lamp Oil Act of 1996 (Public Law 104–191)",
}
OWN = {
    "op": "Outsourcing Policy",
    "ci": "Conflicts of Interest Policy",
    "D8": "Data Rules (DTR)",
    "D9": "Banking Law (EU)",
}
FILES = {
    "csa_hipaa": "PUBLIC LAW 104–191—AUG. 21, 1996",
    "csa_other": "Public Law 105",
    "gdpr_checklist": "Checklist for Hospitals",
}
FILED = {
    "FIN-04 Spending": "FIN-04 Purchasing and Spending Policy",
    "HR-12_Gifts_v2": "GIFTS AND HOSPITALITY",
    "medicines": "Medicines Management (ISMS-POL-007)",
    "report": "Annual report (HR-2024)",
}
CODE_OF_ANOTHER = {"a": "Data Protection Act", "b": "DPA"}


@pytest.mark.parametrize(
    ("titles", "question", "expected"),
    [
        (TITLES, "What does COBS say on suitability?", ("cobs",)),
        (TITLES, "the Conduct of Business Rulebook on suitability", ("cobs",)),
        (TITLES, "Compare GEN with COBS.", ("gen", "cobs")),
        (TITLES, "section 5 of the Financial Services and Markets Regulations 2015", ("fsmr",)),
        (TITLES, "Common Reporting Standard Regulations", ("crs",)),
        (TITLES, "What do the CRS guidance notes say?", ("crs-notes",)),
        (TITLES, "FATCA penalties", ("fatca",)),
        (TITLES, "the Foreign Account Tax Compliance Regulations", ("fatca",)),
        (TITLES, "paragraph 45 of the virtual assets guidance", ("virtual",)),
        (TITLES, "the spot commodities guidance", ("spot",)),
        (TITLES, "the Fund Passporting Rules 2019", ("fp",)),
        (TITLES, "the conduct of business rulebook", ("cobs",)),
        (TITLES, "the General Rulebook (GEN)", ("gen",)),
        (TITLES, "the venture capital funds guidance", ("venture",)),
        (TITLES, "Application of English Laws 3.4", ("laws",)),
        (TITLES, "What fees do funds pay in general?", ()),
        (TITLES, "Is there guidance on the application of these rules?", ()),
        (TITLES, "Which virtual asset activities need a permission?", ()),
        (TITLES, "FUNDS Rules".lower(), ()),
        (TITLES, "How are foreign funds regulated?", ()),
        (TITLES, "WHAT FEES DO FUNDS PAY TO THE REGULATOR EACH YEAR?", ()),
        (TITLES, "For the purposes of Rules 3.10.7(g) and (h)", ()),
        (TITLES, "the Financial Services and Markets Act 2000", ()),
        (TITLES, "the Consumer Credit Act 1974", ()),
        (TITLES, "", ()),
        (OWN, "Outsourcing Policy 2.1.1", ("op",)),
        (OWN, "What does 3.1 of the Outsourcing Policy say?", ("op",)),
        (OWN, "DTR 2.1", ("D8",)),
        (OWN, "What must an outsourcing policy say?", ()),
        (OWN, "Which rules of the EU apply?", ()),
        (LAWS, "s 60 DPA 2018", ("dpa",)),
        (LAWS, "regulation 8 of the NIS Regulations 2018", ("2018/506",)),
        (LAWS, "s 330 POCA", ("poca",)),
        (LAWS, "PCA s 330", ("poca",)),
        (LAWS, "Art. 1 Grundgesetz", ("gg",)),
        (LAWS, "§ 25 Kreditwesengesetz", ("kwg",)),
        (LAWS, "1 U.S.C. 112b", ("title-1",)),
        (LAWS, "1 USC 7", ("title-1",)),
        (LAWS, "18 USC 242", ()),
        (LAWS, "Pub. L. No. 104-191 section 2", ("lamps",)),
        (LAWS, "Public Law 104-192 section 2", ()),
        (LAWS, "NIS Directive Article 5", ()),
        (LAWS, "Is a person under the act liable?", ()),
        (FILES, "section 1176 of HIPAA", ("csa_hipaa",)),
        (FILES, "What do the CSA acts say?", ()),  # two files are called so
        (FILES, "Article 33 GDPR", ()),  # its checklist is not the law
        (CODE_OF_ANOTHER, "What does DPA 5 say?", ("b",)),
        (FILED, "FIN-04 3.2", ("FIN-04 Spending",)),
        (FILED, "rule 3.2 of fin 4", ("FIN-04 Spending",)),
        (FILED, "What does FIN04 say?", ("FIN-04 Spending",)),
        (FILED, "Who approved HR-12?", ("HR-12_Gifts_v2",)),
        (FILED, "isms-pol-7, section 2", ("medicines",)),
        (FILED, "FIN-05 3.2", ()),
        (FILED, "FIN-04.3", ()),
        (FILED, "HR 2024", ()),
    ],
)
def test_a_question_names_documents(
    titles: dict[str, str], question: str, expected: tuple[str, ...]
) -> None:
    assert named_as(titles).named_in(question) == expected


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
    names = named_as(titles)
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
    names = named_as(titles)
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
    names = named_as(titles)
    (mention,) = names.mentions(question)
    assert question[mention.start : mention.end] == mentioned
    assert mention.document_ids == expected


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


def test_ids_that_differ_in_case_alone_are_told_apart() -> None:
    names = DocumentNames([DocumentSummary(one, f"Title of {one}", 1) for one in ("Z-1", "z-1")])
    assert (names.called("Z-1"), names.called("z-1")) == (("Z-1",), ("z-1",))
    assert [m.document_ids for m in names.mentions("What does z-1 say?")] == [("z-1",)]
    documents = [DocumentSummary(one, "Title", 1) for one in ("con-1", "CON-1")]
    assert DocumentNames(documents).called("Con-1") == ("con-1", "CON-1")


def test_codes_are_found_in_any_case(names: DocumentNames) -> None:
    assert names.with_code("cobs") == ("cobs",)
    assert names.with_code("nothing") == ()
    title = "Gesetz über das Kreditwesen (Kreditwesengesetz – KWG)"
    assert named_as({"a": title, "b": "Lamp Rules"}).with_code("KWG") == ("a",)


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
    names = named_as(titles)
    lines = (data_folder / "obliqa" / "questions.dev.jsonl").read_text(encoding="utf-8")
    questions = [json.loads(line)["question"] for line in lines.splitlines()]
    named = [question for question in questions if names.named_in(question)]
    assert 0.05 < len(named) / len(questions) < 0.13


@pytest.mark.parametrize("asked", ["Office Rules", "O\ufb03ce Rules", "re\u0301sume\u0301"])
def test_a_name_is_the_same_in_each_form_of_its_letters(asked: str) -> None:
    known = [("o", "O\ufb03ce Rules"), ("r\u00e9sum\u00e9", "Summary of Rules on Boats")]
    names = DocumentNames([DocumentSummary(key, title, 1) for key, title in known])
    assert len(names.called(asked)) == 1

"""Which legal regime an answer is for, and why."""

from __future__ import annotations

import pytest
from hits import make_hit

from generation.advisor.regime import JudgedRegime, judge_regime, named_jurisdiction, read_regime
from search.errors import InputError
from search.records import Passage


def passage(title: str = "", **metadata: str) -> Passage:
    return make_hit("A firm must pay.", document_title=title, metadata=metadata).passage


def judge(question: str, *passages: Passage, chosen: str = "") -> JudgedRegime:
    return judge_regime(question, passages, [1 / len(passages)] * len(passages), chosen)


@pytest.mark.parametrize("written", ["civil law", "Civil-Law", "CIVIL_LAW", " civil "])
def test_a_regime_is_read_however_it_is_written(written: str) -> None:
    assert read_regime(written) == "civil law"


def test_choice_beats_everything() -> None:
    judged = judge("What of the civil code?", passage(regime="civil law"), chosen="common-law")
    assert judged == JudgedRegime("common law", "chosen")
    assert judged.role == "common-law"


def test_choice_of_something_else_is_refused_with_the_regimes() -> None:
    with pytest.raises(InputError, match="regime 'roman'; choose common law or civil law"):
        judge("Who?", passage(), chosen="roman")


@pytest.mark.parametrize(
    ("question", "title", "metadata", "regime", "reason"),
    [
        ("What holds under civil law?", "", {"regime": "common law"}, "civil law",
         "the question mentions civil law"),
        ("Who pays in France?", "", {"regime": "Common Law", "jurisdiction": "France"},
         "common law", "the documents' regime is common law"),
        ("Who pays?", "ADGM", {"jurisdiction": "European Union"}, "civil law",
         "the documents' jurisdiction is European Union"),
        ("Who pays?", "", {"jurisdiction": "uk"}, "common law",
         "the documents' jurisdiction is uk"),
        ("Who pays?", "Regulation (EU) No 575/2013", {}, "civil law",
         "the documents' titles name EU"),
        ("Who pays in Hong Kong?", "COBS_VER15", {}, "common law", "the question names Hong Kong"),
        ("Who pays?", "COBS_VER15", {"jurisdiction": "Halmere"}, "common law",
         "nothing indicates the regime, so this is the default"),
        ("Civil law or common law?", "", {}, "common law",
         "nothing indicates the regime, so this is the default"),
    ],
)  # fmt: skip
def test_what_tells_first_decides(
    question: str, title: str, metadata: dict[str, str], regime: str, reason: str
) -> None:
    assert judge(question, passage(title, **metadata)) == JudgedRegime(regime, reason)


def test_passages_that_disagree_are_outvoted_by_weight_and_the_doubt_is_told() -> None:
    passages = [passage(regime="common law"), passage(regime="civil law")]
    judged = judge_regime("Who?", passages, [0.25, 0.75])
    assert judged.regime == "civil law"
    assert judged.reason == "the documents' regime is civil law for 75% of what was read, by weight"


def test_a_free_zone_is_not_the_state_around_it() -> None:
    assert named_jurisdiction("a firm in Abu Dhabi Global Market, UAE") == (
        "abu dhabi global market", "common law",
    )  # fmt: skip
    assert named_jurisdiction("Qatar Financial Centre") == ("qatar financial centre", "common law")
    assert named_jurisdiction("Qatar") == ("qatar", "civil law")


def test_a_pronoun_is_no_country() -> None:
    assert named_jurisdiction("Does this apply to us?") is None
    assert named_jurisdiction("Does this apply to US persons?") == ("us", "common law")
    assert named_jurisdiction("us", running=False) == ("us", "common law")


def test_a_regime_that_is_a_list_or_a_number_does_no_harm() -> None:
    listed = make_hit("x", metadata={"regime": ("civil law", "other"), "jurisdiction": 7}).passage
    assert judge("Who?", listed).regime == "civil law"

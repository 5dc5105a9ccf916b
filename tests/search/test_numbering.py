"""Passage numbers of forty real documents, of EU acts, and of no act at all."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from effort import no_runaway
from hypothesis import given
from hypothesis import strategies as st

from search.provisions.numbering import container_kind, lookup_keys, segments


@pytest.mark.parametrize(
    ("passage_id", "expected"),
    [
        ("3.5.8.(b)", ("3", "5", "8", "b")),
        ("8.5.1(2)", ("8", "5", "1", "2")),
        ("9.3.1B.Guidance.1.", ("9", "3", "1b", "guidance", "1")),
        ("PART 5.13.3.9.Guidance.3", ("part 5", "13", "3", "9", "guidance", "3")),
        ("PART 8.20.3.6.Guidance1.", ("part 8", "20", "3", "6", "guidance", "1")),
        ("PART 2.4.1.9 Guidance", ("part 2", "4", "1", "9", "guidance")),
        ("APP10.A10.2.18.Guidance .1.", ("app10", "a10", "2", "18", "guidance", "1")),
        ("Part 12.Chapter 1.134.", ("part 12", "chapter 1", "134")),
        ("Schedule 1.Part 3 .99A. (1)", ("schedule 1", "part 3", "99a", "1")),
        ("Part 13.162.6)", ("part 13", "162", "6")),
        ("28)", ("28",)),
        ("§ 1(1)", ("1", "1")),
        ("§ 1a(2)", ("1a", "2")),
        ("Teil 1.§ 4 a(1)", ("part 1", "4a", "1")),
        ("§ 4 a", ("4a",)),
        ("4 a §", ("4a",)),
        ("3. člen(2)", ("article 3", "2")),
        ("3.a člen", ("article 3a",)),
        ("12 straipsnis", ("article 12",)),
        ("Article 2º", ("article 2",)),
        ("Art. 2º-A(1)", ("article 2a", "1")),
        ("Section 66-A", ("section 66a",)),
        ("12.pants", ("article 12",)),
        ("Section 4 a", ("section 4a",)),
        ("Rule 5 a firm must", ("rule 5 a firm must",)),
        ("166).a)", ("166", "a")),
        ("D.4.10.", ("d", "4", "10")),
        ("2.4.1.Guidance.(xv).(A)", ("2", "4", "1", "guidance", "xv", "a")),
        ("SECTION VIII.C.1.", ("section viii", "c", "1")),
        ("APPENDIX.Appendix A:.65)", ("app", "appa", "65")),
        ("APP6..A6.3.22", ("app6", "a6", "3", "22")),
        ("PART 5.\u200e12.4.2", ("part 5", "12", "4", "2")),
        ("PART 2.3.1.1.(2) A", ("part 2", "3", "1", "1", "2")),
        ("PART 4.9.3.2  Publicity", ("part 4", "9", "3", "2", "publicity")),
        ("PART 240.§ 240.10b5-1.(a)", ("part 240", "240", "10b5-1", "a")),
        ("§ 230.144A(c)", ("230", "144a", "c")),
        ("Subpart B.§ 225.11", ("subpart b", "225", "11")),
        ("Article 92(1)(a)", ("article 92", "1", "a")),
        ("92.1.a", ("92", "1", "a")),
        ("PART THREE.TITLE I.Article 92", ("part 3", "title i", "article 92")),
        ("Annex III", ("annex iii",)),
        ("FIRST SCHEDULE.PART 1.2.", ("schedule 1", "part 1", "2")),
        ("Second Appendix", ("app2",)),
        ("chp_I__sec_2__art_92__para_1", ("chapter i", "section 2", "article 92", "1")),
        ("73(1)(m.2)", ("73", "1", "m", "2")),
    ],
)
def test_numbers_fall_into_segments(passage_id: str, expected: tuple[str, ...]) -> None:
    assert segments(passage_id) == expected


def test_a_title_is_one_segment() -> None:
    title = "FINANCIAL SERVICES AND MARKETS REGULATIONS 2015"
    assert segments(title) == (title.lower(),)
    assert segments("8.3.6.Guidance on Politically Exposed Persons (PEPs) and corruption.1.") == (
        "8", "3", "6", "guidance on politically exposed persons peps and corruption", "1",
    )  # fmt: skip


def test_spellings_of_an_appendix_are_one() -> None:
    assert segments("APP 2") == segments("APP2") == segments("App 2") == segments("Appendix 2")
    assert segments("APP 2") == ("app2",)


def test_divisions_can_be_left_out() -> None:
    assert lookup_keys("Part 1.Chapter 1.5.(1)") == (
        "part 1/chapter 1/5/1", "chapter 1/5/1", "part 1/5/1", "5/1",
    )  # fmt: skip
    assert lookup_keys("PART 2.3.1.1")[-1] == "3/1/1"


def test_a_division_keeps_its_own_name() -> None:
    assert lookup_keys("Part 3.Chapter 1") == ("part 3/chapter 1", "chapter 1")
    assert lookup_keys("PART 5") == ("part 5",)


def test_a_schedule_paragraph_never_passes_for_a_section() -> None:
    paragraph, section = lookup_keys("Schedule 2.4.(1)"), lookup_keys("Part 2.Chapter 1.4.(1)")
    assert paragraph == ("schedule 2/4/1", "*/4/1")
    assert "4/1" in section
    assert not set(paragraph) & set(section)


def test_inner_divisions_of_a_schedule_can_be_left_out() -> None:
    keys = lookup_keys("Schedule 1.Part 2.Chapter 1.5.(1)")
    assert keys[0] == "schedule 1/part 2/chapter 1/5/1"
    assert {"schedule 1/5/1", "schedule 1/chapter 1/5/1", "*/5/1"} <= set(keys)
    assert "5/1" not in keys


def test_a_number_that_names_its_appendix_stands_alone() -> None:
    assert lookup_keys("APP2.A2.1.2") == ("app2/a2/1/2", "a2/1/2")
    assert lookup_keys("APP 4.59.") == ("app4/59", "*/59")


def test_a_section_of_a_code_answers_without_its_part_if_its_number_is_hyphenated() -> None:
    keys = lookup_keys("PART 240.Subpart A.§ 240.10b-5.(a)")
    assert {"240/10b-5/a", "10b-5/a", "subpart a/240/10b-5/a"} < set(keys)
    assert "2/a" not in lookup_keys("PART 225.§ 225.2.(a)")


def test_an_article_answers_with_and_without_its_word() -> None:
    keys = lookup_keys("PART THREE.TITLE I.CHAPTER 1.SECTION 1.Article 92(1)")
    assert keys[0] == "part 3/title i/chapter 1/section 1/article 92/1"
    assert {"article 92/1", "92/1"} <= set(keys)
    assert keys.index("article 92/1") < keys.index("92/1")


def test_headings_inside_a_number_can_be_left_out_last() -> None:
    assert lookup_keys("PART 4.9.1.1.Application.(1)") == (
        "part 4/9/1/1/application/1", "9/1/1/application/1", "part 4/9/1/1/1", "9/1/1/1",
    )  # fmt: skip
    assert lookup_keys("8.3.2.Guidance on CDD.3.")[-1] == "8/3/2/guidance/3"


def test_kinds_of_containers() -> None:
    kinds = [container_kind(s) for s in ("part 2", "app2", "annex iii", "article 92", "guidance")]
    assert kinds == ["division", "attachment", "attachment", "unit", None]


@given(st.text(alphabet=st.sampled_from("aAiIvx19 .()_:-*/\u200eé"), max_size=40) | st.text())
def test_any_text_has_clean_segments(text: str) -> None:
    for segment in segments(text):
        assert segment and "/" not in segment and segment == segment.strip()
    assert len(set(lookup_keys(text))) == len(lookup_keys(text))


@pytest.mark.parametrize(
    "unit", ["(1)", "part 1.", "part ", "(", "1 ", "1.", " ", "guidance ", "a("]
)
def test_long_input_takes_linear_time(unit: str) -> None:
    with no_runaway():
        lookup_keys(unit * 200_000)


@pytest.mark.corpus
def test_every_number_of_the_corpus_is_understood(data_folder: Path) -> None:
    for path in (data_folder / "obliqa" / "documents").glob("*.json"):
        numbers = {p["PassageID"] for p in json.loads(path.read_text(encoding="utf-8"))}
        by_key: defaultdict[str, set[str]] = defaultdict(set)
        for number in numbers:
            by_key[lookup_keys(number)[0]].add(number)
        # `3` and `3.` stand for two passages in two rulebooks; nothing else may collide
        assert [same for same in by_key.values() if len(same) > 1] in ([], [{"3", "3."}])

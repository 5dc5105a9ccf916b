"""Small made-up acts in every format, and how the tests of the readers look at them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from refusals import heard

from indexer.problems import Problems
from indexer.readers.protocol import Reader
from indexer.structuring.acts.provisions import Act
from search.errors import InputError
from search.records import Passage


def read(reader: Reader, path: Path) -> list[Passage]:
    """Return the passages of a file that nothing is wrong with."""
    problems = Problems()
    passages = list(reader.read(path, path.name, problems))
    problems.raise_if_any()
    return passages


def read_text(reader: Reader, folder: Path, name: str, text: str) -> list[Passage]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read(reader, path)


def act_of(reader: Any, path: Path) -> Act:
    problems = Problems()
    act = reader.read_act(path, problems)
    problems.raise_if_any()
    return act


def texts(passages: list[Passage]) -> dict[str, str]:
    return {passage.passage_id: passage.text for passage in passages}


def numbers(passages: list[Passage]) -> list[str]:
    return [passage.passage_id for passage in passages]


def refusal(reader: Reader, path: Path) -> str:
    """Return the sentence with which a file is refused; no passage may come with it."""
    passages, problems = heard(reader, path)
    with pytest.raises(InputError) as caught:
        problems.raise_if_any()
    assert passages == []
    return str(caught.value)


SAMPLES = Path(__file__).parent / "samples"

FORMEX = (SAMPLES / "lighthouse.fmx.xml").read_text(encoding="utf-8")
"""A consolidated regulation in Formex 4."""

CONSOLIDATED_HTML = (SAMPLES / "lighthouse-consolidated.html").read_text(encoding="utf-8")
"""The same as EUR-Lex shows it."""

JOURNAL_HTML = (SAMPLES / "lighthouse-journal.html").read_text(encoding="utf-8")
"""A part of it as the Official Journal prints it."""

LEX = {
    "schema": "lex-articles/1", "lex_id": "eu-eurlex:32019r0777:2021-03-01", "language": "en",
    "title": "LHR — Regulation (EU) 2019/777", "valid_from": "2021-03-01", "valid_to": None,
    "derived_from": {"source_uri": "https://example.org/?uri=CELEX:02019R0777-20210301"},
    "provisions": [
        {"anchor": "art_1", "type": "article", "num": "Article 1", "heading": "Definitions",
         "path": ["TITLE I — GENERAL", "CHAPTER 1a — Keepers"],
         "text_md": "The following definitions apply:\n\n(1) ‘keeper’ means a person who keeps a "
                    "lighthouse;\n\n(2) ‘lamp’ means a light."},
        {"anchor": "art_2a", "type": "article", "num": "Article 2a", "heading": "Duties",
         "path": ["TITLE I — GENERAL", "CHAPTER 1a — Keepers"],
         "text_md": "**1.** A keeper shall:(a) light the lamp at dusk, that is:(i) in winter at "
                    "16.00;(ii) in summer at 22.00;▼M1 —————▼B(ca) pay EUR 35 000 a year.\n\n"
                    "The second subparagraph closes the paragraph.\n\n"
                    "**1a.** The light has 10^6 candela. See points (a) and (b) of Article 1(2)."},
        {"anchor": "anx_i", "type": "annex", "num": None, "heading": "ANNEX I", "path": [],
         "text_md": "**Prices**\n\n| Lamp | Price |\n| --- | --- |\n| Red | 20 |"},
    ],
}  # fmt: skip

"""The Word originals of the ADGM documents against the passages that people made of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from docx_samples import read_outline

from benchmarks.reader_agreement import compare
from benchmarks.reader_job import lost_words_of_docx

pytestmark = pytest.mark.corpus

DOCUMENTS = ("5", "16", "18", "22", "23", "24", "25", "31", "32", "33", "34", "35", "36", "37")
"""The short ones; `python -m benchmarks.readers docx` reads all 28."""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_numbers_and_texts_agree_with_the_hand_made_ones(data_folder: Path, name: str):
    records = json.loads((data_folder / "obliqa" / "documents" / f"{name}.json").read_text("utf-8"))
    gold = [(record["PassageID"], record["Passage"]) for record in records]
    path = data_folder / "adgm_originals" / f"{name}.docx"
    read = [(one.number, one.text) for one in read_outline(path).passages]
    found = compare(gold, read)
    assert found.f1 > 0.9, (found.missing, found.extra)
    assert found.text > 0.9
    assert lost_words_of_docx(path, [f"{number} {text}" for number, text in read]) == []

"""`rirag search`: questions, options, models and indexes that cannot be used."""

from __future__ import annotations

import json
import shlex
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from cli_support import Run
from sample import change_manifest

from search.errors import installing
from search.models.encoders import DEFAULT_ENCODER, MODELS_FOLDER


@pytest.mark.parametrize("question", ["", "  ", "?!.", "\x1b\x07", "( )"])
def test_a_question_without_words_is_refused(rirag: Run, rulebook: Path, question: str) -> None:
    sentence = rirag("search", question, "--index", rulebook).refused(2)
    assert sentence == "the question has no words: ask in words, or name a rule by its number"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-k", "0"], "-k 0 cannot be used: it must be at least 1."),
        (["--filter", "=red"], "--filter '=red' is not FIELD=VALUE"),
        (["--filter", "kind="], "--filter 'kind=' is not FIELD=VALUE"),
        (["--filter", "document=MIFID"], "no document is named 'MIFID'; list them with: rirag"),
        (["--index", "opensearch+https://me:secret@host/rules"],
         "the index opensearch+https://***@host/rules must not hold a user or password"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_bad_options_are_refused_in_a_sentence(
    rirag: Run, rulebook: Path, options: list[str], sentence: str
) -> None:
    """Further options are in messages.txt."""
    refused = rirag("search", "fees", "--index", rulebook, *options).refused(2)
    assert refused.startswith(sentence)


def test_the_advice_on_an_unknown_document_works_as_it_stands(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    index = shutil.copytree(rulebook, tmp_path / "two words")
    refused = rirag("search", "fees", "--filter", "document=MIFID", "--index", index).refused(2)
    program, *arguments = shlex.split(refused.partition("list them with: ")[2])
    assert program == "rirag"
    assert rirag(*arguments).out.startswith("AMLR")


@pytest.mark.parametrize(
    ("prefix", "library"),
    [("sentence-transformers", "sentence_transformers"), ("flagembedding", "FlagEmbedding")],
)
def test_a_library_that_is_not_installed_is_told_with_the_pip_line(
    rirag: Run, rulebook: Path, prefix: str, library: str
) -> None:
    if find_spec(library) is not None:
        pytest.skip(f"{library} is installed")
    for option in ("--encoder", "--reranker"):
        sentence = rirag("search", "fees", option, f"{prefix}:m", "--index", rulebook).refused(7)
        assert sentence.endswith(installing(prefix))


def test_another_encoder_is_refused_and_both_are_named(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    shipped = MODELS_FOLDER / DEFAULT_ENCODER
    other = tmp_path / "other"
    other.mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        (other / name).symlink_to(shipped / name)
    card = json.loads((shipped / "encoder.json").read_text(encoding="utf-8"))
    (other / "encoder.json").write_text(json.dumps({**card, "max_tokens": 64}), encoding="utf-8")
    for command in (["search", "fees"], ["ingest", tmp_path / "a.jsonl"]):
        (tmp_path / "a.jsonl").write_text(
            '{"ID": "1", "DocumentID": "1", "PassageID": "1", "Passage": "A rule."}\n'
        )
        sentence = rirag(*command, "--encoder", other, "--index", rulebook).refused(3)
        assert f"holds vectors of {DEFAULT_ENCODER} (revision " in sentence
        assert str(other) in sentence
        assert f"--encoder {DEFAULT_ENCODER}" in sentence


def test_an_index_of_a_newer_version_is_refused(rirag: Run, rulebook: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(rulebook, tmp_path / "newer")
    change_manifest(copy, schema_version=99)
    sentence = rirag("search", "fees", "--index", copy).refused(3)
    assert "was written by a newer rirag (index version 99, this one reads up to " in sentence
    assert "upgrade rirag" in sentence


@pytest.mark.parametrize("name", ["passages.sqlite", "vectors.f16", "manifest.json"])
def test_a_damaged_index_is_refused_and_the_file_named(
    rirag: Run, rulebook: Path, tmp_path: Path, name: str
) -> None:
    copy = shutil.copytree(rulebook, tmp_path / "damaged")
    (file,) = copy.rglob(name)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    sentence = rirag("search", "fees", "--index", copy).refused(3)
    assert name in sentence
    assert "restore it from a backup, or delete the folder and ingest again" in sentence


def test_a_bad_settings_file_is_refused_with_its_line(rirag: Run, tmp_path: Path) -> None:
    (tmp_path / "rirag.toml").write_text("k = 3\nindx = 1\n", encoding="utf-8")
    sentence = rirag("search", "fees").refused(2)
    assert sentence == "rirag.toml:2: unknown setting 'indx'; did you mean 'index'?"

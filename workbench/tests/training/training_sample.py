"""A training run small enough for a test: a rulebook of made-up words, and a random model."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import tiny_models
from extras import require

from rirag_workbench.training.data.held_out import is_validation
from search.records import Passage

WORDS = tuple(tiny_models.WORDS.split())
PASSAGES = 100


def make_passages() -> list[Passage]:
    """Return passages of which no two share many words."""
    draw = random.Random(5)
    return [
        Passage(f"p{number}", "d", str(number), " ".join(draw.sample(WORDS, 6)))
        for number in range(PASSAGES)
    ]


def save_questions(folder: Path, passages: list[Passage]) -> Path:
    """Write one question a passage: four of its words."""
    draw = random.Random(6)
    lines = [
        json.dumps({
            "question_id": f"q{number}",
            "question": " ".join(draw.sample(passage.text.split(), 4)),
            "relevant": [passage.id],
        })
        for number, passage in enumerate(passages)
    ]  # fmt: skip
    assert any(is_validation(f"q{number}") for number in range(len(passages)))
    path = folder / "questions.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def save_encoder(folder: Path) -> Path:
    """Write a random sentence-transformers model."""
    library = require("sentence_transformers")
    require("datasets")
    model = library.SentenceTransformer(str(tiny_models.save_bert(folder / "bert")), device="cpu")
    model.save(str(folder / "base"), create_model_card=False)
    return folder / "base"


@contextmanager
def one_thread() -> Iterator[None]:
    """Have torch add up in one order, so that runs can be compared."""
    torch = require("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@contextmanager
def interrupted_at_a_checkpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have Ctrl-C end the training when its first checkpoint is written."""
    from rirag_workbench.training.runs import rounds

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(rounds, "CHECKPOINT_MINUTES", 0)
        patched.setattr(rounds.Supervisor, "on_save", stop)
        yield

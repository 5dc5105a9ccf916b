"""Pair files in the form that FlagEmbedding's fine-tuning reads."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from rirag.files import write_text
from rirag.training.data.pairs import Pair, PassageReference


def write_flagembedding(pairs: Iterable[Pair], path: Path) -> int:
    """Write lines of `{"query", "pos", "neg"}` and return how many.

    Args:
        pairs: whose passages all have texts; see `pairs.with_texts`.
        path: file to write, complete or not at all.

    Raises:
        StorageError: it cannot be written.
    """
    lines = [
        json.dumps(
            {"query": pair.question, "pos": _texts(pair.positives), "neg": _texts(pair.negatives)},
            ensure_ascii=False,
        )
        for pair in pairs
    ]
    write_text(path, "".join(line + "\n" for line in lines), "the pair file")
    return len(lines)


def _texts(passages: Iterable[PassageReference]) -> list[str]:
    return [passage.text for passage in passages if passage.text is not None]

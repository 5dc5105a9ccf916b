"""An act as a file holds it, in any form that `rirag ingest` reads."""

from __future__ import annotations

from pathlib import Path

from indexer.review.structure import structure
from search.articles.act import Act, act_of
from search.errors import InputError


def read_act(path: Path) -> Act:
    """Read one act with its articles, just as it would be in an index.

    Raises:
        InputError: there is no such file, it cannot be read, or it is not an act with articles.
    """
    if not path.is_file():
        raise InputError(
            "the file does not exist; give the file of one act.", path, code="file.unreadable"
        )
    acts = [act_of(one.passages) for one in structure(path).documents]
    found = next((act for act in acts if act.articles), None)
    if found is None:
        raise InputError(
            "the file holds no article; give an EU act as lex-articles JSON, Formex "
            "or EUR-Lex HTML.",
            path,
            code="evaluation.invalid",
        )
    return found

"""Report problems with files last, with their number, after the results."""

from __future__ import annotations

from collections.abc import Sequence

from search.errors import InputError


def raise_problems(refused: Sequence[str], left_out: str, losses: Sequence[str]) -> None:
    """Raise one `InputError` for files that were refused or lost text; nothing for none.

    Args:
        refused: problems of files that were left out as a whole.
        left_out: the sentence that says so; empty: none.
        losses: files that were read and lost text, and documents that were not read.
    """
    from indexer.load.report import count

    lines = [*refused, *([left_out] if refused and left_out else []), *losses]
    if losses:
        lines.append(f"{count(len(losses), 'file')} with text in no passage.")
    if lines:
        raise InputError("\n".join(lines), code="source.refused")

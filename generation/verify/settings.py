"""The settings of the verifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generation.verify.judges.judging import Judge


@dataclass(frozen=True, slots=True)
class VerifySettings:
    """How answers are verified; the words are always compared."""

    judge: Judge | None = None
    """Asked about the statements that their words leave in doubt."""
    llm_judges: bool = False
    """Whether the language model of the answer is asked about them instead."""
    require_supported: bool = False
    """Whether statements that are not supported are rewritten once, where there is a language
    model, and dropped if that does not help."""

"""Verify every statement of an answer against the passages that it cites.

It knows modes by their protocol alone, and does not know who wrote an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from search.lazy import lazily

if TYPE_CHECKING:
    from generation.render import verification_text as verification_text
    from generation.verification import Finding as Finding
    from generation.verification import MissingObligation as MissingObligation
    from generation.verification import StatementCheck as StatementCheck
    from generation.verification import Verification as Verification
    from generation.verify.judges.judging import Judge as Judge
    from generation.verify.judges.judging import load_judge as load_judge
    from generation.verify.settings import VerifySettings as VerifySettings
    from generation.verify.verifying import verify as verify

__getattr__, __dir__, __all__ = lazily(__name__)

"""How likely each passage answers, as the search sees it, and which are worth reading."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from search.records import Hit, Passage

MOST = 0.95
"""Probability that no passage is taken to exceed."""

LEAST_BEST = 0.25
"""Probability of the best passage below which all are too low to be compared."""

BEST, FALL = 0.6, 6.0
"""Where no calibration fits: the probability of the best score, and how it falls with the score."""

LEAST_ODDS, LIKELY = 0.18, 0.4
"""Part of the best passage's odds from which on another one is read, and the probability from which
on each is."""


_SUBDIVISION = re.compile(r"(?:[.\s]*\([^()]{1,6}\))+$")


def rule_of(passage: Passage) -> str:
    """Return the number of the rule that a passage belongs to: `3.5.8` for `3.5.8.(b)`."""
    return _SUBDIVISION.sub("", passage.passage_id.strip())


def odds_of(hits: Sequence[Hit]) -> list[float]:
    """Return the odds that each passage answers, by its relevance, or by its score."""
    chances = [one.relevance for one in hits]
    best = max((one.score for one in hits), default=0.0)
    known = [chance for chance in chances if chance is not None]
    if len(known) < len(chances) or max(known, default=0.0) < LEAST_BEST:
        known = [BEST * math.exp(FALL * (one.score - best)) for one in hits]
    return [_odds(min(chance, MOST)) for chance in known]


def is_worth_reading(odds: float, best: float) -> bool:
    """Return whether a passage with these odds is read beside the best one."""
    return odds >= LEAST_ODDS * best or odds >= _odds(LIKELY)


def _odds(chance: float) -> float:
    return max(chance, 1e-4) / (1 - chance)

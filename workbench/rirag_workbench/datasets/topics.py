"""Topics with keywords, and the passages that have them (RIRAG, section 3.1.1 and appendix A.3)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from rirag.files import read_text
from search.errors import InputError
from search.records import Passage

Topics = Mapping[str, Sequence[str]]
"""Topic → keywords, of which a passage must have one."""


def read_topics(path: Path) -> Topics:
    """Read a JSON object of topics.

    Raises:
        InputError: the file has another form.
    """
    try:
        found = json.loads(read_text(path))
        topics = {str(name): [str(word) for word in words] for name, words in found.items()}
    except (ValueError, AttributeError, TypeError):
        raise InputError(
            'this is not a JSON object such as {"Audit": ["audit", …]}.',
            path,
            code="dataset.invalid",
        ) from None
    if not topics or not all(topics.values()):
        raise InputError("every topic needs keywords.", path, code="dataset.invalid")
    return topics


def groups_of(
    passages: Sequence[Passage], topics: Topics, size: int, count: int, random: Random
) -> list[tuple[str, tuple[Passage, ...]]]:
    """Draw groups of passages that share a topic, topic by topic in turns.

    Args:
        passages: to draw from.
        topics: with their keywords.
        size: passages of a group.
        count: how many groups at most.
        random: of the draw.
    """
    waiting: dict[str, list[Passage]] = {}
    for topic, words in topics.items():
        pattern = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in words), re.IGNORECASE)
        having = [passage for passage in passages if pattern.search(passage.text)]
        waiting[topic] = random.sample(having, len(having))
    groups: list[tuple[str, tuple[Passage, ...]]] = []
    while len(groups) < count and any(len(one) >= size for one in waiting.values()):
        for topic, left in waiting.items():
            if len(left) >= size and len(groups) < count:
                groups.append((topic, tuple(left[:size])))
                del left[:size]
    return groups

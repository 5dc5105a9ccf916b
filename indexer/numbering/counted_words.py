"""Rules that are numbered behind a word and begin with a sentence: `Rule 1 A party must file.`

Such a line looks like a reference at the beginning of a sentence. Where the numbers of a word count
on through the text, they are what it is numbered by.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from indexer.numbering.divisions import is_division
from indexer.numbering.line_labels import UNITS, parse_line

_RULE = re.compile(
    rf"(?P<label>(?P<word>{UNITS})\s?(?P<number>\d{{1,4}}|1er|premier)[A-Za-z]{{0,2}}\.?):?\s+"
    r"(?=[^\w\s]{0,2}\s?[^\W\d_a-z])"
)
_FEWEST = 2
"""Numbers of a word that count on; one alone may be a reference."""


def with_counted_words(lines: Sequence[str], fenced: Collection[int]) -> list[str]:
    """Return lines in which a tab parts such numbers from their sentence.

    Args:
        lines: of a text.
        fenced: 0-based places of lines inside a fence.
    """
    found: dict[int, re.Match[str]] = {}
    counted: Counter[str] = Counter()
    last: dict[str, int] = {}
    before: dict[str, int] = {}
    divided = False
    for at, line in enumerate(lines):
        if at in fenced:
            continue
        opens = parse_line(line)
        divided = divided or bool(opens and is_division(opens.number))
        if rule := _RULE.match(line):
            word, number = rule["word"], int(re.sub(r"\D", "", rule["number"]) or 1)
            follows = number == last.get(word, 0) + 1 or (divided and number == 1)
            if opens and number == last.get(word):
                found.pop(before[word], None)  # the sentence before cites this rule
            if opens or follows:
                last[word], before[word], divided = number, at, False
                counted[word] += follows
            if follows and not opens:
                found[at] = rule
    parted = list(lines)
    for at, rule in found.items():
        if counted[rule["word"]] >= _FEWEST:
            parted[at] = f"{rule['label']}\t{lines[at][rule.end() :]}"
    return parted

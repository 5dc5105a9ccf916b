"""Numbered passages to read by hand, beside their source: python -m benchmarks.drawn_numbers FILE….

Draws passages at random from all files, from each at most a share (`--share`), and prints for each
its place, its number, how its text begins, and what the source says before and at that place.
Whoever reads them counts the wrong ones.
"""

from __future__ import annotations

import argparse
import random
import re
from bisect import bisect_right
from collections import Counter
from pathlib import Path

from benchmarks.command import positive, start
from benchmarks.lost_words import visible_text
from indexer.problems import Problems
from indexer.readers.detect import reader_for

_WORD = re.compile(r"\w+")
_KEY_WORDS = 8
"""First words of a passage by which it is found in the source."""


def main() -> None:
    """Draw passages and print them in the order of their files."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("files", type=Path, nargs="+")
    arguments.add_argument("--number", type=positive, default=200, help="how many passages")
    arguments.add_argument("--share", type=float, default=1.0, help="most of them from one file")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--before", type=positive, default=160, help="characters of the source")
    options = arguments.parse_args()
    files = [numbered(path, options.before) for path in options.files]
    drawn = draw(files, options.number, options.share, random.Random(options.seed))
    for order, one in enumerate(drawn, 1):
        print(f"{order}. {one}", flush=True)


def draw(files: list[list[str]], number: int, share: float, chance: random.Random) -> list[str]:
    """Return passages drawn at random, in the order of the files.

    Args:
        files: the passages of each file.
        number: how many to draw.
        share: at most this share of `number` comes from one file.
        chance: what draws.
    """
    places = [(at, place) for at, file in enumerate(files) for place in range(len(file))]
    chance.shuffle(places)
    drawn: list[tuple[int, int]] = []
    counts: Counter[int] = Counter()
    for at, place in places:
        if len(drawn) < number and counts[at] < share * number:
            counts[at] += 1
            drawn.append((at, place))
    return [files[at][place] for at, place in sorted(drawn)]


def numbered(path: Path, before: int) -> list[str]:
    """Return each passage of a file whose number has a digit, beside its source."""
    source, found = Source(visible_text(path)), []
    for passage in reader_for(path).read(path, path.name, Problems()):
        text = " ".join(passage.text.split())
        beside = source.next(text, before)
        if any(map(str.isdigit, passage.passage_id)):
            found.append(f"{passage.source} [{passage.passage_id}] {text[:100]}\n    {beside}")
    return found


class Source:
    """The visible text of a file, in which passages are found by their first words."""

    def __init__(self, text: str) -> None:
        self._text = " ".join(text.split())
        words = list(_WORD.finditer(self._text))
        self._starts = [word.start() for word in words]
        self._words = " " + " ".join(word[0].lower() for word in words) + " "
        self._places = [0]
        for word in words:
            self._places.append(self._places[-1] + len(word[0]) + 1)
        self._last = 0

    def next(self, text: str, before: int) -> str:
        """Return the source around the next place with these words, or else around the first."""
        words = [word.lower() for word in _WORD.findall(text[:200])]
        for count in range(min(_KEY_WORDS, len(words)), 0, -1):
            wanted = f" {' '.join(words[:count])} "
            at = self._words.find(wanted, self._last)
            if at < 0:
                at = self._words.find(wanted)
            if at >= 0:
                self._last = at + 1
                place = self._starts[bisect_right(self._places, at) - 1]
                return f"… {self._text[max(0, place - before) : place]}▶ {self._text[place:][:60]}"
        return "not found in the source"


if __name__ == "__main__":
    start(main)

"""Units whose numbers run through a text: `Article 1`, `§ 5`, `2.—`, `59.1-576.`, `Стаття 5`.

A line that begins with a unit and a number may be a reference; such numbers count on where they
open the units of a law. So all lines are looked at before any of them opens one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from search.provisions import vocabulary

Key = tuple[int | str, ...]

LONGEST_TITLE = 25
"""Words of a line that may be the title of a unit; those of the laws at hand have up to 22."""
_FEWEST = 2
"""Numbers that count on make a form; one alone may be a reference."""
_CONTENTS_WORDS = 14
"""Mean words for each unit below which a run of units is a table of contents."""
_CONTENTS_AGAIN = 0.7
"""Least share of the numbers of a table of contents that come again."""

MARKED, DASHED = "marked", "dashed"
"""Forms of bare numbers: set apart by their look, and parted from their text by a dash."""
_ONE_RUN = 0.8
"""Least share of such numbers that must rise through the text."""
_FEWEST_MARKED = 3
_DIVISIONS_TOO = frozenset({"section", "§"})
"""Units that group others where there are more of those."""

_NUMERAL = (
    r"\d{1,5}(?:[.\-\u2011–/:]\d{1,4}[a-zA-Z]?)*"
    r"(?:[a-z]{1,2}(?![\w])|[A-Z]{1,2}(?![\w])|[ \u00a0][a-z](?=[ \u00a0]?[.§)]|[ \u00a0]*$))?"
    r"(?:[ \u00a0]?(?:bis|ter|quater|quinquies|sexies|septies|octies|novies|decies))?"
    r"(?:er|re|º|°|ª)?"
)
_LETTERED = r"[A-Z]\.?[ \u00a0]?\d{1,4}(?:-\d{1,4})*"
_ROMAN = r"[IVXLC]{1,8}(?![\w])|premier|unique|único|unico"
_CHINESE = "0-9０-９一二三四五六七八九十百千〇"
_BEHIND = r"§|pants|straipsnis|cikk|paragrahv"
_SEPARATOR = re.compile(r"[ \u00a0]*[.:—–\u2011)\]|-]*[ \u00a0]*")
_DATE = re.compile(r"\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d\b")
_DIGITS = re.compile(r"\d+|[a-zA-Z]+")
_CJK = re.compile(
    rf"第[ \u00a0]?(?P<number>[{_CHINESE}]{{1,6}})[ \u00a0]?(?P<word>[条條조])"
    rf"(?:の(?P<more>[{_CHINESE}]{{1,3}}))?"
)
_DASHED = re.compile(r"(?P<number>\d{1,4}[A-Z]{0,2})[ \u00a0]?\.?[ \u00a0]?[—–](?=\s*\S)")
_CODED = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{1,2})?-\d{1,3}-\d{2,5}(?:\.\d{1,2})?|\d{1,3}\.\d{1,2}-\d{1,5}"
    r"(?:\.\d{1,2})?|\d{4,6}(?:\.\d{1,3}))\.?(?=\s|$)"
)
_MARKED_NUMBER = re.compile(r"(\d{1,4}(?:\.\d{1,3}){0,2}[A-Z]{0,2})\.?(?=[\s(]|$)")
_CHINESE_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")}
_CHINESE_POWERS = {"十": 10, "百": 100, "千": 1000}


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A line that opens a unit."""

    number: str
    """As people cite it: `Article 5`, `§ 4 a`, `2`, `59.1-576`."""
    label: str
    """As the line shows it."""
    text: str
    """What follows it."""
    form: str
    """What such lines have in common: a unit of the vocabulary, `§`, `dashed` or `coded`."""
    key: Key
    alone: bool
    """Whether a dot, a dash or the end of the line follows the number."""


@dataclass(frozen=True, slots=True)
class RunningUnits:
    """What the lines of a text are, by their 0-based places."""

    units: Mapping[int, UnitLine]
    groups: Mapping[int, UnitLine]
    """Divisions that are numbered like units: `§ 1. — Retention` above sections 10 to 17."""
    contents: frozenset[int]
    """Lines of tables of contents."""


def running_units(lines: Sequence[str], marked: Collection[int] = ()) -> RunningUnits:
    """Return the lines that open units.

    Takes time in proportion to the lines, and n log n for the numbers.

    Args:
        lines: of the text.
        marked: places of lines whose number is set apart by its look, such as a bold `12`.
    """
    found: dict[str, list[tuple[int, UnitLine]]] = defaultdict(list)
    for place, line in enumerate(lines):
        if candidate := unit_line(line) or (_marked_line(line) if place in marked else None):
            found[candidate.form].append((place, candidate))
    opened: dict[int, UnitLine] = {}
    groups: dict[int, UnitLine] = {}
    contents: set[int] = set()
    if MARKED in found and not _is_one_run(found[MARKED]):
        del found[MARKED]
    most = max(map(len, found.values()), default=0)
    for form, candidates in found.items():
        if form in _DIVISIONS_TOO and 2 * len(candidates) < most:
            groups |= dict(candidates)  # sections that group articles
            continue
        runs = [run for part in _runs(candidates) if len(run := _counting(part)) >= _FEWEST]
        runs = [run for run in runs if _counts_on(run)]
        later: set[Key] = set()
        for run in reversed(runs):
            if _is_contents(run, later, lines):
                contents.update(range(run[0][0], run[-1][0] + 1))
            else:
                opened |= dict(run)
            later.update(unit.key for _, unit in run)
    return RunningUnits(opened, groups, frozenset(contents))


def unit_line(line: str) -> UnitLine | None:
    """Return the unit that a line may open, or None."""
    line = line.strip()
    if not line:
        return None
    if chinese := _CJK.match(line):
        value = _chinese_value(chinese["number"])
        more = _chinese_value(chinese["more"]) if chinese["more"] else 0
        return _made(chinese.group(), "条", (value, more), line[chinese.end() :], chinese.group())
    if signed := _worded().match(line):
        return _worded_line(signed, line)
    for form, pattern in ((DASHED, _DASHED), ("coded", _CODED)):
        if bare := pattern.match(line):
            number = bare["number"]
            return _made(number, form, _key(number), line[bare.end() :], bare.group())
    return None


def _marked_line(line: str) -> UnitLine | None:
    found = _MARKED_NUMBER.match(line)
    if found is None:
        return None
    return _made(found[1], MARKED, _key(found[1]), line[found.end() :], found.group())


def _is_one_run(candidates: Sequence[tuple[int, UnitLine]]) -> bool:
    """Tell whether bare numbers rise through the text, as those of its units do."""
    body = max((_rising(run) for run in _runs(candidates)), key=len)
    return len(body) >= max(_FEWEST_MARKED, _ONE_RUN * len(candidates)) and _counts_on(body)


def division_line(line: str) -> tuple[str, str, str, int] | None:
    """Return (word, number, title, rank) of a line that is the title of a division, or None."""
    found = _division().match(line)
    if found is None:
        return None
    title = line[found.end() :].strip(" .:—–-")
    word, number = found["word"] or found["behind"], found["number"] or found["before"]
    unit = vocabulary.unit_of(word)
    if unit is None or (title and not is_title(title)):
        return None
    word = word.rstrip(".")
    word = word.capitalize() if word.isupper() else word
    return word, number.strip(" ."), title, vocabulary.units()[unit].rank


@cache
def _division() -> re.Pattern[str]:
    long = [w for w in vocabulary.spellings(vocabulary.units_of("division")) if len(w) > 2]
    words = "|".join(re.escape(word) for word in long)
    number = r"\d{1,3}[a-zA-Z]?|[IVXLC]{1,8}(?:er)?|[A-Z]"
    end = r"(?:[ \u00a0]*[.:—–-][ \u00a0]*|[ \u00a0]+(?=[A-ZÀ-ÖØ-ÞА-ЯΑ-Ω\"“„(])|$)"
    return re.compile(
        rf"(?:(?P<word>(?i:{words})\.?)[ \u00a0]+(?P<number>{number})"
        rf"|(?P<before>\d{{1,3}}|[IVXLC]{{1,8}})\.?[ \u00a0]*(?P<behind>(?i:{words}))){end}"
    )


def _worded_line(found: re.Match[str], line: str) -> UnitLine | None:
    printed, number = (found["word"] or found["behind"]).strip(), _spelt(found["number"])
    word = printed.rstrip(".")
    if _DATE.match(number):
        return None
    signed = word[0] == "§"
    unit = "§" if signed else vocabulary.unit_of(word) or word.lower()
    rest = line[found.end() :]
    shown = found.group().strip()
    if found["behind"]:
        cited = f"§ {number}" if signed else shown
    elif signed:
        cited = f"{word} {number}"
    else:
        cited = f"{_canonical(printed, unit)} {number}"
    made = _made(cited, unit, _key(number), rest, shown)
    return None if made and _refers(made) else made


def _made(number: str, form: str, key: Key, rest: str, label: str) -> UnitLine:
    separator = _SEPARATOR.match(rest)
    end = separator.end() if separator else 0
    marked = bool(rest[:end].strip(" \u00a0")) or not rest.strip() or form in {DASHED, "coded"}
    return UnitLine(number, label + rest[:end].rstrip(), rest[end:].strip(), form, key, marked)


def _refers(unit: UnitLine) -> bool:
    """Tell whether a line only begins with a reference: `Article 5 applies`, `§ 5 Abs. 2 gilt`."""
    text = unit.text
    if not text:
        return False
    word, _, rest = text.partition(" ")
    inner = vocabulary.unit_of(word.rstrip(".,"))
    if inner and not unit.alone and rest[:1].isdigit():
        return True
    first = text[0]
    if first in ",;&/" or (first.islower() and not unit.alone):
        return True
    if first in "([":
        after = re.sub(r"^(?:[(\[][^)\]]{0,80}[)\]]\s*)+", "", text)
        return after[:1].islower() or after[:1] in ",;"
    return False


@cache
def _worded() -> re.Pattern[str]:
    single = {"s", "ss", "r", "rr", "reg", "regs"}
    words = [w for w in vocabulary.spellings(vocabulary.units_of("rule")) if w not in single]
    words = [w for w in words if w not in {"recital", "footnote"} and not w.startswith("§")]
    units = "|".join(map(re.escape, words))
    return re.compile(
        rf"(?:(?P<word>§+|(?:{units})(?![^\W\d_])\.?)[ \u00a0]*)?"
        rf"(?P<number>(?<=[ \u00a0.§\w])(?:{_NUMERAL}|{_LETTERED}|{_ROMAN})"
        rf"|{_NUMERAL}(?=[ \u00a0.]*(?:{_BEHIND})))"
        rf"(?(word)|[ \u00a0.]*(?P<behind>{_BEHIND})(?![^\W\d_]))"
        r"(?![\w])",
        re.IGNORECASE,
    )


def _canonical(word: str, unit: str) -> str:
    """Return the word of a number: English words in full, all others as they are printed."""
    english = vocabulary.spellings([unit], "en")
    if word.lower().rstrip(".") in english and unit in {"article", "section", "rule", "regulation"}:
        return unit.capitalize()
    return word.capitalize() if word.isupper() else word


def _spelt(number: str) -> str:
    return " ".join(number.replace("\u2011", "-").split()).rstrip(".")


def _key(number: str) -> Key:
    """Return what sorts numbers: 4, 4 a, 4b, 5; Roman numerals by their value."""
    from search.provisions.roman import roman_value

    parts = _DIGITS.findall(number)
    if len(parts) == 1 and parts[0].isalpha():
        value = roman_value(parts[0].lower())
        return (value if value is not None else 1,)
    if parts and parts[-1].lower() in {"er", "re"}:
        parts = parts[:-1]
    return tuple(int(p) if p.isdigit() else p.lower() for p in parts)


def _ordered(key: Key) -> tuple[tuple[int, int, str], ...]:
    return tuple((0, part, "") if isinstance(part, int) else (1, 0, part) for part in key)


def _runs(candidates: Iterable[tuple[int, UnitLine]]) -> list[list[tuple[int, UnitLine]]]:
    """Part candidates where their numbers begin anew."""
    runs: list[list[tuple[int, UnitLine]]] = [[]]
    first: Key | None = None
    for place, unit in candidates:
        if first is None:
            first = unit.key
        elif (unit.key == first or _is_first(unit.key)) and _ordered(unit.key) < _ordered(
            runs[-1][-1][1].key
        ):
            runs.append([])
        runs[-1].append((place, unit))
    return runs


def _is_first(key: Key) -> bool:
    return key[:1] == (1,) and len(key) == 1


def _counting(run: Sequence[tuple[int, UnitLine]]) -> list[tuple[int, UnitLine]]:
    """Return the longest part of a run whose numbers rise; those that stand alone are preferred."""
    strong = [one for one in run if one[1].alone or not one[1].text]
    chosen = strong if len(strong) >= _FEWEST and 2 * len(strong) >= len(run) else list(run)
    return _rising(chosen)


def _rising(run: Sequence[tuple[int, UnitLine]]) -> list[tuple[int, UnitLine]]:
    tails: list[tuple[tuple[int, int, str], ...]] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, unit) in enumerate(run):
        key = _ordered(unit.key)
        at = bisect_right(tails, key)
        before.append(ends[at - 1] if at else -1)
        if at == len(tails):
            tails.append(key)
            ends.append(index)
        else:
            tails[at], ends[at] = key, index
    chain: list[tuple[int, UnitLine]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(run[index])
        index = before[index]
    return chain[::-1]


def _counts_on(run: Sequence[tuple[int, UnitLine]]) -> bool:
    """Tell whether most numbers of a run are next to the one before."""
    keys = [unit.key for _, unit in run]
    steps = sum(_next(one, other) for one, other in pairwise(keys))
    return 2 * steps >= len(keys) - 1


def _next(one: Key, other: Key) -> bool:
    """Tell whether a number comes next: 5 after 4, 4a after 4, 5 after 4b, 59.1-576 after -575."""
    if other[: len(one)] == one or one[:-1] == other[: len(one) - 1] == other[:-1]:
        last, new = one[-1], other[-1]
        if isinstance(last, int) and isinstance(new, int) and len(one) == len(other):
            return new - last in {1, 2}
        return True
    head, new_head = one[0], other[0]
    return isinstance(head, int) and isinstance(new_head, int) and new_head - head in {1, 2}


def _is_contents(
    run: Sequence[tuple[int, UnitLine]], later: Set[Key], lines: Sequence[str]
) -> bool:
    """Tell whether a run is a table of contents: short lines whose numbers come again later."""
    words = sum(len(line.split()) for line in lines[run[0][0] : run[-1][0] + 1])
    mine = {unit.key for _, unit in run}
    again = len(mine & later) >= _CONTENTS_AGAIN * len(mine)
    return again and words < _CONTENTS_WORDS * len(run)


def _chinese_value(text: str) -> int:
    """Return the value of a number in Chinese or full-width digits."""
    plain = text.translate(str.maketrans("０１２３４５６７８９", "0123456789"))
    if plain.isdigit() and plain.isascii():
        return int(plain)
    total, digit = 0, 0
    for character in plain:
        if power := _CHINESE_POWERS.get(character):
            total += (digit or 1) * power
            digit = 0
        else:
            digit = digit * 10 + _CHINESE_DIGITS.get(character, 0)
    return total + digit


def is_title(line: str) -> bool:
    """Tell whether a line may be the title of the unit beside it."""
    words = line.split()
    return (
        0 < len(words) <= LONGEST_TITLE
        and line[-1] not in ".;:,。；：、"
        and not line[0].islower()
        and not line[0].isdigit()
        and line[0] not in "(["
    )

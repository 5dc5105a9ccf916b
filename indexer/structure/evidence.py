"""Numbers that count on in a source, whoever reads it: what a reading of it is measured by.

A label is a number at the beginning of a line, with the word, sign or code before it and the marks
around it. Labels that look alike are a family; a family's lists count on. What a reading makes of
them shows how good it is: each should open a provision of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from search.provisions.roman import roman_value

Value = tuple[int | str, ...]

_HAN = "〇一二三四五六七八九十百千"
_MARKS = re.compile(r"^(?:[#>*_•\s]|\*\*)+|(?:\*\*|__)")
_WORD = r"[^\W\d_]{1,24}"
_NUMERAL = r"\d{1,5}(?:[.\-–/]\d{1,4}){0,6}"
_SUFFIX = (
    r"(?:[º°ª]|er|re|(?:\s?(?:bis|ter|quater|quinquies|sexies|septies|octies))|[A-Za-z]{1,2})?"
)
_LABEL = re.compile(
    rf"""(?:
      (?P<cjk>[第제]\s?[{_HAN}\d０-９]{{1,7}}(?:[-－]\d+)?\s?[^\W\d]{{1}})
    | (?P<word>§+|{_WORD}\.?)[\s ]{{0,2}}(?P<worded>{_NUMERAL}{_SUFFIX}|[IVXLC]{{1,7}})(?![\w])
    | (?P<code>[A-Z]{{1,8}})[\s -]?(?P<coded>{_NUMERAL}[A-Z]{{0,2}})(?![\w])
    | (?P<before>\d{{1,4}}|[IVXLC]{{1,7}})\.?[\s ]?(?P<behind>§|[^\W\d_]{{2,12}})(?=[\s.:])
    | (?P<dotted>(?:[A-Z]\.?)?\d{{1,4}}(?:\.\d{{1,4}})+[A-Z]{{0,2}})(?![\w])
    | (?P<bare>\d{{1,4}}{_SUFFIX})(?P<mark>[.)\-–—:]|(?=\s|$))(?![\w])
    )""",
    re.VERBOSE,
)
_DIGITS = re.compile(r"\d+|[A-Za-z]+")
_FEWEST = 3
_MOST_WORDS = 300
"""Words that a label counts for at most, so that no single one decides."""
_GAP = 2


@dataclass(slots=True)
class Seen:
    """A label where it was seen."""

    at: int
    family: str
    value: Value
    words: int = 0


@dataclass(slots=True)
class _List:
    """Labels of a family that count on."""

    members: list[Seen] = field(default_factory=list)

    @property
    def span(self) -> tuple[int, int]:
        return self.members[0].at, self.members[-1].at


def labels(text: str) -> Iterable[tuple[str, Value]]:
    """Yield the families that a line may belong to, and its value in each."""
    line = _MARKS.sub("", text[:200]).lstrip()
    found = _LABEL.match(line)
    if found is None:
        return
    if found["cjk"]:
        digits = "".join(c for c in found["cjk"] if c in _HAN or c.isdigit())
        yield f"cjk {found['cjk'][-1]}", (_han(digits),)
    elif found["word"]:
        word = found["word"].rstrip(".").casefold()
        yield f"word {word}", value_of(found["worded"])
    elif found["code"]:
        yield f"code {found['code']}", value_of(found["coded"])
    elif found["behind"]:
        yield f"behind {found['behind'].casefold()}", value_of(found["before"])
        yield f"bare {line[len(found['before']) :][:1]}", value_of(found["before"])
    elif found["dotted"]:
        yield "dotted", value_of(found["dotted"])
    else:
        yield f"bare {found['mark']}", value_of(found["bare"])


def value_of(number: str) -> Value:
    """Return what a number is sorted by: 12a is (12, "a"), IV is (4,)."""
    number = re.sub(r"(?<=\d)(?:er|re)$", "", number)
    if number.isalpha() and (roman := roman_value(number.lower())) is not None:
        return (roman,)
    return tuple(int(p) if p.isdigit() else p.lower() for p in _DIGITS.findall(number))


def _han(text: str) -> int:
    plain = text.translate(str.maketrans("０１２３４５６７８９", "0123456789"))
    if plain.isdigit() and plain.isascii():
        return int(plain)
    total, digit = 0, 0
    for c in plain:
        if (power := {"十": 10, "百": 100, "千": 1000}.get(c)) is not None:
            total += (digit or 1) * power
            digit = 0
        else:
            digit = digit * 10 + max(0, "〇一二三四五六七八九".find(c))
    return total + digit


def counted(texts: Sequence[str]) -> list[Seen]:
    """Return the outermost labels that count on, each with the words that it is for."""
    families: defaultdict[str, list[Seen]] = defaultdict(list)
    for at, text in enumerate(texts):
        for family, value in labels(text):
            families[family].append(Seen(at, family, value))
    lists = {name: _lists(some) for name, some in families.items()}
    lists = {name: some for name, some in lists.items() if some}
    outer = [name for name in lists if not _is_inner(name, lists)]
    chosen: dict[int, Seen] = {}
    for name in sorted(outer, key=lambda name: sum(len(one.members) for one in lists[name])):
        for one in lists[name]:
            for seen in one.members:
                chosen[seen.at] = seen  # the family with the most members wins a line
    found = [chosen[at] for at in sorted(chosen)]
    lengths = [len(text.split()) for text in texts]
    starts = [seen.at for seen in found]
    for seen, end in zip(found, [*starts[1:], len(texts)], strict=False):
        seen.words = min(sum(lengths[seen.at : end]), _MOST_WORDS)
    return found


def _lists(seen: Sequence[Seen]) -> list[_List]:
    """Part the labels of a family into lists that count on; those of fewer than three are none."""
    stack: list[_List] = []
    done: list[_List] = []
    for one in seen:
        if not one.value:
            continue
        while stack and not _continues(stack[-1].members[-1].value, one.value):
            if _begins(one.value) or not any(
                _continues(open_.members[-1].value, one.value) for open_ in stack[:-1]
            ):
                break
            done.append(stack.pop())
        if stack and _continues(stack[-1].members[-1].value, one.value):
            stack[-1].members.append(one)
        else:
            stack.append(_List([one]))
    return [one for one in [*done, *stack] if len(one.members) >= _FEWEST]


def _begins(value: Value) -> bool:
    return all(part == 1 for part in value)


def _continues(one: Value, other: Value) -> bool:
    """Return whether a value comes next: 5 or 4a after 4, 1.2.1 or 1.3 or 2.1 after 1.2."""
    for place, (mine, its) in enumerate(zip(one, other, strict=False)):
        if mine == its:
            continue
        if isinstance(mine, int) and isinstance(its, int):
            rest = other[place + 1 :]
            return 0 < its - mine <= _GAP and all(
                isinstance(part, str) or part <= _GAP for part in rest
            )
        return isinstance(mine, str) and isinstance(its, str) and its > mine
    return len(other) > len(one)


def _is_inner(name: str, lists: dict[str, list[_List]]) -> bool:
    """Return whether a family's lists begin anew between the labels of another one's."""
    own = lists[name]
    if len(own) < 2:
        return False
    for other, theirs in lists.items():
        if other == name:
            continue
        places = sorted(seen.at for one in theirs for seen in one.members)
        within = sum(
            bisect_right(places, one.span[0]) == bisect_right(places, one.span[1]) for one in own
        )
        if within >= 0.8 * len(own):
            return True
    return False

"""The grammar of passage numbers: their segments, and the keys people look them up by.

A number such as `Schedule 1.Part 2.Chapter 1.5.(1)` has four sorts of segments:

- divisions (`part`, `chapter`, `title`, …) group rules whose own numbers run on through them, so
  people leave them out: "section 5(1)" is `Part 1.Chapter 1.5.(1)`;
- attachments (`schedule`, `annex`, `app`) begin a numbering of their own: leaving one out makes
  "paragraph 5(1)" compete with section 5(1) of the body;
- units (`article`, `section`, …) are the rules themselves: the word may go, its number may not;
- the rest: numbers, letters, `guidance`, `footnote`, and headings that stand in for a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from search.language import vocabulary
from search.text.characters import compatible

ANYWHERE = "*"
"""First segment of a key that has lost the schedule, annex or appendix it belongs to."""

DIVISIONS = vocabulary.units_of("division")
ATTACHMENTS = vocabulary.units_of("attachment")
UNITS = vocabulary.units_of("rule") | {"recital"}

_SHORTEST = 3
"""Letters of a word that a number may begin with; `s` and `r` are letters of lists there."""

CONTAINER_WORDS = {
    one.word: one.unit
    for language in vocabulary.languages().values()
    for one in language.spellings
    if one.unit in DIVISIONS | ATTACHMENTS | UNITS
    and not one.plural
    and (len(one.word) >= _SHORTEST or one.word in {"ch", "pt"})
}
"""How sources write a container (Akoma Ntoso's abbreviations among them) → its one name."""

_SILENT = frozenset(
    vocabulary.spellings(["paragraph", "subparagraph", "subsection", "point"], "en", plural=False)
)
"""Words before a number that add nothing to it: Akoma Ntoso's `para_1` is `(1)`."""

NUMBER_WORDS = vocabulary.number_words("en")
"""Spelt-out container numbers, as in `PART THREE` of EU acts."""

ORDINALS = vocabulary.ordinals("en")
"""How Acts count their schedules: `FIRST SCHEDULE`."""

COUNTED_WORDS = vocabulary.words_for(["schedule", "annex", "app"])
"""What `ORDINALS` come before."""

MOST_CONTAINERS = 6
"""Containers whose omission is considered: EU acts nest at most five; more is noise."""

_HYPHENATED = r"\d{1,4}(?:[a-z]{1,2}\d{0,2})?(?:-\d{1,4}[a-z]{0,2}){1,2}"
"""How sections of the American Code of Federal Regulations are numbered within their part, in lower
case: `10b-5` of § 240.10b-5."""

_FRENCH_CODE = r"[lrda]\d{1,4}(?:-\d{1,3}){1,4}"
"""Articles of French codes without dot and blank: `l511-1` of `L. 511-1`."""
_INNER_GAPS = re.compile(
    r"\b(?P<code>[lrda])\.?\s?(?=\d{1,4}-\d)"
    rf"|(?<=\d)[ -]?(?P<suffix>{'|'.join(vocabulary.LATIN_SUFFIXES)})(?!\w)"
)
"""What sources write or leave out inside of one number: `L. 511-1`, `5bis` and `5-bis`."""

_RULE_WORDS = "|".join(
    sorted((word for word, unit in CONTAINER_WORDS.items() if unit in UNITS), key=len, reverse=True)
)
_LETTER_APART = re.compile(
    rf"((?:(?<![^.])(?:{_RULE_WORDS})\.?|§)\s?\d{{1,5}})\s([a-z])(?=\Z|\s?[.(§])"
    r"|(?<![^.])(\d{1,5})\s([a-z])(?=\s?§)"
)
"""Sections of Nordic and German acts: `§ 4 a` and `4 a §` are 4a; but not `section 5 a firm`."""

_DIGITS = rf"\d+(?::\d+)?(?:\s(?:{'|'.join(vocabulary.LATIN_SUFFIXES)})(?!\w)|[a-z]{{0,2}})"
_NUMBER = rf"(?:{_FRENCH_CODE}|[a-z]?{_DIGITS}|[ivxlc]+|[a-z]{{1,2}})"
_BRACKETED = re.compile(rf"\s?\(?({_NUMBER})\)")
_LEADING_NUMBER = re.compile(
    rf"({_HYPHENATED})(?![\w-])|\(({_NUMBER})\)|({_NUMBER})(?:\)|:?$|(?=\())"
    r"|([a-z]?\d+[a-z]{0,2})(?=\s)"
)
_CONTAINER = re.compile(
    rf"({'|'.join(vocabulary.longest_first(CONTAINER_WORDS))})"
    rf"(?:\s?({_FRENCH_CODE}|{_HYPHENATED}|{_DIGITS}|(?<=\s)(?:[ivxlc]+|[a-z]|{'|'.join(NUMBER_WORDS)}))|\s?\((\d+[a-z]?)\))?(?![\w])"
)
_ARTICLE = re.compile(
    rf"\b{vocabulary.pattern(['article'], 'fr', plural=False)}\s?(?:(?:premier|1er)\b|(?=\d))"
)
"""An article as French and Swiss acts number it: `art. 5a`, `article premier`."""
COUNTED = re.compile(
    rf"\b(?P<ordinal>{'|'.join(ORDINALS)})\s(?P<word>{'|'.join(COUNTED_WORDS)})\b", re.IGNORECASE
)
"""`First Schedule`."""
_GUIDANCE = re.compile(r"(guidance)\s?(\d*)(?!\s?\w)")
_PLAIN_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})*[.)]?", re.ASCII)
_INSERTED = re.compile(r"\(([a-z]{1,3})\.(?=\d)")
"""A letter inserted between two, `(m.2)`: both its parts are segments."""
_WHOLE_NUMBER = re.compile(rf"{_NUMBER}|{_HYPHENATED}")
_WITHIN_PART = re.compile(rf"(\d+)/(?={_HYPHENATED}(?:/|\Z))")
_APPENDIX = re.compile(r"app(?:\d+[a-z]{0,2}|[ivxlc]+|[a-z])")
_NOT_WORD = re.compile(r"[\W_]+")


_NUMBER_FIRST = re.compile(
    rf"(?<![\w.(-])(\d{{1,5}})(?:\.?([a-z]{{1,2}}))?\.?\s?({'|'.join(vocabulary.behind_numbers())})(?!\w)"
)
"""`3. člen`, `12 straipsnis`, `5a. člen`."""

_HYPHEN = re.compile(r"(?<=\d)-(?=[a-z](?!\w))")
"""Inserted articles as questions have them, too: `Art. 22-B` is 22b."""

_ORDINAL_SIGN = re.compile(r"(?<=\d)[º°ª]")
"""Laws of Brazil and Portugal number from `Art. 1º` to `Art. 9º`, and on with `Art. 10`."""

_ONE_FORM: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (COUNTED, lambda found: f"{found['word']} {ORDINALS[found['ordinal'].lower()]}"),
    (_ARTICLE, lambda found: "article 1" if found.group().endswith("r") else "article "),
    (_HYPHEN, ""),
    (_INNER_GAPS, lambda found: found["code"] or f" {found['suffix']}"),
    (_LETTER_APART, r"\1\3\2\4"),
    (_INSERTED, r"(\1)("),
    (_NUMBER_FIRST, r"\3 \1\2"),
)
"""What sources write in several ways, and the one in which it is read."""


@lru_cache(maxsize=16_384)  # the numbers of the few documents that are read as a whole
def segments(passage_id: str) -> tuple[str, ...]:
    """Return the normalised segments of a number, outermost first.

    Lower case, without punctuation: `3.5.8.(b)` gives `("3", "5", "8", "b")`. Containers keep
    their word (`"part 2"`, `"annex iii"`, `"article 92"`; `APP 2` and `Appendix 2` are `"app2"`,
    `First Schedule` is `"schedule 1"`, `Art. 5a` and `Article premier` are `"article 5a"` and
    `"article 1"`), and words that are not numbers stay together as one heading segment. Any text is
    accepted; one without a letter or digit has no segments.
    """
    if _PLAIN_NUMBER.fullmatch(passage_id):
        return tuple(passage_id.rstrip(".)").split("."))
    found: list[str] = []
    visible = compatible(_ORDINAL_SIGN.sub("", passage_id)).lower()
    for pattern, written in _ONE_FORM:
        visible = pattern.sub(written, visible)
    for part in visible.replace("__", ".").split("."):
        found.extend(_part_segments(" ".join(part.replace("_", " ").split())))
    return tuple(found)


def lookup_keys(passage_id: str) -> tuple[str, ...]:
    """Return the keys under which people may name a passage, most complete first.

    A key is segments joined by "/". The first is the whole number. The others leave out
    divisions, then headings: `Part 1.Chapter 1.5.(1)` has `part 1/chapter 1/5/1`,
    `chapter 1/5/1`, `part 1/5/1` and `5/1`. A form that lost its schedule, annex or appendix
    begins with `ANYWHERE`: `Schedule 2.4.(1)` answers `schedule 2/4/1` and `*/4/1` but never
    `4/1`, which is section 4(1). `APP2.A2.1.2` does answer `a2/1/2`, since its own number says
    where it belongs; and `§ 240.10b-5` answers `10b-5`, since rules are so called without their
    part. Where several passages share a key, the one that has it earliest is meant.
    """
    whole = segments(passage_id)
    keys = dict.fromkeys(_forms(whole))
    spare = tuple(_without_headings(whole))
    if spare and spare != whole:
        keys.update(dict.fromkeys(_forms(spare)))
    if quoted := _quoted(whole):
        keys.update(dict.fromkeys(_forms(quoted)))
    keys.update(dict.fromkeys(_WITHIN_PART.sub("", key) for key in tuple(keys)))
    return tuple(keys)


def _quoted(whole: tuple[str, ...]) -> tuple[str, ...]:
    """Return the number of a unit that another unit quotes: `section 9` of `section 2/a/section 9`.

    People know it by its own number, that of the act into which it is inserted.
    """
    kinds = [container_kind(segment) for segment in whole]
    units = [at for at, kind in enumerate(kinds) if kind == "unit"]
    return whole[units[-1] :] if len(units) > 1 and "attachment" not in kinds else ()


def container_kind(segment: str) -> str | None:
    """Return `"division"`, `"attachment"` or `"unit"` for a container segment, else None."""
    word = segment.split(" ", 1)[0]
    if word in DIVISIONS:
        return "division"
    if word in UNITS:
        return "unit"
    if word in ATTACHMENTS or _APPENDIX.fullmatch(word):
        return "attachment"
    return None


def named_container(segment: str) -> tuple[str, str]:
    """Return the word of a container, with its blank if it has one, and its number."""
    if segment.startswith("app"):
        return segment[:3], segment[3:]
    word, blank, number = segment.partition(" ")
    return word + blank, number


def container_rank(segment: str) -> int:
    """Return how far inside a container is; an appendix with a number has 0, as all have."""
    unit = vocabulary.units().get(segment.split(" ", 1)[0])
    return unit.rank if unit else 0


def _part_segments(part: str) -> Iterator[str]:
    part = part.lstrip("§ ")
    if not part:
        return
    first, _, rest = part.partition(" ")
    if rest and first in _SILENT:
        part = rest
    if guidance := _GUIDANCE.match(part):
        yield from filter(None, guidance.groups())
    elif container := _CONTAINER.match(part):
        tail = part[container.end() :]
        if not _heading(_BRACKETED.sub("", tail)):
            word, number, bracketed = container.groups()
            yield _container_name(word, number or bracketed)
            yield from _BRACKETED.findall(tail)
        else:
            yield _heading(part)
    elif number := _LEADING_NUMBER.match(part):
        yield from _numbers(number.group(number.lastindex or 0), part[number.end() :])
    elif heading := _heading(part):
        yield heading


def _numbers(first: str, tail: str) -> Iterator[str]:
    numbers = [first]
    while bracket := _BRACKETED.match(tail):
        numbers.append(bracket.group(1))
        tail = tail[bracket.end() :]
    yield from numbers
    tail = _heading(tail)
    if len(tail) > 1:  # in `(2) A` the "A" is the first word of the text, slipped in
        yield tail


def _container_name(word: str, number: str | None) -> str:
    name = CONTAINER_WORDS[word]
    if not number:
        return name
    number = NUMBER_WORDS.get(number, number)
    return f"{name}{number}" if name == "app" else f"{name} {number}"


def _heading(part: str) -> str:
    return _NOT_WORD.sub(" ", part).strip()


def _without_headings(whole: tuple[str, ...]) -> Iterator[str]:
    """Yield the segments without headings; "guidance on …" is guidance all the same.

    What is below a rule without being part of it keeps its word: guidance, footnotes.
    """
    for segment in whole:
        if segment.startswith("guidance"):
            yield "guidance"
        elif segment == "footnote" or _WHOLE_NUMBER.fullmatch(segment) or container_kind(segment):
            yield segment


def _forms(whole: tuple[str, ...]) -> Iterator[str]:
    if not whole:
        return
    yield "/".join(whole)
    kinds = [container_kind(segment) for segment in whole[:MOST_CONTAINERS]]
    end = next((i for i, kind in enumerate(kinds) if kind is None), len(kinds))
    rest = whole[end:]
    if end and kinds[end - 1] == "unit":
        end -= 1
        rest = (whole[end].split(" ", 1)[-1], *rest)
    elif end == len(whole):
        end -= 1  # the passage is itself a part or chapter: its own name has to stay
        rest = whole[end:]
    attached = max((i for i in range(end) if kinds[i] == "attachment"), default=-1)
    if end < len(whole) and kinds[end : end + 1] == ["unit"]:
        yield from _with_fewer(whole[:end], attached, whole[end:])
    yield from _with_fewer(whole[:end], attached, rest)


def _with_fewer(containers: tuple[str, ...], attached: int, rest: tuple[str, ...]) -> Iterator[str]:
    """Yield forms of one number: all inner containers, some of them, none of them."""
    inner = containers[attached + 1 :]
    choices = [inner[i:] for i in range(len(inner) + 1)]
    choices[-1:-1] = [(container,) for container in inner[:-1]]
    if attached >= 0:
        yield from ("/".join((containers[attached], *chosen, *rest)) for chosen in choices)
    own = (
        not rest
        or rest[0].startswith(tuple(ATTACHMENTS))
        or (rest[0][0].isalpha() and rest[0][1:2].isdigit())
    )
    prefix = (ANYWHERE,) if attached >= 0 and not own else ()
    yield from ("/".join((*prefix, *chosen, *rest)) for chosen in choices)

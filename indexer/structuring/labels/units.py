"""Lines that open a unit or a division: `Article 1`, `§ 5`, `2.—`, `59.1-576.`, `Part 3`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from search.language import vocabulary

_CANONICAL = {
    one.word: one.unit.capitalize()
    for one in vocabulary.languages()["en"].spellings
    if one.unit in vocabulary.units_of("rule")
}
"""English words and abbreviations → the word that numbers are written with."""
_SIGN = re.compile(r"^(§+)\s*(?=[\w])")
_SIGN_BEHIND = re.compile(r"^([\w][\w\s.-]*?)\s*§$")
_UNIT_WORDED = re.compile(
    r"^(?P<word>[^\W\d_]{1,14})\s*\.?\s*(?P<number>\d.*|[ivxlcIVXLC]+|[^\W\d_]?\d.*)$"
)
_BLANKS = re.compile(r"\s+")
_END = re.compile(r"[\s.:—–\u2011-]+$")


Key = tuple[int | str, ...]

_DIGITS = re.compile(r"\d+|[a-zA-Z]+")


def key_of(number: str) -> Key:
    """Return what sorts numbers: 4, 4 a, 4b, 5; Roman numerals by their value."""
    from search.provisions.roman import roman_value

    parts = _DIGITS.findall(number)
    if len(parts) == 1 and parts[0].isalpha():
        value = roman_value(parts[0].lower())
        return (value if value is not None else 1,)
    if parts and parts[-1].lower() in {"er", "re"}:
        parts = parts[:-1]
    return tuple(int(p) if p.isdigit() else p.lower() for p in parts)


def ordered(key: Key) -> tuple[tuple[int, int, str], ...]:
    """Return a key that can be compared with others: integers before letters."""
    return tuple((0, part, "") if isinstance(part, int) else (1, 0, part) for part in key)


def comes_next(one: Key, other: Key) -> bool:
    """Return whether a number is next: 5 after 4, 4a after 4, 5 after 4b, 59.1-576 after -575.

    Codes of several parts leave room between their numbers: 4.20.120 after 4.20.110.
    """
    if other[: len(one)] == one or one[:-1] == other[: len(one) - 1] == other[:-1]:
        last, new = one[-1], other[-1]
        if isinstance(last, int) and isinstance(new, int) and len(one) == len(other):
            roomy = len(one) > 1 and last % _ROOM == new % _ROOM == 0 < new - last
            return roomy or new - last in {1, 2}
        return True
    head, new_head = one[0], other[0]
    return isinstance(head, int) and isinstance(new_head, int) and new_head - head in {1, 2}


_ROOM = 5
"""What codes number by that leave room for later sections: 5 or 10."""
LONGEST_TITLE = 25
"""Words of a line that may be the title of a unit; those of the laws at hand have up to 22."""

MARKED, DASHED, CODED, CONTROL, DOTTED = "marked", "dashed", "coded", "control", "dotted"
"""Forms of bare numbers: set apart by their look, parted from their text by a dash, of a code,
behind the letters of a family of controls, and of several levels."""

_NUMERAL = (
    r"\d{1,5}(?:[.\-\u2011–/:]\d{1,4}[a-zA-Z]?){0,9}(?:[-\u2011][A-Z](?![\w]))?"
    r"(?:[a-z]{1,2}(?![\w])|[A-Z]{1,2}(?![\w])|[ \u00a0][a-z](?=[ \u00a0]?[.§)]|[ \u00a0]*$))?"
    rf"(?:[ \u00a0]?(?:{'|'.join(vocabulary.LATIN_SUFFIXES)}))?"
    r"(?:er|re|º|°|ª)?"
)
_RULES = vocabulary.units_of("rule")
_LETTERED = r"[A-Z]{1,4}[.-]?[ \u00a0]?\d{1,4}(?:-\d{1,4}){0,9}"
_ROMAN = r"[IVXLC]{1,8}(?![\w])|premier|unique|único|unico"
_CHINESE = "0-9０-９一二三四五六七八九十百千〇"
_BEHIND = "|".join(["§", *vocabulary.behind_numbers()])
"""Words that stand behind their number."""
_ORDINAL = "º°ª"
"""Signs behind the number of an ordinal, which mark it as a dot does."""
_SEPARATOR = re.compile(r"[ \u00a0]*[.:—–\u2011)\]|-]*[ \u00a0]*")
_DATE = re.compile(r"\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d\b")
_CJK = re.compile(
    rf"[第제][ \u00a0]?(?P<number>[{_CHINESE}]{{1,6}})(?:[-－](?P<inserted>[{_CHINESE}]{{1,3}}))?"
    rf"[ \u00a0]?(?P<word>[条條조])(?:[の之의](?P<more>[{_CHINESE}]{{1,3}}))?"
)
_DASHED = re.compile(r"(?P<number>\d{1,4}[A-Z]{0,2})[ \u00a0]?\.?[ \u00a0]?[—–](?=\s*\S)")
_CODED = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{1,2})?-\d{1,3}-\d{2,5}(?:\.\d{1,2})?|\d{1,3}\.\d{1,2}-\d{1,5}"
    r"(?:\.\d{1,2})?|\d{4,6}(?:\.\d{1,3}))\.?(?=\s|$)|(?P<whole>\d{3,6})\.(?=\s+[A-Z(\[])"
)
"""A whole number is one only beside those with a part: 1107 before 1107.1."""
_CONTROL = re.compile(
    r"(?P<number>[A-Z]{2,5}-\d{1,3})(?:[.:]|[ \u00a0]+[|–—-])?(?=[ \u00a0]+[A-Z\[(]|$)"
)
_MARKED_NUMBER = re.compile(r"(\d{1,4}(?:\.\d{1,3}){0,2}[A-Z]{0,2})\.?(?=[\s(]|$)")
_ANY_WORD = re.compile(
    r"(?P<word>[^\W\d_]{2,20}\.?)[ \u00a0-]{1,2}"
    r"(?P<number>\d{1,4}(?:[.\-–]\d{1,4}){0,4}[a-zA-Z]?|[IVXLC]{1,7}|[A-Z]{1,3}-\d{1,3})(?![\w])[º°ª]?"
)
_ANY_BEHIND = re.compile(
    r"(?P<number>\d{1,4}[a-z]?|[IVXLC]{1,7})(?:\.?[ \u00a0]|\.)(?P<word>[^\W\d_]{2,14}\.?)"
    r"(?=[ \u00a0:.]|$)"
)
_ANY_DOTTED = re.compile(
    r"(?P<number>(?:[A-Z]?|[IVX]{1,5}\.)\d{1,4}[A-Z]?(?:\.\d{1,4}[A-Z]{0,2}){1,7})\.?"
    r"(?=[ \u00a0\t]|$)"
)
_ANY_BARE = re.compile(
    r"(?P<number>\d{1,4}[A-Za-z]{0,2})(?P<mark>[.)\]:–—-]|[º°ª]\.?)(?=[ \u00a0—–(\[*]|$)"
)
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
    cited: bool = False
    """Whether the line reads as if a sentence begins with a reference: `Article 5 applies`."""


def unit_line(line: str) -> UnitLine | None:
    """Return the unit that a line opens, or None."""
    found = worded_line(line)
    return None if found is None or found.cited else found


def worded_line(line: str) -> UnitLine | None:
    """Return the unit that a line may open, were it only to cite it, or None."""
    line = line.strip()
    if not line:
        return None
    if chinese := _CJK.match(line):
        value = _chinese_value(chinese["number"])
        inserted = chinese["more"] or chinese["inserted"]
        more = _chinese_value(inserted) if inserted else 0
        return _made(chinese.group(), "条", (value, more), line[chinese.end() :], chinese.group())
    if signed := _worded().match(line):
        return _worded_line(signed, line)
    for form, pattern in ((DASHED, _DASHED), (CODED, _CODED)):
        if bare := pattern.match(line):
            number = bare[bare.lastgroup or 0]
            return _made(number, form, key_of(number), line[bare.end() :], bare.group())
    return None


def generic_lines(line: str) -> list[UnitLine]:
    """Return what a line may open whose word no language lists, or whose number has none.

    `Regel 5 Umfang`, `5. gr. Umfang`, `5.1 Umfang`, `5. Umfang`: which of these number a text shows
    only where they count on.
    """
    found: list[UnitLine] = []
    if worded := _ANY_WORD.match(line):
        word, number = worded["word"].rstrip("."), worded["number"]
        made = _made(f"{worded['word']} {number}", f"word {word.casefold()}", key_of(number),
                     line[worded.end() :], worded.group().strip())  # fmt: skip
        found.append(replace(made, cited=_refers(made)))
    if behind := _ANY_BEHIND.match(line):
        form = f"behind {behind['word'].rstrip('.').casefold()}"
        key = key_of(behind["number"])
        found.append(_made(behind.group().strip(), form, key, line[behind.end() :], behind.group()))
    if dotted := _ANY_DOTTED.match(line):
        number = dotted["number"]
        made = _made(number, DOTTED, key_of(number), line[dotted.end() :], dotted.group())
        found.append(replace(made, cited=made.text[:1].islower()))
    if bare := _ANY_BARE.match(line):
        number, form = bare["number"], f"bare {bare['mark']}"
        made = _made(number, form, key_of(number), line[bare.end() :], bare.group())
        if made.text[:1].isupper():
            found.append(made)
    return found


def marked_line(line: str) -> UnitLine | None:
    """Return the unit that a line may open whose number is set apart: `12`, `AC-2`."""
    if control := _CONTROL.match(line):
        number = control["number"]
        family, _, count = number.partition("-")
        key = (family.lower(), int(count))
        return _made(number, CONTROL, key, line[control.end() :], control.group())
    found = _MARKED_NUMBER.match(line)
    if found is None:
        return None
    return _made(found[1], MARKED, key_of(found[1]), line[found.end() :], found.group())


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
    english = vocabulary.spellings(["section"], "en")
    sections = [word for word in vocabulary.words_for(["section"], "") if word not in english]
    divisions = vocabulary.spellings(vocabulary.units_of("division"))
    long = vocabulary.longest_first([w for w in divisions if len(w) > 2] + sections)
    words = "|".join(re.escape(word) for word in long)
    english = vocabulary.spellings(vocabulary.units_of("division"), "en")
    behind = "|".join(re.escape(word) for word in long if word not in english)
    number = r"\d{1,3}(?:\.\d{1,2})?[a-zA-Z]?|[IVXLC]{1,8}(?:er)?|[A-Z]"
    end = r"(?:[ \u00a0]*[.:—–-][ \u00a0]*|[ \u00a0]+(?=[A-ZÀ-ÖØ-ÞА-ЯΑ-Ω\"“„(])|$)"
    return re.compile(
        rf"(?:(?P<word>(?i:{words})\.?)[ \u00a0]+(?P<number>{number})"
        rf"|(?P<before>\d{{1,3}}|[IVXLC]{{1,8}})\.?[ \u00a0]*(?P<behind>(?i:{behind}))){end}"
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
    made = _made(cited, unit, key_of(number), rest, shown)
    return replace(made, cited=_refers(made))


def _made(number: str, form: str, key: Key, rest: str, label: str) -> UnitLine:
    separator = _SEPARATOR.match(rest)
    end = separator.end() if separator else 0
    marked = (
        bool(rest[:end].strip(" \u00a0"))
        or not rest.strip()
        or form in {DASHED, CODED, CONTROL}
        or label[-1:] in _ORDINAL
    )
    return UnitLine(number, label + rest[:end].rstrip(), rest[end:].strip(), form, key, marked)


def _refers(unit: UnitLine) -> bool:
    """Return whether a line begins with a reference: `Article 5 applies`, `§ 5 Abs. 2 gilt`."""
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
        return after[:1].islower() or after.startswith((",", ";"))
    return False


@cache
def _worded() -> re.Pattern[str]:
    english = vocabulary.spellings(_RULES, "en")
    words = [w for w in vocabulary.spellings(_RULES) if len(w) > 2 or w not in english]
    units = "|".join(map(re.escape, words))
    return re.compile(
        rf"(?:(?P<word>§+|(?:{units})(?![^\W\d_])\.?)[ \u00a0]*)?"
        rf"(?P<number>(?<=[ \u00a0.§\w])(?:{_NUMERAL}|{_LETTERED}|{_ROMAN})"
        rf"|{_NUMERAL}(?:\.[a-z]{{1,2}})?(?=[ \u00a0.]*(?:{_BEHIND})))"
        rf"(?(word)|[ \u00a0.]*(?P<behind>{_BEHIND})(?![^\W\d_]))"
        r"(?![\w])",
        re.IGNORECASE,
    )


def _canonical(word: str, unit: str) -> str:
    """Return the word of a number: English words in full, all others as they are printed."""
    english = vocabulary.spellings([unit], "en")
    if word.lower().rstrip(".") in english and unit in _RULES:
        return unit.capitalize()
    return word.capitalize() if word.isupper() else word


def _spelt(number: str) -> str:
    return " ".join(number.replace("\u2011", "-").split()).rstrip(".")


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
    """Return whether a line may be the title of the unit beside it."""
    words = line.split()
    return (
        0 < len(words) <= LONGEST_TITLE
        and line[-1] not in ".;:,。；：、"
        and not line[0].islower()
        and not line[0].isdigit()
        and line[0] not in "(["
    )


def unit_number(word: str, label: str) -> str:
    """Return the number of a unit as people cite it: `Section 5`, `§ 4 a`, `Artikel 12`, `3.5.8`.

    Args:
        word: what such units are called, for a number that the source prints without a word.
        label: what the source prints: `5.`, `§ 5`, `Art. 5a`, `4 a §`.
    """
    bare = _END.sub("", _BLANKS.sub(" ", label).strip().strip("[]").strip())
    if not bare:
        return ""
    if signed := _SIGN.match(bare):
        return f"{signed[1]} {bare[signed.end() :].strip()}"
    if behind := _SIGN_BEHIND.match(bare):
        return f"§ {behind[1].strip()}"
    if worded := _UNIT_WORDED.match(bare):
        known = _CANONICAL.get(worded["word"].lower(), worded["word"])
        if len(worded["word"]) > 1 or worded["word"].lower() in _CANONICAL:
            return f"{_sentence_case(known)} {worded['number'].strip()}"
    return f"{word} {bare}" if word and bare[:1].isalnum() else bare


def _sentence_case(word: str) -> str:
    return word.capitalize() if word.isupper() and len(word) > 1 else word

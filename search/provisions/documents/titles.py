"""What the title of a regulation says: its short code, its kind, and its distinctive words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from search.language import vocabulary
from search.provisions.jurisdictions import names_place
from search.text.characters import LETTERS

GENRES = frozenset(vocabulary.words("documents.genres", "en"))
"""Words that say what kind of document a title belongs to."""

KINDS = GENRES.union(vocabulary.words("documents.subjects", "en"))
"""The same with those that ordinary sentences speak of as well, as in "what must an outsourcing
policy say?": by a part of its title such a document is known only beside a rule number."""

RULEBOOKS = frozenset(vocabulary.words("documents.rulebooks", "en"))
"""Kinds that people take for one another."""

STOP_WORDS = frozenset(vocabulary.words("documents.small", "en"))

_OF_GUIDANCE = frozenset(vocabulary.words("documents.guidance", "en"))
_LAWS = frozenset(vocabulary.words("documents.laws", "en"))
_UNION = frozenset(vocabulary.words("union", vocabulary.COMMON))
_NOISE = frozenset({*vocabulary.words("documents.noise", "en"), *vocabulary.months("en")})
"""Words of file names that nobody says: months, and states of a draft."""

_CODE = re.compile(
    r"([A-Z][A-Z0-9&-]{1,6}[A-Z0-9])"
    rf"(?=$|[_ ]VER|[_ ]\(|[_ ]{vocabulary.kinds_of_law()}\b)"
    r"|([A-Z]{2})(?=$|[_ ]VER|[_ ]\()"
)
_OWN_REFERENCE = re.compile(
    r"(?:^|[(\[])([A-Z]{2,8}(?:-[A-Z]{2,8}){0,2}[-_]?(?!(?:19|20)\d\d)\d{1,4}[A-Z]?)(?![^\W_])"
)
_SEPARATORS = re.compile(r"[-_.–\s]+|(?<=\D)0+(?=\d)")
_NUMBER_IN_SERIES = re.compile(
    rf"\btitle (\d\d?)\b|\b{vocabulary.any_of('series.laws', 'en')} (\d{{2,3}}) (\d{{1,4}})\b"
)
_BRACKETED = re.compile(r"\w\s*\((?:[^()]{3,80} [–-] )?([A-Z](?=[a-z]*[A-Z])[A-Za-z]{1,7})\)\s*$")
_ENDS_OF_LAWS = tuple(end for one in vocabulary.languages().values() for end in one.acts_joined)
_CODES = ("usc", "cfr")
"""Codes of the United States whose titles are documents; the language file has their names."""
PIECE = re.compile(r"[^\W\d_]+|\d+")


def untitled(document_id: str) -> str:
    """Return what a document without a title is called: `Document 7`, or as its file is."""
    named = " ".join(document_id.replace("_", " ").split())
    spelt = any(len(one) > 2 for one in LETTERS.findall(named))
    return named if spelt else f"Document {document_id}"


def document_code(title: str) -> str | None:
    """Return the short code that a title begins with, or None.

    `COBS_VER15.150823` gives `COBS`, `BRR Regulations (December 2018)` gives `BRR`; a title
    written out, such as `Sustainable Finance Supplementary Guidance_VER01.040723`, gives None.
    """
    match = _CODE.match(title.strip())
    if match is None or match.group().lower() in GENRES:
        return None
    return match.group()


def references(title: str, document_id: str) -> frozenset[str]:
    """Return the references by which a firm files a document, and a law's number in its series.

    Those of a firm, such as `FIN-04`, begin the title or the name of the file, or stand in
    brackets. *United States Code, Title 1* is 1 USC and 1 U.S.C.
    """
    found = {*_OWN_REFERENCE.findall(title), *_OWN_REFERENCE.findall(document_id)}
    words = " ".join(PIECE.findall(title.casefold()))
    for number, congress, law in _NUMBER_IN_SERIES.findall(words):
        if law:
            laws = vocabulary.words("series.laws", "en")
            found.update(f"{one} {congress}-{law}" for one in laws)
            continue
        for code in _CODES:
            written, *short = vocabulary.words(f"series.{code}", "en")
            found.update(f"{number} {one}" for one in short if written in words)
    return frozenset(found)


def reference_key(reference: str) -> str:
    """Return a reference in the one form of all its spellings: fin4 of `FIN-04` and `fin 4`."""
    return _SEPARATORS.sub("", reference.casefold())


def bracketed_code(title: str) -> str | None:
    """Return the short code in brackets that ends a title, in capitals.

    DTR of *Data Rules (DTR)*, GWG of *Gesetz über … (Geldwäschegesetz - GwG)*.
    """
    match = _BRACKETED.search(title)
    return match[1].upper() if match and not (names_place(match[1]) or match[1] in _UNION) else None


def abbreviations(title: str, codes: Iterable[str]) -> frozenset[str]:
    """Return what stands for a title before a word such as "rulebook", in capitals.

    These are the initials of its words, and its codes without the R of such a word: "AML rulebook"
    is the *Anti-Money Laundering Rulebook (AMLR)*.
    """
    skipped = GENRES | STOP_WORDS | _NOISE
    spelt = LETTERS.findall(title.split("(", 1)[0])
    initials = "".join(word[0].upper() for word in spelt if normalised(word) not in skipped)
    shorter = {code[:-1] for code in codes if code.endswith("R")}
    return frozenset(short for short in {initials, *shorter} if len(short) > 2)


def initials_of_law(title: str) -> frozenset[str]:
    """Return the initials that people call a law by: DPA, POCA and DPDPA for an English title.

    *Proceeds of Crime Act 2002* is POCA; the small words may be left out, but not the kind.
    """
    words = LETTERS.findall(re.split(r"[(,:]|\b\d", title, maxsplit=1)[0])
    if words and words[0].lower() == "the":
        del words[0]
    if words and words[-1] == "of":  # *Accountability Act of 1996*
        del words[-1]
    if not words or normalised(words[-1]) not in _LAWS:
        return frozenset()
    # One title of a code is not the code.
    return frozenset(one.upper() for one in _initials(words) if len(one) > 2 and one not in _CODES)


def codes_in_id(document_id: str, title: str) -> frozenset[str]:
    """Return what the name of a file calls the law that it has: HIPAA of `csa_hipaa`.

    Only where the title is that of a law: `gdpr_checklist` is not the GDPR.
    """
    titled = set(map(normalised, LETTERS.findall(title)))
    parts = LETTERS.findall(document_id)
    if titled.isdisjoint(_LAWS) or titled & _OF_GUIDANCE or len(parts) < 2:
        return frozenset()
    strange = {part for part in parts if len(part) > 2 and normalised(part) not in titled}
    return frozenset(p.upper() for p in strange if p.lower() not in GENRES | STOP_WORDS | _NOISE)


def one_word_names(title: str) -> list[str]:
    """Return what one word of a title calls a law: *Grundgesetz für die Bundesrepublik*, or
    *Gesetz über das Kreditwesen (Kreditwesengesetz - KWG)*.
    """
    first = (part.replace(")", " ").split(" ")[0] for part in title.split("("))
    return [one for one in first if one.istitle() and one.endswith(_ENDS_OF_LAWS)]


def is_short_for(word: str, title: str) -> bool:
    """Return whether a word is one of a title, or the initials of words that it begins with.

    PHIPA stands for *Personal Health Information Protection Act, 2004*, and GDPR for a title that
    has *(General Data Protection Regulation)*.
    """
    word = word.casefold()
    for part in re.split(r"[()]", title.casefold()):
        words = [normalised(one) for one in LETTERS.findall(part)]
        if word in words or normalised(word) in words:
            return True
        if len(word) > 2 and any(one.startswith(word) for one in _initials(words)):
            return True
    return False


def is_shortened(name: str, title: str) -> bool:
    """Return whether a title has the words that a name shortens, in its order: `Cal. Civ. Code`."""
    words = iter(LETTERS.findall(title.casefold()))
    shorts = LETTERS.findall(name.casefold())
    return all(any(len(one) in letters_in(word, one) for word in words) for one in shorts)


def spells(code: str, words: Sequence[str]) -> bool:
    """Return whether a code is short for words, one of which says the kind of document.

    It has the first letters of all, or of those before the last: IFR and IF are *Islamic Finance
    Rules*. For a rulebook, one or two words may have more of its letters: MKT is *Market Rules*.
    """
    code = normalised(code)
    telling = [word for word in words if word.lower() not in STOP_WORDS]
    if telling[:1] != [words[0]] or any(map(str.isupper, words)):
        return False
    rulebook = normalised(telling[-1]) in RULEBOOKS
    if not (all(word[0].isupper() for word in telling) or (rulebook and len(telling) > 2)):
        return False
    for one in _initials(words):
        if one.startswith(code) and (len(code) > 2 or len(one) == 3):
            return True
    reached = {0}
    for word in telling[:-1]:
        reached = {at + n for at in reached for n in letters_in(word.lower(), code[at:])}
    return rulebook and len(telling) <= 3 and len(code) in reached


def _initials(words: Iterable[str]) -> Iterator[str]:
    """Yield the first letters of words in small letters: of all, and without the small words."""
    folded = [word.lower() for word in words]
    yield "".join(word[0] for word in folded)
    yield "".join(word[0] for word in folded if word not in STOP_WORDS)


def letters_in(word: str, letters: str) -> Iterator[int]:
    """Yield how many of some letters a word may have in their order: its first one, or more."""
    if not letters or not word.startswith(letters[0]):
        return
    yield 1
    place = 1
    for count, letter in enumerate(letters[1:], start=2):
        place = word.find(letter, place) + 1
        if not place:
            return
        yield count


def content_words(title: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the distinctive words of a title and its genres, normalised.

    Versions, dates, stop words and places in capitals are left out.
    """
    spelt = [word for word in LETTERS.findall(title) if not names_place(word)]
    words = set(map(normalised, spelt))
    genres = words & _OF_GUIDANCE or words & GENRES
    plain = {w for w in words - genres - STOP_WORDS - _NOISE if len(w) > 1 and w != "ver"}
    return frozenset(plain), frozenset(genres)


def kinds_of(title: str) -> frozenset[str]:
    """Return the `KINDS` that a title names: its genres, and what ordinary sentences speak of."""
    words = set(map(normalised, LETTERS.findall(title)))
    return content_words(title)[1] | words & (KINDS - GENRES)


def normalised(word: str) -> str:
    """Return a word in lower case, singular, without a possessive ending."""
    word = word.lower()
    if "'" in word or "’" in word:
        word = word.removesuffix("s").rstrip("'’") if word[-2:-1] in "'’" else word.rstrip("'’")
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word

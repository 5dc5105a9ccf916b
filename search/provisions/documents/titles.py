"""What the title of a regulation says: its short code, its kind, and its distinctive words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from search.language import vocabulary
from search.provisions import numbered_titles

FULL_NAMES: dict[str, tuple[str, ...]] = {
    "AML": ("Anti-Money Laundering and Sanctions Rules",),
    "BRR": ("Bank Recovery and Resolution Regulations",),
    "CIB": ("Captive Insurance Business Rules",),
    "CMC": ("Code of Market Conduct",),
    "COBS": ("Conduct of Business Rulebook",),
    "CRR": ("Capital Requirements Regulation",),
    "CRS": ("Common Reporting Standard Regulations",),
    "FATCA": (
        "Foreign Account Tax Compliance Regulations",
        "Foreign Account Tax Compliance Act",
    ),
    "FP": ("Fund Passporting Rules",),
    "FSMR": ("Financial Services and Markets Regulations",),
    "GEN": ("General Rulebook",),
    "GLO": ("Glossary Rulebook",),
    "GPM": ("Guidance and Policies Manual",),
    "IFR": ("Islamic Finance Rules",),
    "MIR": ("Market Infrastructure Rulebook",),
    "MKT": ("Market Rulebook", "Market Rules"),
    "PIN": ("Prudential Insurance Business Rulebook",),
    "PRU": ("Prudential Investment Insurance Intermediation and Banking Rulebook",),
}
"""Short code → the names people write out instead. Source: the application and interpretation
chapters of the ADGM rulebooks, and the acts' own short titles."""

CAPITAL_NAMES: dict[str, tuple[str, ...]] = {"FUNDS": ("Fund Rules", "Funds Rules")}
"""Short code → names that are ordinary words unless they are written in just this way."""

GENRES = frozenset({
    "act", "code", "directive", "guidance", "guideline", "handbook", "manual", "note", "notice",
    "principle", "regulation", "rule", "rulebook", "sourcebook",
})  # fmt: skip
"""Words that say what kind of document a title belongs to."""

KINDS = GENRES | {"circular", "order", "policy", "procedure", "standard"}
"""The same with those that ordinary sentences speak of as well, as in "what must an outsourcing
policy say?": by a part of its title such a document is known only beside a rule number."""

RULEBOOKS = frozenset({"rule", "rulebook", "sourcebook"})
"""Kinds that people take for one another."""

_OF_GUIDANCE = frozenset({"guidance", "guideline", "manual", "note", "principle"})
"""What these name is not an act: in *Guidance - Regulation of Spot Commodities*, "regulation" is
the subject."""

STOP_WORDS = frozenset({
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to",
    "under", "with",
})  # fmt: skip

_NOISE = frozenset({
    "adgm", "consolidated", "draft", "eng", "final", "fsra", "ia", "january", "february", "march",
    "april", "may", "june", "july", "august", "september", "october", "november", "december",
})  # fmt: skip
"""Words of file names that nobody says: months, states of a draft, and the publisher."""

_CODE = re.compile(
    r"([A-Z][A-Z0-9&-]{1,6}[A-Z0-9])"
    r"(?=$|[_ ]VER|[_ ]\(|[_ ](?:Regulations?|Rules|Rulebook|Sourcebook|Act)\b)"
    r"|([A-Z]{2})(?=$|[_ ]VER|[_ ]\()"
)
_REFERENCE = r"[A-Z]{2,8}(?:-[A-Z]{2,8}){0,2}[-_]?(?!(?:19|20)\d\d)\d{1,4}[A-Z]?"
_OWN_REFERENCE = re.compile(rf"(?:^|[(\[])({_REFERENCE})(?![^\W_])")
ASKED_REFERENCE = re.compile(
    r"(?<![\w./-])[^\W\d_]{2,8}(?:-[^\W\d_]{2,8}){0,2}[-_ ]?\d{1,4}[A-Za-z]?(?![\w/-]|\.\d)"
)
"""How a question may write the reference of a document: `FIN-04`, `fin 4`."""
_BRACKETED = re.compile(r"\w\s*\((?:[^()]{3,80} [–-] )?([A-Z](?=[a-z]*[A-Z])[A-Za-z]{1,7})\)\s*$")
_ONE_WORD_NAME = re.compile(
    r"(?:^|\()([A-ZÄÖÜ][a-zäöüß]+(?:"
    + "|".join(sorted({end for one in vocabulary.languages().values() for end in one.acts_joined}))
    + r"))(?=$|[ )])"
)
_LAWS = frozenset({"act", "code", "law", "ordinance", "regulation", "statute"})
_PLACES = frozenset({"EC", "EEA", "EEC", "EU", "UAE", "UK", "US", "USA"})
_POSSESSIVE = re.compile(r"['’]s?$")
_WORD = re.compile(r"[^\W\d_]+")


_NAME = re.compile(r"[^\W\d_]{3}")
"""Letters that make a DocumentID more than a number."""


def untitled(document_id: str) -> str:
    """Return what a document without a title is called: `Document 7`, or as its file is."""
    named = " ".join(document_id.replace("_", " ").split())
    return named if _NAME.search(named) else f"Document {document_id}"


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
    """Return the keys of the references by which a firm files a document, such as `FIN-04`.

    They begin its title or the name of its file, or stand in brackets.
    """
    found = (*_OWN_REFERENCE.findall(title), *_OWN_REFERENCE.findall(document_id))
    return frozenset(map(reference_key, found))


def reference_key(reference: str) -> str:
    """Return a reference in the one form of all its spellings: fin4 of `FIN-04` and `fin 4`."""
    return re.sub(r"[-_ ]|(?<=\D)0+(?=\d)", "", reference.casefold())


def bracketed_code(title: str) -> str | None:
    """Return the short code in brackets that ends a title, in capitals.

    DTR of *Data Rules (DTR)*, GWG of *Gesetz über … (Geldwäschegesetz - GwG)*.
    """
    match = _BRACKETED.search(title)
    return match[1].upper() if match and match[1] not in _PLACES else None


def abbreviations(title: str, codes: Iterable[str]) -> frozenset[str]:
    """Return what stands for a title before a word such as "rulebook", in capitals.

    These are the initials of its words, and its codes without the R of such a word: "AML rulebook"
    is the *Anti-Money Laundering Rulebook (AMLR)*.
    """
    skipped = GENRES | STOP_WORDS | _NOISE
    spelt = _WORD.findall(title.split("(", 1)[0])
    initials = "".join(word[0].upper() for word in spelt if normalised(word) not in skipped)
    shorter = {code[:-1] for code in codes if code.endswith("R")}
    return frozenset(short for short in {initials, *shorter} if len(short) > 2)


def initials_of_law(title: str) -> frozenset[str]:
    """Return the initials that people call a law by: DPA, POCA and DPDPA for an English title.

    *Proceeds of Crime Act 2002* is POCA; the small words may be left out, but not the kind.
    """
    words = _WORD.findall(re.split(r"[(,:]|\b\d", title, maxsplit=1)[0])
    if words and words[0].lower() == "the":
        del words[0]
    if words and words[-1] == "of":  # *Accountability Act of 1996*
        del words[-1]
    if not words or normalised(words[-1]) not in _LAWS:
        return frozenset()
    ways = (words, [word for word in words if word.lower() not in STOP_WORDS])
    found = {"".join(word[0] for word in way).upper() for way in ways}
    found -= numbered_titles.SHORT_NAMES  # one of their titles is not the code
    return frozenset(one for one in found if len(one) > 2)


def codes_in_id(document_id: str, title: str) -> frozenset[str]:
    """Return what the name of a file calls the law that it has: HIPAA of `csa_hipaa`.

    Only where the title is that of a law: `gdpr_checklist` is not the GDPR.
    """
    titled = _normalised_words(title)
    parts = _WORD.findall(document_id)
    if titled.isdisjoint(_LAWS) or titled & _OF_GUIDANCE or len(parts) < 2:
        return frozenset()
    strange = {part for part in parts if len(part) > 2 and normalised(part) not in titled}
    return frozenset(p.upper() for p in strange if p.lower() not in GENRES | STOP_WORDS | _NOISE)


def other_names(title: str) -> list[str]:
    """Return what else a law is called: by one word of its title, or by its number in a code.

    *Grundgesetz für die Bundesrepublik Deutschland*, *Gesetz über das Kreditwesen
    (Kreditwesengesetz - KWG)*, and 1 USC for *United States Code, Title 1*.
    """
    return [*_ONE_WORD_NAME.findall(title), *numbered_titles.short_names(title)]


def is_short_for(word: str, title: str) -> bool:
    """Return whether a word is one of a title, or the initials of words that it begins with.

    PHIPA stands for *Personal Health Information Protection Act, 2004*, and GDPR for a title that
    has *(General Data Protection Regulation)*.
    """
    word = word.casefold()
    for part in re.split(r"[()]", title.casefold()):
        words = [normalised(one) for one in _WORD.findall(part)]
        if word in words or normalised(word) in words:
            return True
        initials = ("".join(one[0] for one in words if one not in skipped)
                    for skipped in ((), STOP_WORDS))  # fmt: skip
        if len(word) > 2 and any(one.startswith(word) for one in initials):
            return True
    return False


def is_shortened(name: str, title: str) -> bool:
    """Return whether a title has the words that a name shortens, in its order: `Cal. Civ. Code`."""
    words = iter(_WORD.findall(title.casefold()))
    return all(any(_shortens(one, w) for w in words) for one in _WORD.findall(name.casefold()))


def _shortens(short: str, word: str) -> bool:
    letters = iter(word)
    return short[0] == word[0] and all(letter in letters for letter in short)


def known_code(title: str) -> str | None:
    """Return the code of a title that is one of `FULL_NAMES` written out, in any word order."""
    words, genres = content_words(title)
    for code, names in FULL_NAMES.items():
        for name in names:
            if words and (words, genres) == content_words(name):
                return code
    return None


def content_words(title: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the distinctive words of a title and its genres, normalised.

    Versions, dates, stop words and the publisher are left out.
    """
    words = _normalised_words(title)
    genres = words & _OF_GUIDANCE or words & GENRES
    plain = {w for w in words - genres - STOP_WORDS - _NOISE if len(w) > 1 and w != "ver"}
    return frozenset(plain), frozenset(genres)


def kinds_of(title: str) -> frozenset[str]:
    """Return the `KINDS` that a title names: its genres, and what ordinary sentences speak of."""
    words = _normalised_words(title)
    return content_words(title)[1] | words & (KINDS - GENRES)


def _normalised_words(title: str) -> set[str]:
    return {normalised(word) for word in _WORD.findall(title)}


def normalised(word: str) -> str:
    """Return a word in lower case, singular, without a possessive ending."""
    word = word.lower()
    if "'" in word or "’" in word:
        word = _POSSESSIVE.sub("", word)
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word

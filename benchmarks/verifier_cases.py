"""True statements of a passage, and false ones: what the verifier is measured by.

Everything is drawn from a seeded generator, so that a run can be repeated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from generation.statements.answers import statements_in
from generation.statements.forces import DUTIES, kind_of
from generation.statements.passages import Statement, statements_of
from generation.statements.words import folded
from rirag_workbench.evaluation.judge.spoiling import (
    MODAL,
    changed_measure,
    changed_number,
    swapped_negation,
    unless_said,
)
from search.records import Passage

FEWEST_WORDS, MOST_WORDS = 8, 90
"""Sentences of other lengths are headings, or lists that nobody writes as one sentence."""

_SWAPS = {"must": "may", "shall": "may", "may": "must", "should": "must", "can": "must"}
_PHRASES = (
    ("prior to", "before"), ("in accordance with", "under"), ("pursuant to", "under"),
    ("in respect of", "for"), ("shall", "must"), ("is required to", "must"),
    ("ensure that", "make sure that"), ("commence", "begin"), ("in relation to", "for"),
    ("such as", "for example"), ("obtain", "get"), ("in order to", "to"),
    ("sufficient", "enough"), ("provide", "give"), ("whether or not", "whether"),
    ("at all times", "always"), ("promptly", "without delay"), ("any", "each"),
    ("must", "is required to"),
)  # fmt: skip
"""What a writer replaces without a change of meaning."""

_CONDITION = re.compile(r"((?:Where|If|When) [^,]{10,200}), ((?:an?|the) [^;:]+)\.$", re.IGNORECASE)
_ASIDE = re.compile(r" \((?![a-z]{1,3}\)|[ivx]+\)|\d+\))[^()]{5,80}\)")

_WEAKER = (
    (r"\b(?:must|shall) not be\b", ("should not be", "should generally not be")),
    (
        r"\b(?:must|shall) not (?=[a-z])(?!be\b)",
        ("should not ", "should try not to ", "is advised not to "),
    ),
    (
        r"\b(?:must|shall)\b(?! not\b)(?= [a-z])",
        ("should", "may", "can", "is expected to", "is encouraged to"),
    ),
    (r"\b(is|are) required to\b", (r"\1 encouraged to", "should", "may", r"\1 expected to")),
    (r"\b(is|are) prohibited\b", (r"\1 discouraged",)),
)
"""Words of a duty or ban, and what is less than either."""
_OPENING = re.compile(
    r"(?:If|Where|When|Unless|Except|Subject to|Provided that|In the event|Before|After|Until)\b"
    r"[^,;:]{8,200}, (?P<rest>[^;:]+)$"
)
_CLOSING = re.compile(
    r"(?<=[a-z0-9])(?<!\band)(?<!\bor)(?<!\beven)(?<!\bas)(?<!\bthan)(?<!\bthat)"
    r"(?:,? (?:if|unless|except|provided that|only if|so long as|as long as)\b"
    r"|, (?:where|when|subject to|save)\b)[^,;:()]{15,200}\.?$"
)
_PARTY = r"(?:[Tt]he|[Aa]n?|[Ee]ach|[Ee]very) (?:[A-Za-z]+ ){0,1}[A-Za-z]+"
_PARTIES = re.compile(
    rf"^(?P<one>{_PARTY})(?P<act> (?:must|shall|may|should|will)(?: not)? [a-z]+ )"
    rf"(?P<other>{_PARTY})\b"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage."""

    text: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Case:
    """An answer of one statement."""

    kind: str
    text: str
    """With the citation [1]."""
    passage: Passage
    """What [1] stands for."""


def sentences_of(passage: Passage) -> list[Sentence]:
    """Return the sentences of a passage that could stand in an answer."""
    statements = [one for one in statements_of(passage.text) if not one.heading]
    return [
        Sentence(text, passage)
        for statement in statements
        for text in _sentences(statement)
        if FEWEST_WORDS <= len(text.split()) <= MOST_WORDS
        and text[0].isupper()
        and len(statements_in(text)) == 1
    ]


def _sentences(statement: Statement) -> list[str]:
    """Return the sentences of a statement; a list with its introduction is one."""
    prose = all(piece.role in ("lead", "tail") for piece in statement.pieces)
    return [piece.text for piece in statement.pieces] if prose else [statement.text]


def cited(text: str) -> str:
    """Return a sentence with the citation [1] before its stop."""
    bare = text.rstrip(" .;,:")
    return f"{bare} [1]."


def paraphrased(sentence: Sentence, random: Random) -> str:
    """Return a sentence in lightly changed words: phrases, order, asides, an opening."""
    text = _ASIDE.sub("", sentence.text)
    phrases = [pair for pair in _PHRASES if re.search(rf"\b{pair[0]}\b", text)]
    for old, new in random.sample(phrases, min(2, len(phrases))):
        # "must be able to" allows "is required to"; "must not" does not.
        text = re.sub(rf"\b{old}\b(?! not)", new, text, count=1)
    moved = _CONDITION.match(text)
    if moved:
        condition = moved[1][0].lower() + moved[1][1:]
        text = f"{moved[2][0].upper()}{moved[2][1:]} {condition}."
    if random.random() < 0.5 and sentence.passage.passage_id:
        opening = f"Under {sentence.passage.passage_id.rstrip('.')}, "
        first = (
            text if re.match(r"[A-Z][a-z]* [A-Z]|[A-Z]{2}", text) else text[0].lower() + text[1:]
        )
        text = opening + first
    return text


def retold(text: str, random: Random) -> str:
    """Return a sentence in fewer words: phrases replaced, asides and adjectives left out."""
    text = _ASIDE.sub("", text)
    for old, new in _PHRASES:
        text = re.sub(rf"\b{old}\b(?! not)", new, text, count=1)
    words = text.split()
    plain = [
        place
        for place in range(2, len(words) - 1)
        if re.fullmatch(r"[a-z]+(?:ly|ous|ive|ful|ary|ical|able)", words[place])
        and not any(re.search(r"\d|\W", one) for one in words[place - 1 : place + 2])
    ]
    left_out = set(random.sample(plain, min(len(plain), 2)))
    return " ".join(word for place, word in enumerate(words) if place not in left_out)


def changed_force(text: str, passage: Passage, random: Random) -> str | None:
    """Return a sentence with a duty made a permission, or the other way round."""
    found = [m for m in MODAL.finditer(text) if m[1] in _SWAPS]
    if not found:
        return None
    chosen = random.choice(found)
    verb = f"{_SWAPS[chosen[1]]} {chosen[2] or ''}"
    if (chosen[1], chosen[2]) in (("must", "not "), ("shall", "not "), ("may", "not ")):
        verb = chosen[1] + " "  # a swap of "must not" and "may not" changes nothing
    return unless_said(text[: chosen.start()] + verb + text[chosen.end() :], passage)


def weakened_duty(text: str, passage: Passage, random: Random) -> str | None:
    """Return a sentence with a duty, or a ban, made advice or leave."""
    found = [
        (m, soft) for form, softer in _WEAKER for m in re.finditer(form, text) for soft in softer
    ]
    if not found:
        return None
    match, soft = random.choice(found)
    return unless_said(text[: match.start()] + match.expand(soft) + text[match.end() :], passage)


def dropped_condition(text: str, passage: Passage, random: Random) -> str | None:
    """Return a sentence without the condition or exception that opens or closes it."""
    opening, closing = _OPENING.match(text), _CLOSING.search(text)
    made = []
    if opening and len(opening["rest"].split()) >= FEWEST_WORDS:
        made.append(opening["rest"][0].upper() + opening["rest"][1:])
    if closing and closing.start() > 0 and len(text[: closing.start()].split()) >= FEWEST_WORDS:
        made.append(f"{text[: closing.start()].rstrip(' ,')}.")
    kept = [one for one in made if f"{folded(one).rstrip('.')}." not in folded(passage.text)]
    return random.choice(kept) if kept else None


def swapped_parties(text: str, passage: Passage, _: Random) -> str | None:
    """Return a sentence that binds whom it names behind the act, and the other way round."""
    found = _PARTIES.search(text)
    if not found or found["one"].lower() == found["other"].lower():
        return None
    made = f"{found['other']}{found['act']}{found['one']}"
    made = (
        text[: found.start()] + made[0].upper() * (found.start() == 0) + made[found.start() == 0 :]
    )
    return unless_said(made + text[found.end() :], passage)


def invented_quote(text: str, passage: Passage, random: Random, foreign: str) -> str | None:
    """Return a sentence that quotes words which the passage does not have."""
    words = text.rstrip(" .;,:").split()
    if random.random() < 0.5:
        words = foreign.rstrip(" .;,:").split()[: random.randint(6, 20)]
    else:
        place = random.randrange(2, len(words) - 2)
        words[place] = random.choice([w for w in foreign.split() if w.isalpha()] or ["wholly"])
        words = words[: random.randint(place + 2, len(words))]
    opening, closing = random.choice([("“", "”"), ('"', '"')])
    quoted = " ".join(words).strip('“”"')
    return unless_said(f"The passage says {opening}{quoted}{closing}", passage, quoted)


def one_dropped(sentences: Sequence[Sentence], random: Random) -> tuple[str, str] | None:
    """Return an answer without one obligation of its passage, and that obligation."""
    duties = [one.text for one in sentences if kind_of(one.text) in DUTIES]
    if len(duties) < 2:
        return None
    dropped = random.choice(duties)
    kept = [one.text for one in sentences if one.text != dropped]
    return " ".join(map(cited, kept)), dropped


Corruption = Callable[[str, Passage, Random], "str | None"]

IN_PLACE: dict[str, Corruption] = {
    "changed number": changed_number,
    "changed unit, currency or limit": changed_measure,
    "swapped negation": swapped_negation,
    "changed word of obligation": changed_force,
    "weakened duty": weakened_duty,
    "dropped condition": dropped_condition,
    "swapped parties": swapped_parties,
}
"""Corruptions that change a word or two of a sentence."""

"""Which rules a question names by number: "COBS 3.4.2(b)", "section 5(1) of FSMR", …"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, zip_longest

from search.language import vocabulary
from search.provisions.documents.names import DocumentNames, Mention
from search.provisions.grammar.documents import document_of, is_rule
from search.provisions.grammar.keys import rule_keys
from search.provisions.grammar.ranges import between
from search.provisions.grammar.references import Reference, assemble, runs
from search.provisions.grammar.words import Word, may_name_a_rule, read_words, tidy
from search.provisions.numbering import container_kind, lookup_keys, segments

MOST_RULE_NUMBERS = 32
"""How many rule numbers of one question are looked at; a person names a handful."""

_LED_IN = re.compile(rf"(?:{vocabulary.any_of('asked.leads', 'en')}|of)\s(?:the\s)?", re.IGNORECASE)
_LIST = re.compile(r"[,&]|\b(?:and|or|to)\b|\d/\d|[)\w]\s?[–—]\s?[(\w]|\(\w{1,3}\)?\s?-")
_LITERAL_SEGMENT = re.compile(r"[a-z]?\d+[a-z]{0,2}|[a-z]|[ivxlc]+|guidance")


@dataclass(frozen=True, slots=True)
class RuleNumber:
    """A rule that a question names."""

    text: str
    """The words of the question that name it."""
    keys: tuple[str, ...]
    """Lookup keys to try in this order: the number itself, then the numbers that enclose it.

    The text of 3.4.2 may hold (b) inside, so `3/4/2/b` is followed by `3/4/2`.
    """
    document_ids: tuple[str, ...] = ()
    """The documents it is in, best first; empty: any document."""
    unknown_document: str | None = None
    """The document it is in by the question's words, when none of the index has that name."""
    certain: bool = False
    """Whether the document is beside the number; if not, `document_ids` is where to look
    first, and any other document may hold the rule."""
    divisions: tuple[str, ...] = ()
    """The parts, chapters and titles it is in by the question's words, such as `part 2`."""
    between: bool = False
    """Whether it only lies between the ends of a range, and need not exist."""
    document_place: tuple[int, int] | None = field(default=None, compare=False)
    """Start and end of the words that name its document, in the tidy question."""

    @property
    def is_of_series(self) -> bool:
        """Whether its document is a volume of a series, whose parts may be here by other names."""
        return (self.unknown_document or "")[:1].isdigit()


def find_rule_numbers(question: str, names: DocumentNames) -> tuple[RuleNumber, ...]:
    """Return the rules that a question names by number, in its order.

    Years, dates, amounts and versions are none, nor is an integer without a rule word or a
    document beside it. A number belongs to the document beside it; without one, to the last
    document named before it; else to all that the question names, or to any.
    """
    question = tidy(question)
    if not may_name_a_rule(question):
        return ()
    found = tuple(islice(_named(question, names), MOST_RULE_NUMBERS))
    named = any(one.certain for one in found)
    literal = None if named or (found and _LIST.search(question)) else _literal(question)
    if literal and (len(found) != 1 or len(found[0].text) < len(question.rstrip(" .)")) - 1):
        return (literal,)
    return _without_enclosing(found)


def _named(question: str, names: DocumentNames) -> Iterator[RuleNumber]:
    everything = list(read_words(question, names))
    alone = all(word.role not in {"other", "heading"} for word in everything)
    for words in runs(question, everything):
        cluster = assemble(question, words)
        references = cluster.references[:MOST_RULE_NUMBERS]
        for reference, after in zip_longest(references, references[1:], fillvalue=Reference()):
            document = document_of(question, cluster, reference)
            document = document or _absent(question, everything, reference)
            if is_rule(question, reference, document) or (alone and _names_a_rule(reference)):
                rule = _rule_number(question, names, reference, document)
                yield rule
                if not rule.unknown_document:
                    for member in between(question, reference, after):
                        yield _member(question, rule, member)


def _names_a_rule(reference: Reference) -> bool:
    """Return whether a question that is nothing but references means a rule: "5(1)(a) or (2)"."""
    inner = len(reference.number) > reference.core > 0
    return bool(reference.unit or inner or (reference.containers and not reference.number))


def _absent(question: str, words: Sequence[Word], reference: Reference) -> Word | None:
    """Return the law that a number is of by the question, where the index holds none of its laws.

    "Under the Companies Act 2006, what does section 172 require?" names one law: no other has the
    section that is meant.
    """
    if any(word.role == "document" and word.firm for word in words):
        return None
    laws = [
        word
        for word in words
        if word.role == "unknown"
        and (
            word.firm
            or (word.end <= reference.start and _LED_IN.fullmatch(question, 0, word.start))
        )
    ]
    before = [law for law in laws if law.end <= reference.start]
    return before[-1] if before else next(iter(laws), None)


def _member(question: str, rule: RuleNumber, member: Reference) -> RuleNumber:
    keys = tuple(dict.fromkeys(rule_keys(member, rule.certain)))
    text = question[member.start : member.end]
    return replace(rule, text=text, keys=keys, divisions=_divisions(member), between=True)


def _rule_number(
    question: str, names: DocumentNames, reference: Reference, document: Word | None
) -> RuleNumber:
    text = _closed(question[reference.start : reference.end])
    keys = tuple(dict.fromkeys(rule_keys(reference, document is not None)))
    rule = RuleNumber(text, keys, divisions=_divisions(reference))
    if document is None:
        return replace(rule, document_ids=_elsewhere(question, names, reference))
    rule = replace(rule, certain=True, document_place=(document.start, document.end))
    if document.role == "unknown":
        unknown = question[document.start : document.end]
        return replace(rule, unknown_document=unknown)
    return replace(rule, document_ids=document.document_ids)


def _closed(text: str) -> str:
    """Return an end of "129b(4-6)" with both its brackets."""
    if re.fullmatch(r"\w{1,3}\)", text):
        return f"({text}"
    return f"{text})" if text.count("(") > text.count(")") else text


def _divisions(reference: Reference) -> tuple[str, ...]:
    return tuple(one for one in reference.containers if container_kind(one) == "division")


def _literal(question: str) -> RuleNumber | None:
    """Return the rule of a question that is nothing but a number as the source writes it."""
    if len(question) > 200 or re.search(r"\d [–—-] \d", question):
        return None  # "6.2.2 - 6.2.4" is a range
    if not re.search(r"\d.*[.)]|[.)].*\d", question):
        return None
    parts = segments(question)
    headings = [p for p in parts if not (_LITERAL_SEGMENT.fullmatch(p) or container_kind(p))]
    if any(" " not in h or h.replace(" ", "_") not in question.lower() for h in headings):
        return None  # headings in numbers are written with underscores
    if len(parts) < 2 and not question.endswith(")"):
        return None
    return RuleNumber(question, lookup_keys(question))


@lru_cache(maxsize=1)
def _mentions(question: str, names: DocumentNames) -> tuple[tuple[Mention, ...], tuple[str, ...]]:
    return names.mentions(question), names.named_in(question)


def _elsewhere(question: str, names: DocumentNames, reference: Reference) -> tuple[str, ...]:
    mentions, named = _mentions(question, names)
    before = [one for one in mentions if one.end <= reference.start]
    return before[-1].document_ids if before else named


def _without_enclosing(found: Sequence[RuleNumber]) -> tuple[RuleNumber, ...]:
    """Drop repetitions, and a number whose own sub-number is named as well."""
    kept = list(dict.fromkeys(found))
    return tuple(
        rule
        for i, rule in enumerate(kept)
        if not any(
            rule.document_ids == other.document_ids
            and _encloses(rule.keys[0], other)
            and (rule.keys[0] != other.keys[0] or j < i)
            for j, other in enumerate(kept)
            if j != i
        )
    )


def _encloses(key: str, other: RuleNumber) -> bool:
    """Return whether a key names what another number has around it; 3.5 is not around 3.5a."""
    first = other.keys[0]
    return key in other.keys and not (first.startswith(key) and first[len(key) :][:1].isalpha())

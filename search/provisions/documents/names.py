"""Which documents a question names: by short code (`COBS`) or by the words of a title."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from search.language import vocabulary
from search.provisions.act_numbers import act_numbers
from search.provisions.documents.described import (
    ANY_YEAR,
    WORD,
    Described,
    described,
    grouped,
    normalised_words,
)
from search.provisions.documents.titles import (
    GENRES,
    KINDS,
    PIECE,
    RULEBOOKS,
    STOP_WORDS,
    content_words,
    is_short_for,
    is_shortened,
    kinds_of,
    normalised,
    reference_key,
    spells,
)
from search.provisions.jurisdictions import names_place, places_in, state_of
from search.ranking.learned.fitted_for import title_hash
from search.records import JURISDICTION, PROBABLE_JURISDICTION, DocumentSummary
from search.text.characters import compatible
from search.text.plain_words import plain_text
from search.text.spans import without

FEWEST_WITH_GENRE = {1: 0.45, 2: 0.25}
"""Title words matched beside "guidance", "rules", …  → least share of the title's weight.

One word must be nearly the whole title ("RegLab guidance"), or "guidance on application" would
name *Application of English Laws*; more words need the last share. Chosen by reading what was
found in ObliQA's development questions."""

FEWEST_WITHOUT_GENRE = (3, 0.8)
"""Capitalised title words, and their share of the weight, that do without such a word."""

RIVAL_SHARE = 0.5
"""A title with the same matched words as the best one is offered too at this share of its cover."""

MOST_NAME_WORDS = 8
"""Words before "rulebook" that are looked at for a part of a title."""

MOST_PARTLY_NAMED = 3
"""Documents that a part of a title may mean; one that more of them share says nothing."""

_ID_MARK = re.compile(r"[^\W\d_].*[\d_/-]|[\d_/-].*[^\W\d_]")
"""What tells a DocumentID from a word or a number: `con-2024`, `fees_2`, `32013R0575`."""
_GOES_ON = re.compile(r"[./-]*\w")
"""Behind what is only the beginning of a DocumentID or reference."""
_YEAR_BEHIND = re.compile(r"(?:,?\s+| of | \()((?:19|20)\d\d)\b(?![./]\d)\)?")
_YEAR_BEFORE = re.compile(r"((?:19|20)\d\d) ")
_KINDS_OF_LAW = frozenset(
    kind.casefold() for one in vocabulary.languages().values() for kind in one.acts
)
_ACTS = frozenset(vocabulary.languages()["en"].acts)
_BEHIND_CODES = frozenset(vocabulary.words("documents.behind_codes", "en"))

_KINDS: Mapping[str, Callable[[str], object]] = {
    "title": PIECE.findall,
    "id": str.casefold,
    "reference": reference_key,
    "code": str,
}
"""Kinds of exact names, the surest first → the form in which a text and the name are the same."""


class _Name(NamedTuple):
    kind: str
    form: object
    pieces: tuple[str, ...]
    document_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a question where a document is named."""

    start: int
    """Offset of its first character."""
    end: int
    """Offset after its last character."""
    document_ids: tuple[str, ...]
    """The documents it may mean, best first; never empty."""


class _Title(NamedTuple):
    document_id: str
    words: frozenset[str]
    genres: frozenset[str]
    kinds: frozenset[str]
    weight: float


class _Token(NamedTuple):
    word: str
    start: int
    end: int
    capital: bool


class DocumentNames:
    """The names of all documents of an index: built once, asked for every question.

    A question costs time in proportion to its own length and to the titles that share its words.
    """

    def __init__(
        self, documents: Sequence[DocumentSummary], index_url: str = "rirag-index"
    ) -> None:
        """Read the titles.

        Args:
            documents: of the index.
            index_url: what a refusal of an unknown name tells to look into.
        """
        self.index_url = index_url
        self.titles = frozenset(title_hash(document.title) for document in documents)
        """`title_hash` of each document, by which fitted models know an index."""
        self.by_law = _by_state(documents, JURISDICTION)
        """Code of a state → DocumentIDs of its law, as far as their sources say it."""
        self.probably_by_law = _by_state(documents, PROBABLE_JURISDICTION)
        """The same for documents whose words alone suggest it."""
        self._documents = {one.document_id: described(one) for one in documents}
        self._ids = grouped((plain_text(one).casefold(), one) for one in self._documents)
        """In any case: two may differ in nothing else."""
        self._whole_titles = self._grouped(lambda one: [one.title.casefold()])
        self._acts = self._grouped(lambda one: filter(None, [one.act]))
        self._before_kind = self._grouped(lambda one: one.before_kind)
        called = self._grouped(lambda one: one.called)
        # An own code is not the initials of another law, nor what a file is called.
        self._codes = {
            **{code: ids for code, ids in called.items() if len(ids) == 1},
            **self._grouped(lambda one: one.initials),
            **self._grouped(lambda one: one.codes),
        }
        self._publishers = frozenset(
            word
            for one in self._documents.values()
            for word in WORD.findall(one.title)
            if len(word) > 1 and word.isupper() and word.isalpha()
        ).difference(self._codes)
        references = self._grouped(lambda one: one.references)
        self._references = {reference_key(name): ids for name, ids in references.items()}
        self._mere_codes = defaultdict[str, dict[str, tuple[str, ...]]](dict)
        for code, ids in self._grouped(lambda one: filter(None, [one.code])).items():
            self._mere_codes[code[0]][code] = ids
        self._coded = grouped((normalised(c), one) for c, ids in self._codes.items() for one in ids)
        """By their codes as titles have words, as in "the funds rulebook"."""
        self._exact = _by_first_piece({
            "title": grouped((compatible(one.title), one.document_id) for one in documents
                             if len(WORD.findall(one.title)) > 1),
            "id": {one: ids for one, ids in self._ids.items() if _ID_MARK.search(one)},
            "reference": references,
            "code": {**self._codes, **self._grouped(_initials_with_kind)},
        })  # fmt: skip
        self._weights, self._titles = _weighed(self._documents)

    def _grouped(
        self, names: Callable[[Described], Iterable[str]]
    ) -> Mapping[str, tuple[str, ...]]:
        return grouped((name, key) for key, one in self._documents.items() for name in names(one))

    def of_laws(self, states: Collection[str]) -> frozenset[str]:
        """Return the DocumentIDs of what is law, or probably law, of some states."""
        laws = (self.by_law, self.probably_by_law)
        return frozenset().union(*(law.get(state, ()) for law in laws for state in states))

    def is_publisher(self, word: str) -> bool:
        """Return whether a word may say whose a document is: a place, or capitals of a title."""
        return names_place(word) or word in self._publishers

    def title(self, document_id: str) -> str:
        """Return the title of a document of the index."""
        return self._documents[document_id].title

    def with_code(self, word: str) -> tuple[str, ...]:
        """Return the documents whose short code or reference this is, in any case; maybe none."""
        return self._codes.get(word.upper()) or self._references.get(reference_key(word), ())

    def has_name(self, word: str) -> bool:
        """Return whether a word is a short code, an abbreviation, or in a title or DocumentID."""
        return (
            bool(self.with_code(word))
            or any(word.casefold() in PIECE.findall(one) for one in self._ids)
            or any(is_short_for(word, title) for title in self._whole_titles)
            or ("." in word and any(is_shortened(word, title) for title in self._whole_titles))
        )

    def called(self, name: str) -> tuple[str, ...]:
        """Return the documents that a whole name means: DocumentID, title, or short code.

        The name of a document with further words, as in `all but COND`, is not a name, nor is that
        of another year.
        """
        name = name.strip()
        whole = plain_text(name).casefold()
        for known in (self._ids.get(whole, ()), self._whole_titles.get(whole, ())):
            if known:
                return (name,) if name in known else tuple(known)
        return self.with_code(name) or self._named_by_all_of(name)

    def has_other_words(self, words: str, document_ids: Sequence[str]) -> bool:
        """Return whether words around the name of documents make it another name.

        "Insurance Companies Act" is not a *Companies Act*; a publisher or what the titles have is
        no other word.
        """
        own = [  # "the Irish Companies Act"
            (start, end)
            for start, end, state in places_in(words)
            if not self.of_laws([state]).isdisjoint(document_ids)
        ]
        said = self._telling_words(without(words, own)) - KINDS
        return bool(said) and any(not said <= self._documents[one].words for one in document_ids)

    def _telling_words(self, words: str) -> frozenset[str]:
        telling = (word for word in WORD.findall(words) if not self.is_publisher(word))
        return frozenset(map(normalised, telling)) - STOP_WORDS - GENRES - _KINDS_OF_LAW

    def title_with(self, words: str) -> bool:
        """Return whether the title or DocumentID of some document has all these words."""
        said = self._telling_words(re.sub(r"(?<=\w)\.\s?(?=\w)|\.", "", words))
        return any(
            said <= one.words | normalised_words(key) for key, one in self._documents.items()
        )

    def end_of_another_year(
        self, text: str, start: int, end: int, document_ids: Sequence[str]
    ) -> int:
        """Return where a name ends that has the year of none of its documents; else 0.

        Only years in the names of laws count, as in `Companies Act 2006`; that of a consolidated
        text may be any.
        """
        own = [self._documents[one].years_of_law for one in document_ids]
        behind = _YEAR_BEHIND.match(text, end)
        said = {*ANY_YEAR.findall(text[start:end]), *(behind.groups() if behind else ())}
        is_other = all(own) and not any(said & years for years in own)
        named = normalised_words(text[start:end])
        is_part = not any(self._may_be(one, named) for one in document_ids)
        return (behind.end() if behind else end) if said and (is_other or is_part) else 0

    def _may_be(self, document_id: str, named: frozenset[str]) -> bool:
        """Return whether a dated name may be that of a document: it leaves out no word of it.

        *Colorado Privacy Act* is not the Privacy Act 1988, whatever the one's year is.
        """
        one = self._documents[document_id]
        whole = normalised_words(re.split(r"[(,]", one.title)[0])
        law = whole & _KINDS_OF_LAW and named & _KINDS_OF_LAW
        return bool(one.years) or not law or whole - STOP_WORDS <= named

    def _named_by_all_of(self, text: str) -> tuple[str, ...]:
        rest = without(text, [(one.start, one.end) for one in self.mentions(text)])
        if not normalised_words(rest) <= GENRES | STOP_WORDS:
            return ()
        years = set(ANY_YEAR.findall(text))
        return tuple(one for one in self.named_in(text) if years <= self._documents[one].years)

    def named_in(self, question: str) -> tuple[str, ...]:
        """Return the `document_id` of each document that the question names, best first.

        Codes count when written in capitals; titles by enough of their distinctive words.
        """
        mentions = sorted(self.mentions(question), key=lambda m: len(m.document_ids))
        return tuple(dict.fromkeys(i for mention in mentions for i in mention.document_ids))

    def mentions(self, question: str) -> tuple[Mention, ...]:
        """Return the places where the question names documents, in its order, none overlapping."""
        acts = [(*act[:2], self._acts.get(act[2], ())) for act in act_numbers(question)]
        others = [
            *self._exactly(question, tuple(_KINDS)[1:]),
            *(Mention(*act) for act in acts if act[2]),
            *self._by_spelt_code(question),
            *self._by_words(question),
        ]
        foreign = [Mention(*act) for act in acts if not act[2]]
        others = [one for one in others if _apart(one, foreign)]
        # A whole title before its words, even where it has the number of an act.
        found = [*self._exactly(question, ("title",)), *others]
        found = [self._of_its_year(question, one) for one in found]
        found.sort(key=lambda m: (m.start - m.end, m.start))  # longest first
        kept: list[Mention] = []
        for mention in found:
            if _apart(mention, kept):
                kept.append(mention)
        return tuple(sorted(kept, key=lambda m: m.start))

    def all_mentions(self, question: str) -> list[Mention]:
        """Return `mentions`, and those of `partly_named` that overlap none of them."""
        sure = self.mentions(question)
        partly = [one for one in self.partly_named(question) if _apart(one, sure)]
        return sorted((*sure, *partly), key=lambda one: one.start)

    def partly_named(self, question: str) -> tuple[Mention, ...]:
        """Return the places where words of a title come before the kind of document.

        "the prudential rulebook" and "the AML rulebook" say too little by themselves, but enough
        beside a rule number, if they fit few documents: a name that ends with the kind up to
        `MOST_PARTLY_NAMED`, "the Guidance on Mining" one. They may overlap `mentions`.
        """
        tokens = list(WORD.finditer(question)) if self._titles else []
        found: list[Mention | None] = []
        for i, token in enumerate(tokens):
            if normalised(token.group()) in KINDS:
                found.append(self._partly(question, tokens[max(0, i - MOST_NAME_WORDS) : i + 1]))
                found.append(self._partly_after(tokens[i : i + MOST_NAME_WORDS]))
        return tuple(filter(None, found))

    def _partly_after(self, tokens: Sequence[re.Match[str]]) -> Mention | None:
        """Return the mention that begins with the kind, as in "the Guidance on Mining"."""
        if len(tokens) < 3 or not tokens[0].group()[0].isupper():
            return None
        kind, link, *words = tokens
        about = list(takewhile(lambda word: word.group()[0].isupper(), words))
        if link.group() not in {"on", "for"} or not about:
            return None
        of_kind = normalised(kind.group())
        fitting = set.intersection(*(self._of_kind(normalised(w.group()), of_kind) for w in about))
        if len(fitting) != 1:
            return None
        return Mention(kind.start(), about[-1].end(), tuple(fitting))

    def _partly(self, question: str, tokens: Sequence[re.Match[str]]) -> Mention | None:
        """Return the mention that ends with the last token, which says the kind of document."""
        kind = normalised(tokens[-1].group())
        fitting: set[str] = set()
        said: list[str] = []
        first = tokens[-1]
        for before, token in zip(tokens[-2::-1], tokens[:0:-1], strict=True):
            word = before.group()
            if question[before.end() : token.start()] not in {" ", "-"}:
                break
            if fitting and word in STOP_WORDS:
                continue
            wider = self._of_kind(normalised(word), kind)
            if not (wider & fitting if fitting else wider):
                if word[0].isupper() and first.group()[0].isupper() and before.start():
                    return None  # "the Mining Governance Rulebook" is another one
                break
            fitting = wider & fitting if fitting else wider
            said.append(normalised(word))
            first = before
        fitting = self._wholly_named(said) & fitting or fitting
        if not 1 <= len(fitting) <= MOST_PARTLY_NAMED:
            return None
        ids = tuple(one for ids in self._ids.values() for one in ids if one in fitting)
        return self._of_its_year(question, Mention(first.start(), tokens[-1].end(), ids))

    def _of_kind(self, word: str, kind: str) -> set[str]:
        """Return the documents that a word before "rulebook" fits; "rules" is the same kind."""
        kinds = RULEBOOKS if kind in RULEBOOKS else {kind}
        titled = {t.document_id for t in self._titles.get(word, ()) if t.kinds & kinds}
        if kinds is not RULEBOOKS:
            return titled
        known = titled.union(self._coded.get(word, ()))
        return known or set(self._before_kind.get(word.upper(), ()))

    def _wholly_named(self, words: Sequence[str]) -> set[str]:
        """Return the documents of whose titles nothing is left out, or whose code it is."""
        if not words:
            return set()
        titles = self._titles.get(words[0], ())
        titled = {t.document_id for t in titles if t.words - t.kinds == set(words)}
        return titled.union(self._coded.get(words[0], ()) if len(words) == 1 else ())

    def _exactly(self, question: str, kinds: Sequence[str]) -> Iterable[Mention]:
        found = list(PIECE.finditer(question))
        pieces = [_folded(one.group()) for one in found]
        shouts = question.isupper() and len(question.split()) > 6  # capitals tell nothing
        for at, first in enumerate(pieces):
            for name in self._exact.get(first, ()):
                last = at + len(name.pieces)
                if name.kind in kinds and tuple(pieces[at:last]) == name.pieces:
                    start, end = found[at].start(), found[last - 1].end()
                    if _is_written(question, start, end, name) and not (
                        shouts and name.kind == "code"
                    ):
                        yield self._exact_mention(question, start, end, name)

    def _exact_mention(self, question: str, start: int, end: int, name: _Name) -> Mention:
        written, behind, ids = question[start:end], question[end : end + 1], name.document_ids
        if name.kind == "code":
            return self._with_tail(question, start, end, ids)
        closing = ")" if name.kind == "title" else "." if "." in written else None
        same = tuple(one for one in ids if one == written)  # two may differ in their case alone
        return Mention(start, end + (behind == closing), same or ids)

    def _of_its_year(self, question: str, mention: Mention) -> Mention:
        """Return a mention of several documents with those of its year, and the year beside it.

        "Fee Rules 2025" and "the 2025 Fee Rules" mean one of two versions; a year that none of the
        documents has, or all of them, tells nothing.
        """
        start, end = mention.start, mention.end
        behind = _YEAR_BEHIND.match(question, end)
        before = _YEAR_BEFORE.match(question, max(0, start - 5), start)
        for years, first, last in (
            (ANY_YEAR.findall(question[start:end]), start, end),
            (behind.groups() if behind else (), start, behind.end() if behind else end),
            (before.groups() if before else (), start - 5, end),
        ):
            ids = tuple(
                one
                for one in mention.document_ids
                if self._documents[one].years.intersection(years)
            )
            if 0 < len(ids) < len(mention.document_ids):
                return Mention(first, last, ids)
        return mention

    def _by_spelt_code(self, question: str) -> Iterable[Mention]:
        """Yield names whose words the code is short for that is all that a title says."""
        words = list(WORD.finditer(question)) if self._mere_codes else []
        for place, kind in enumerate(words):
            unit = vocabulary.spelling(kind.group())
            if normalised(kind.group()) not in GENRES or (unit and not unit.plural):
                continue  # "Rule 3.4.2"
            before = (words[at : place + 1] for at in range(max(0, place - MOST_NAME_WORDS), place))
            ends = range(place + MOST_NAME_WORDS, place + 2, -1)
            is_first = [word.group() for word in words[place + 1 : place + 2]] == ["of"]
            behind = (words[place:end] for end in ends if is_first)  # "Code of Market Conduct"
            for name in (*before, *behind):
                if found := self._spelt(question, name):
                    yield found
                    break

    def _spelt(self, question: str, name: Sequence[re.Match[str]]) -> Mention | None:
        words = [word.group() for word in name]
        codes = self._mere_codes.get(words[0][0].upper(), {})
        fitting = [ids for code, ids in codes.items() if spells(code, words)]
        written = question[name[0].start() : name[-1].end()].replace("-", " ")
        if len(fitting) != 1 or written != " ".join(words):
            return None
        return Mention(name[0].start(), _behind_year(question, name[-1].end()), fitting[0])

    def _with_tail(self, question: str, start: int, end: int, ids: tuple[str, ...]) -> Mention:
        """Return a mention with "rulebook" behind it, and the year if that is one of a document."""
        behind = _word_behind(question, end)
        if behind.lower() in _BEHIND_CODES:
            end += 1 + len(behind)
        year = _YEAR_BEHIND.match(question, end)
        own = year is not None and any(year[1] in self._documents[one].years for one in ids)
        return Mention(start, year.end() if year and own else end, ids)

    def _by_words(self, question: str) -> Iterable[Mention]:
        runs = list(self._runs(question)) if self._titles else []
        while runs:
            run = runs.pop()
            ids, used = self._best(run)
            if not ids:
                continue
            # "The Complaints Policy and the General Rulebook" are two names in one run.
            runs += [run[: run.index(used[0])], run[run.index(used[-1]) + 1 :]]
            if not self._of_another(question, used[0].start, used[-1].end, ids):
                yield Mention(used[0].start, _behind_year(question, used[-1].end), ids)

    def _of_another(self, question: str, start: int, end: int, ids: Sequence[str]) -> bool:
        """Return whether a title is part of a longer name: "the Malta Market Rules"."""
        if _word_behind(question, end) in _ACTS:
            return True
        the, owner, blank = ("", "", *question[:start].rsplit(" ", 3))[-3:]
        return (
            the == "the"
            and blank == ""
            and owner[:1].isupper()
            and question[start].isupper()
            and not self.is_publisher(owner)
            and not set(ids) & set(self._codes.get(owner, ()))
        )

    def _runs(self, question: str) -> Iterable[list[_Token]]:
        """Yield stretches of words that all are in titles, joined by stop words at most."""
        run: list[_Token] = []
        end = 0
        for match in WORD.finditer(question):
            word = normalised(match.group())
            broken = re.search(r"[.;:?!]\s|\d", question[end : match.start()]) is not None
            end = match.end()
            known = word in self._titles or word in GENRES
            if run and (broken or not (known or word in STOP_WORDS)):
                yield run
                run = []
            if known:
                run.append(_Token(word, match.start(), end, match.group()[0].isupper()))
        if run:
            yield run

    def _best(self, run: Sequence[_Token]) -> tuple[tuple[str, ...], Sequence[_Token]]:
        found: dict[str, tuple[float, float, Sequence[_Token]]] = {}
        titles = {id(t): t for token in run for t in self._titles.get(token.word, ())}
        for title in titles.values():
            used = _used(run, title)
            weight = sum(self._weights[w] for w in {t.word for t in used} & title.words)
            cover = weight / title.weight
            known = found.get(title.document_id, (0.0, 0.0, ()))
            score = (round(weight, 6), cover, len(used))
            if _enough(used, title, cover) and score > (*known[:2], len(known[2])):
                found[title.document_id] = (score[0], cover, used)
        if not found:
            return (), ()
        ranked = sorted(found, key=lambda i: found[i][:2], reverse=True)
        weight, cover, used = found[ranked[0]]
        rivals = (i for i in ranked if found[i][0] == weight)
        return tuple(i for i in rivals if found[i][1] >= RIVAL_SHARE * cover), used


def _apart(one: Mention, others: Iterable[Mention]) -> bool:
    return all(one.end <= other.start or other.end <= one.start for other in others)


def _by_state(documents: Iterable[DocumentSummary], field: str) -> dict[str, frozenset[str]]:
    states = ((state_of(one.metadata.get(field)), one.document_id) for one in documents)
    found = grouped((state, document_id) for state, document_id in states if state)
    return {state: frozenset(ids) for state, ids in found.items()}


def _initials_with_kind(document: Described) -> Iterable[str]:
    """Yield initials with the kind of law that ends a title: `NIS Regulations`."""
    for kind in (one.capitalize() for one in document.kinds & _KINDS_OF_LAW):
        yield from (f"{short} {kind}{end}" for short in document.before_kind for end in ("", "s"))


def _by_first_piece(
    names: Mapping[str, Mapping[str, tuple[str, ...]]],
) -> Mapping[str, Sequence[_Name]]:
    found: defaultdict[str, list[_Name]] = defaultdict(list)
    for kind in _KINDS:
        for name, ids in names[kind].items():
            if pieces := tuple(map(_folded, PIECE.findall(name))):
                found[pieces[0]].append(_Name(kind, _KINDS[kind](name), pieces, ids))
    return found


def _behind_year(text: str, end: int) -> int:
    year = _YEAR_BEHIND.match(text, end)
    return year.end() if year else end


def _word_behind(text: str, end: int) -> str:
    word = WORD.match(text, end + 1) if text[end : end + 1].isspace() else None
    return word[0] if word else ""


def _folded(piece: str) -> str:
    return piece.casefold().lstrip("0") or piece


def _is_written(text: str, start: int, end: int, name: _Name) -> bool:
    """Return whether a place has a name, and no part of a longer word, number or reference."""
    before, behind = text[max(0, start - 1) : start], text[end : end + 1]
    if name.kind in {"title", "code"}:
        is_part = before.isalnum() or behind.isalnum()
    else:
        is_part = before.isalnum() or before in set("_./-,") or bool(_GOES_ON.match(text, end))
    return not is_part and _KINDS[name.kind](text[start:end]) == name.form


def _used(run: Sequence[_Token], title: _Title) -> Sequence[_Token]:
    own = title.words | title.genres
    places = [i for i, token in enumerate(run) if token.word in own]
    return run[places[0] : places[-1] + 1]


def _enough(used: Sequence[_Token], title: _Title, cover: float) -> bool:
    matched = {token.word for token in used} & title.words
    strange = any(token.word not in title.words | title.genres for token in used)
    if any(token.word in title.genres for token in used):
        least = FEWEST_WITH_GENRE[min(len(matched), max(FEWEST_WITH_GENRE))] if matched else 2.0
        return cover >= least and (len(matched) > 2 or not strange)
    words, least = FEWEST_WITHOUT_GENRE
    if matched == title.words and not strange:
        words = 2  # "Outsourcing Policy" is a whole title
    capitals = all(token.capital for token in used if token.word in title.words)
    return len(matched) >= words and cover >= least and capitals


def _weighed(
    documents: Mapping[str, Described],
) -> tuple[dict[str, float], dict[str, list[_Title]]]:
    """Return the weight of each word of a title, and the titles that have it.

    It is log(1 + documents / documents that have the word): rare words name better.
    """
    named = [
        (key, name, *content_words(name))
        for key, one in documents.items()
        for name in one.written_out
    ]
    counts = Counter(word for word, _ in {(w, key) for key, _, words, _ in named for w in words})
    total = len({key for key, *_ in named})
    weights = {word: math.log1p(total / count) for word, count in counts.items()}
    titles: defaultdict[str, list[_Title]] = defaultdict(list)
    for key, name, words, genres in named:
        weight = sum(weights[word] for word in words)
        title = _Title(key, words, genres, kinds_of(name), weight)
        for word in words:
            titles[word].append(title)
    return weights, titles

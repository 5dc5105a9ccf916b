"""Find the rules that one line of a passage names; `links.find` reads whole passages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from search.language import vocabulary
from search.provisions.documents.names import DocumentNames
from search.provisions.documents.titles import STOP_WORDS
from search.provisions.grammar.documents import document_of, is_dated, is_rule, named_before
from search.provisions.grammar.keys import rule_keys
from search.provisions.grammar.ranges import between
from search.provisions.grammar.references import (
    Cluster,
    Reference,
    assemble,
    runs,
    share_attachment,
)
from search.provisions.grammar.words import Role, Word, read_words
from search.provisions.links.relative import (
    CrossReference,
    near_keys,
    own_attachment,
    relative_references,
)
from search.provisions.numbering import COUNTED_WORDS, container_kind, segments
from search.records import Passage

_ACT = vocabulary.kinds_of_law()
_OF = rf"\W*{vocabulary.alternatives(vocabulary.languages()['en'].links['of'])}\s"
_LINKS = "|".join(STOP_WORDS)
_OTHER_ACT = re.compile(
    rf"{_OF}(?:the\s|an?\s)?(?P<name>(?:[A-Z][\w’'.-]*\s(?:(?:{_LINKS})\s)?){{0,8}}?"
    rf"{_ACT}\b(?!\s\d+\.))"
)
_GUIDANCE = vocabulary.printed(vocabulary.words("documents.guidance", "en"))
_POINTED_AT = re.compile(
    rf"{_OF}(?:(?P<this>{vocabulary.any_of('documents.this', 'en')})"
    rf"|{vocabulary.any_of('documents.that', 'en')})\s(?:{_ACT}|{_GUIDANCE})\b"
)
_ATTACHMENT = re.compile(
    rf",?{_OF}(?P<name>(?P<which>this|that|the said)\s"
    rf"(?P<kind>{vocabulary.printed(COUNTED_WORDS)}))\b"
)
_BARE_GUIDANCE = ("guidance",)


@dataclass(frozen=True, slots=True)
class LastNamed:
    """What was named last: the document for "of that Regulation", the schedule for "of that
    Schedule"."""

    document_ids: tuple[str, ...] = ()
    name: str = ""
    """As the text writes it."""
    attachment: tuple[str, ...] = ()
    """The schedule, annex or appendix; empty: none yet."""
    attached_to: tuple[str, ...] = ()
    """The documents that the attachment is in; empty: the passage's own, or one not held."""
    attached_outside: bool = False
    """Whether that document is one that the index does not hold."""


@dataclass
class LineReader:
    """One tidy line of a passage while it is read."""

    passage: Passage
    text: str
    number: int
    names: DocumentNames
    certain: bool
    """Whether to leave out what may be no reference, but an ordinary number."""
    last: LastNamed
    """What was named before; changes while the line is read."""

    def references(self) -> Iterator[CrossReference]:
        """Yield what the line names: by number, in its order, then from where it is."""
        taken: list[tuple[int, int]] = []
        for run in runs(self.text, list(read_words(self.text, self.names, in_rules=True))):
            cluster = assemble(self.text, run)
            self._attach(cluster)
            for reference, after in pairwise((*cluster.references, Reference())):
                self._remember(next(named_before(cluster, reference), None))
                document = self._document(cluster, reference)
                if self._is_rule(cluster, reference, document):
                    taken.append((reference.start, reference.end))
                    yield from self._with_members(reference, after, document)
            self._remember(cluster.documents[-1] if cluster.documents else None)
        yield from relative_references(self.text, taken, self.passage, self.number)

    def _with_members(
        self, reference: Reference, after: Reference, document: Word | None
    ) -> Iterator[CrossReference]:
        found = self._found(reference, document)
        kinds = zip(reference.containers, map(container_kind, reference.containers), strict=True)
        if attachment := tuple(one for one, kind in kinds if kind == "attachment"):
            self.last = replace(
                self.last,
                attachment=attachment,
                attached_to=found.document_ids,
                attached_outside=found.outside is not None,
            )
        yield found
        for member in between(self.text, reference, after):
            text = self.text[member.start : member.end]
            yield replace(found, text=text, keys=self._keys(member, document))

    def _remember(self, document: Word | None) -> None:
        if document is not None:
            name = self.text[document.start : document.end]
            self.last = replace(self.last, document_ids=document.document_ids, name=name)

    def _attach(self, cluster: Cluster) -> None:
        """Give "paragraphs 2 and 3 of that Schedule" the schedule, and its document."""
        last = cluster.references[-1] if cluster.references else Reference()
        if not (found := _ATTACHMENT.match(self.text, last.end)) or not last.number:
            return
        if found["which"] == "this":
            named = LastNamed(attachment=own_attachment(self.passage))
        else:
            named = self.last
        meant = named.attachment or segments(found["kind"])
        cluster.references[-1] = replace(last, containers=(*last.containers, *meant))
        share_attachment(cluster.references)
        if named.attached_to or named.attached_outside:
            role: Role = "document" if named.attached_to else "unknown"
            span = found.span("name")
            cluster.documents.append(Word(role, *span, document_ids=named.attached_to))

    def _document(self, cluster: Cluster, reference: Reference) -> Word | None:
        found = document_of(self.text, cluster, reference, in_rules=True)
        if found is None or found.start < reference.end or found.role != "unknown":
            return found
        gap, name = self.text[reference.end : found.start], self.text[found.start : found.end]
        if gap in {" ", ", "} and is_dated(self.text, found):
            return found  # "section 5, Companies Act 2006"
        # "Rule 3.16.2 CET1 Capital is …" and "under Article 19(3), EBA shall …" name no document.
        return None if gap == ", " or (gap == " " and any(map(str.isdigit, name))) else found

    def _is_rule(self, cluster: Cluster, reference: Reference, document: Word | None) -> bool:
        if is_rule(self.text, reference, document):
            return bool(reference.number or reference.containers)
        if reference.number:
            return not self.certain and (reference.core > 1 or document is not None)
        # In a question "Part 4" is a kind of firm; a regulation writes so of its own parts.
        return bool(reference.containers) and self._is_capital(cluster, reference)

    def _is_capital(self, cluster: Cluster, reference: Reference) -> bool:
        """Return whether the container word of a reference, as "4" in "Parts 3 and 4", has one."""
        starts = (self.text[r.start] for r in cluster.references if r.start <= reference.start)
        spelt = [first for first in starts if first.isalpha()]
        return bool(spelt) and spelt[-1].isupper()

    def _found(self, reference: Reference, document: Word | None) -> CrossReference:
        found = CrossReference(
            self.text[reference.start : reference.end],
            self._keys(reference, document),
            unit=reference.unit if reference.core == 1 else "",
            container=not reference.number,
            place=(self.number, reference.start),
        )
        rest = self.text[reference.end :]
        pointed_at = _POINTED_AT.match(rest)
        if pointed_at and pointed_at["this"]:
            return replace(found, document_ids=(self.passage.document_id,))
        if document is not None:
            name = self.text[document.start : document.end]
            return _in_document(found, LastNamed(document.document_ids, name))
        if pointed_at:
            return _in_document(found, self.last)
        other = _OTHER_ACT.match(rest)
        return replace(found, outside=other["name"]) if other else found

    def _keys(self, reference: Reference, document: Word | None) -> tuple[str, ...]:
        if reference.guidance == _BARE_GUIDANCE and reference.number:
            reference = replace(reference, guidance=())  # "the guidance in A6.9.3"
        keys = rule_keys(reference, document is not None)
        here = () if document else near_keys(self.passage, reference)
        return tuple(dict.fromkeys((*here, *keys)))


def _in_document(found: CrossReference, named: LastNamed) -> CrossReference:
    if named.document_ids or not named.name:
        return replace(found, document_ids=named.document_ids)
    return replace(found, outside=named.name)

"""What a commit does to the documents of an index: which stay, go, come, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice

from search.engines.servers.indexing.current import Current, DocumentEntry
from search.engines.servers.records import passage_key
from search.engines.staging import Staging
from search.engines.stored_rows import passage_of
from search.messages.refusals import taken_id


@dataclass(frozen=True, slots=True)
class Change:
    """The difference between the current generation and the next."""

    kept: tuple[DocumentEntry, ...]
    """Documents that stay as they are."""
    gone: tuple[DocumentEntry, ...]
    """Documents that are deleted, or replaced."""
    placed: dict[str, int]
    """document_id → position of what was given to the load, in the order given."""
    passages: int
    """How many passages were given to the load."""

    @classmethod
    def of(
        cls,
        current: Sequence[DocumentEntry],
        given: Iterable[str],
        passages: dict[str, int],
        deleted: AbstractSet[str],
    ) -> Change:
        """Compare.

        Args:
            current: documents of the current generation.
            given: IDs of all documents given to the load, in order.
            passages: document_id → passages, of those that have any; others are left out.
            deleted: IDs of documents to be removed.
        """
        positions = {one.document_id: one.position for one in current}
        touched = set(deleted)
        following = max(positions.values(), default=-1) + 1
        placed: dict[str, int] = {}
        for document_id in given:
            touched.add(document_id)
            if document_id not in passages:
                continue
            placed[document_id] = positions.get(document_id, following)
            following += document_id not in positions
        return cls(
            kept=tuple(one for one in current if one.document_id not in touched),
            gone=tuple(one for one in current if one.document_id in touched),
            placed=placed,
            passages=sum(passages.values()),
        )

    @property
    def total(self) -> int:
        """How many passages the next generation has."""
        return self.passages + sum(one.passages for one in self.kept)


_AT_ONCE = 1000


def check_unique(change: Change, staged: Staging, current: Current | None) -> None:
    """Refuse an ID of what is loaded that is in use by what stays.

    Raises:
        InputError: it names both passages.
    """
    if current is None or not change.kept:
        return
    staying = {one.position: one.document_id for one in change.kept}
    ids = (identifier for identifier, _ in staged.ids())
    while part := list(islice(ids, _AT_ONCE)):
        keys = {passage_key(identifier): identifier for identifier in part}
        for key, position in current.owners(list(keys)).items():
            if position in staying:
                number = current.passage_number(key)
                new = passage_of(staged.row(keys[key]).body)
                raise taken_id(new, number, staying[position])

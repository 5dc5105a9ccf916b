"""No two passages of an index have the same ID."""

from __future__ import annotations

from itertools import islice

from search.engines.servers.change import Change
from search.engines.servers.current import Current
from search.engines.servers.records import passage_key
from search.engines.staging import Staged
from search.engines.stored_rows import StoredRow, passage_of
from search.errors import InputError

_AT_ONCE = 1000


def check_unique(change: Change, staged: Staged, current: Current | None) -> None:
    """Refuse an ID that occurs twice, within what was given or between that and what stays.

    Raises:
        InputError: it names both passages.
    """
    twins = staged.twin()
    if twins is not None:
        old = passage_of(twins[0].body)
        raise _taken(twins[1], old.passage_id, old.document_id)
    if current is None or not change.kept:
        return
    staying = {one.position: one.document_id for one in change.kept}
    ids = (identifier for identifier, _ in staged.ids())
    while part := list(islice(ids, _AT_ONCE)):
        keys = {passage_key(identifier): identifier for identifier in part}
        for key, position in current.owners(list(keys)).items():
            if position in staying:
                number = current.passage_number(key)
                raise _taken(staged.row(keys[key]), number, staying[position])


def _taken(row: StoredRow, number: str, document_id: str) -> InputError:
    new = passage_of(row.body)
    return InputError(
        f"the ID {row.id!r} of {new.passage_id} in document {new.document_id!r} is already that of "
        f"{number} in document {document_id!r}; give one of them another ID, or delete the older "
        "document first",
        new.source or None,
    )

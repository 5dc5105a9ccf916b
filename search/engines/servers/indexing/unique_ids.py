"""No two passages of an index have the same ID."""

from __future__ import annotations

from itertools import islice

from search.engines.servers.indexing.changeset import Change
from search.engines.servers.indexing.current import Current
from search.engines.servers.records import passage_key
from search.engines.staging import Staging
from search.engines.stored_rows import passage_of
from search.messages.refusals import taken_id

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

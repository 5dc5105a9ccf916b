"""Small documents that loading processes leave for one another: a lease, and vectors.

One helper index holds them, only while it is needed. It is written through its alias, with
`require_alias`: for a process that comes too late the server does not make a new index, but refuses
the request.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from search.engines.servers.connection.client import Client
from search.engines.servers.connection.faults import NotFoundError
from search.errors import IndexUnavailableError, RiragError, StorageError

_MARK = "rirag-load"
_BODY: dict[str, Any] = {
    "settings": {
        "index": {
            "number_of_shards": 1,
            "auto_expand_replicas": "0-1",
            "refresh_interval": "-1",
        }
    },
    "mappings": {
        "dynamic": False,
        "_meta": {_MARK: True},
        "properties": {"kind": {"type": "keyword"}},
    },
}
_BUSY = (429, 503)
_PAUSES_S = (0.5, 1, 2, 4, 8, 16)
_AT_ONCE = 1000
"""Documents asked for in one request."""


@dataclass(frozen=True, slots=True)
class Note:
    """A document as it was read."""

    id: str
    source: dict[str, Any]
    seq_no: int
    primary_term: int


class Notes:
    """The helper index of one index."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._url = client.address.url
        self._alias, self._index = client.address.of_load

    def ensure(self) -> None:
        """Make the helper index if it is not there.

        Raises:
            IndexUnavailableError: somebody else has an index of this name.
        """
        if self._is_there():
            return
        try:
            self._client.request("PUT", f"/{self._index}", {**_BODY, "aliases": {self._alias: {}}})
        except RiragError:
            if not self._is_there():  # else another process was faster
                raise

    def _is_there(self) -> bool:
        """Return whether the helper index is there; refuse what has its name or alias instead."""
        names = f"/{self._alias},{self._index}"
        found = self._client.request("GET", names, ignore_unavailable=True)
        foreign = [name for name, one in found.items() if not self._is_ours(name, one)]
        if foreign:
            raise IndexUnavailableError(
                f"loading into {self._url} needs the names {self._alias} and "
                f"{self._index}, but {foreign[0]} on the server is something else; "
                "remove it there, or choose another name for your index",
                code="index.foreign",
            )
        return bool(found)

    def _is_ours(self, name: str, index: dict[str, Any]) -> bool:
        """Return whether an index that has the name or alias of the helper index is that index."""
        marked = _MARK in (index["mappings"].get("_meta") or {})
        return name == self._index and self._alias in index["aliases"] and marked

    def drop(self) -> None:
        """Delete the helper index."""
        with suppress(NotFoundError):
            self._client.request("DELETE", f"/{self._index}")

    def read(self, ids: Sequence[str], *, source: bool = True) -> dict[str, Note]:
        """Return those of the documents that exist, as they are at this moment.

        Args:
            ids: of the documents.
            source: False leaves out what is in them.
        """
        found = {}
        for start in range(0, len(ids), _AT_ONCE):
            body = {"ids": list(ids[start : start + _AT_ONCE])}
            answer = self._client.request("GET", f"/{self._alias}/_mget", body, _source=source)
            for one in answer["docs"]:
                if one.get("found"):
                    found[one["_id"]] = Note(
                        one["_id"], one.get("_source", {}), one["_seq_no"], one["_primary_term"]
                    )
        return found

    def get(self, note_id: str) -> Note | None:
        """Return one document."""
        return self.read([note_id]).get(note_id)

    def create(self, note_id: str, source: dict[str, Any]) -> bool:
        """Write a document that must not exist yet; False: it does, or the index is gone."""
        return self._one({"create": {"_id": note_id}}, source)

    def replace(self, note: Note, source: dict[str, Any]) -> bool:
        """Replace a document unless somebody changed it since it was read."""
        return self._one({"index": _unchanged(note)}, source)

    def delete(self, note: Note) -> bool:
        """Delete a document unless somebody changed it since it was read."""
        return self._one({"delete": _unchanged(note)})

    def write(self, sources: dict[str, dict[str, Any]]) -> None:
        """Write documents, whether they exist or not.

        Raises:
            NotFoundError: the helper index is gone: the load is over.
            StorageError: the server did not take them.
        """
        lines = [
            line
            for note_id, source in sources.items()
            for line in ({"index": {"_id": note_id}}, source)
        ]
        items = self._bulk(lines)
        for pause in _PAUSES_S:
            if not any(item["status"] in _BUSY for item in items):
                break
            time.sleep(pause)
            items = self._bulk(lines)
        self._raise_refused(items)

    def count(self, kind: str) -> int:
        """Return how many documents of a kind there are."""
        self._client.request("POST", f"/{self._alias}/_refresh")
        body = {"query": {"term": {"kind": kind}}}
        return int(self._client.request("GET", f"/{self._alias}/_count", body)["count"])

    def _one(self, *lines: dict[str, Any]) -> bool:
        (item,) = self._bulk(lines)
        if item["status"] in (404, 409):
            return False
        self._raise_refused([item])
        return True

    def _bulk(self, lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        path = f"/{self._alias}/_bulk"
        answer = self._client.request("POST", path, lines, require_alias="true")
        return [next(iter(item.values())) for item in answer["items"]]

    def _raise_refused(self, items: Sequence[dict[str, Any]]) -> None:
        for item in items:
            if item["status"] >= 400:
                reason = item.get("error", {}).get("reason", "no reason given")
                message = (
                    f"the server refused to store what the load of {self._url} needs: {reason}"
                )
                if item["status"] == 404:
                    raise NotFoundError(f"{message}; the load has ended")
                raise StorageError(f"{message}; fix that on the server and load again")


def _unchanged(note: Note) -> dict[str, Any]:
    return {"_id": note.id, "if_seq_no": note.seq_no, "if_primary_term": note.primary_term}

"""Build the next generation of an index beside the current one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from search.engines.protocol import Progress
from search.engines.servers import generations
from search.engines.servers.connection.address import new_generation
from search.engines.servers.connection.client import Body, Client
from search.engines.servers.connection.faults import TooLateError
from search.engines.servers.indexing.actions import Actions, Vectors, deletions
from search.engines.servers.indexing.bulk import SHOWN, STREAMS, refused_error, send
from search.engines.servers.indexing.current import Change, Current, Replaced
from search.engines.servers.manifest import Generation, Manifest
from search.engines.servers.mapping import (
    FIRST,
    SIZED,
    Settings,
    document_index_body,
    passage_index_body,
    replica_settings,
)
from search.engines.servers.records import passage_key
from search.engines.staging import Staging
from search.engines.stored_rows import passage_of
from search.errors import RiragError, StorageError
from search.records import EncoderIdentity

MERGE_TO_ONE_UP_TO = 200_000
"""Most passages whose index is merged to one segment, which puts ties in index order and takes the
words of deleted passages out of BM25. Above it only the latter is done. For 13,732 passages on two
busy cores it takes 1 to 3 s with exact vectors, and 7 to 10 s with a graph."""
MERGE_WAIT_S = 120.0
"""How long a merge may take at least, and…"""
MERGE_WAIT_A_PASSAGE_S = 0.03
"""… for each passage: some forty times what it took."""
SLOW_TIMEOUT_S = 300.0
"""For steps that wait for the disk: clone, flush, refresh."""
_REPORT_EVERY = 100

_WRITE_BLOCK = "index.blocks.write"
_CLOSED = {_WRITE_BLOCK: True}
"""For a generation that is complete."""
_OPEN = {f"blocks.{block}": False for block in ("write", "read_only", "read_only_allow_delete")}
"""What a clone must not take over from the generation that it begins with."""


class Build:
    """One generation while it is made; nobody sees it yet."""

    def __init__(
        self,
        client: Client,
        encoder: EncoderIdentity,
        replaced: Replaced,
        change: Change,
        staged: Staging,
    ) -> None:
        """Prepare to put the staged documents, and those that stay, in the place of a state."""
        self._client, self._change, self._staged = client, change, staged
        self._current = replaced.kept
        self._manifest = self._begun(encoder, replaced.stamp)
        self._sizes = tuple(_sizes(client, index) for index in replaced.indices)
        self._passages, self._documents = client.address.indices(self._manifest.generation)
        self._both = f"{self._passages},{self._documents}"

    def run(self, vectors: Vectors, progress: Progress | None) -> Generation:
        """Make the indices, fill them, and complete them.

        Raises:
            StorageError: the server refused something, or a vector is missing; nothing is left
                there.
        """
        current, change = self._current, self._change
        actions = Actions(change, self._documents, vectors, self._client.vector_value)
        try:
            if current is None or not change.kept:
                self._create()
            elif current.generation.manifest.exact == self._manifest.exact:
                self._clone(current.generation)
                self._delete_gone(current)
            else:
                self._create()
                self._send(actions.copied(current), progress)
            self._send(actions.given(self._staged), progress)
            return self._complete(actions)
        except BaseException:
            with suppress(RiragError):  # else the next load removes it
                generations.delete(self._client, self._passages, self._documents)
            raise

    def _begun(self, encoder: EncoderIdentity, previous: str) -> Manifest:
        """Return the manifest of a generation that is being built.

        A generation that has a graph already is followed by one that has, however small: to go back
        and forth at the border would cost a copy of everything each time.
        """
        within = self._change.total <= self._client.options.exact_up_to
        return Manifest(
            generation=new_generation(),
            encoder_name=encoder.name,
            encoder_dimension=encoder.dimension,
            encoder_revision=encoder.revision,
            exact=within and (self._current is None or self._current.generation.manifest.exact),
            previous=previous,
        )

    def _create(self) -> None:
        of_passages, of_documents = self._sizes
        passages = passage_index_body(self._client, self._manifest, of_passages)
        documents = document_index_body(self._client.options, of_documents)
        self._put_both(f"/{self._passages}", passages, f"/{self._documents}", documents)

    def _clone(self, source: Generation) -> None:
        """Begin with the files of the current generation; the server links them."""
        self._close_again(source)
        passages, documents = (
            {"settings": {"index": {**replica_settings(self._client.options, one), **_OPEN}}}
            for one in self._sizes
        )
        self._put_both(
            f"/{source.passages}/_clone/{self._passages}",
            passages,
            f"/{source.documents}/_clone/{self._documents}",
            documents,
        )

    def _close_again(self, source: Generation) -> None:
        """Keep everybody from writing to a generation, should somebody have allowed it.

        The servers clone nothing that can be written to.
        """
        path = f"/{source.passages},{source.documents}/_settings"
        told = self._client.request("GET", f"{path}/{_WRITE_BLOCK}", flat_settings=True)
        closed = [name for name, one in told.items() if one["settings"][_WRITE_BLOCK] == "true"]
        if len(closed) < 2:  # an index without the setting is not told of
            self._slowly("PUT", path, _CLOSED)

    def _put_both(self, path: str, body: Body, other_path: str, other_body: Body) -> None:
        """Make two indices at once: most of the time the server waits for their files."""
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(self._slowly, "PUT", other_path, other_body)
            self._slowly("PUT", path, body)
            other.result()

    def _delete_gone(self, current: Current) -> None:
        gone = self._change.gone
        keys = current.keys(one.position for one in gone)
        self._checked(deletions(keys), self._passages)
        names = (passage_key(one.document_id) for one in gone)
        self._checked(deletions(names), self._documents)

    def _send(self, actions: Iterator[Body], progress: Progress | None) -> None:
        total = self._change.passages

        def report(done: int) -> None:
            if progress and done % _REPORT_EVERY < STREAMS:
                progress("load", min(done, total), total)

        self._checked(actions, self._passages, report)
        if progress:
            progress("load", total, total)

    def _checked(
        self, actions: Iterable[Body], index: str, report: Callable[[int], None] | None = None
    ) -> None:
        flow = send(self._client, index, actions, report)
        if flow.refusals:
            names = _names(self._staged, {one.id for one in flow.refusals[:SHOWN]})
            raise refused_error(self._client.address.url, flow, names)

    def _complete(self, actions: Actions) -> Generation:
        """Merge, count, close for writing and describe.

        The description is last: a complete state that no alias names is taken for one that lost
        them.
        """
        kept, passages = self._change.kept, self._change.total
        documents = len(kept) + len(self._change.placed)
        self._slowly("POST", f"/{self._both}/_refresh")
        self._merge(passages)
        self._slowly("POST", f"/{self._both}/_refresh")
        self._check_count(self._passages, passages)
        self._check_count(self._documents, documents)
        size = self._size()
        self._slowly("PUT", f"/{self._both}/_settings", _CLOSED)
        self._slowly("POST", f"/{self._both}/_flush")
        manifest = self._manifest.model_copy(
            update={
                "state": "complete",
                "passages": passages,
                "documents": documents,
                "empty_passages": actions.empty + sum(one.empty for one in kept),
                "size_bytes": size,
                "filter_fields": tuple(sorted(actions.fields.union(*(one.fields for one in kept)))),
                "published": time.time(),
            }
        )
        generations.set_manifest(self._client, self._passages, manifest)
        return Generation(manifest, self._passages, self._documents)

    def _merge(self, passages: int) -> None:
        how = (
            {"max_num_segments": "1"}
            if passages <= MERGE_TO_ONE_UP_TO
            else {"only_expunge_deletes": "true"}
        )
        path, wait = f"/{self._both}/_forcemerge", MERGE_WAIT_S + MERGE_WAIT_A_PASSAGE_S * passages
        try:
            self._client.request("POST", path, None, timeout_s=wait, **how)
        except TooLateError as error:
            raise StorageError(
                f"the server at {self._client.address.node} has not merged what was "
                f"loaded within {wait:.0f} s; merges wait when the disk is nearly "
                "full (Elasticsearch: indices.merge.disk.watermark.high), so free "
                "some space and load again; the index is unchanged and can still be "
                "searched"
            ) from error

    def _check_count(self, index: str, wanted: int) -> None:
        count = self._client.request("GET", f"/{index}/_count")["count"]
        if count != wanted:
            raise StorageError(
                f"the server has {count} instead of {wanted} entries in {index} after "
                f"the load into {self._client.address.url}; the index is unchanged and "
                "can still be searched; load again"
            )

    def _size(self) -> int:
        answer = self._client.request("GET", f"/{self._both}/_stats/store")
        return int(answer["_all"]["primaries"]["store"]["size_in_bytes"])

    def _slowly(self, method: str, path: str, body: Body | None = None) -> None:
        seconds = max(SLOW_TIMEOUT_S, self._client.options.timeout_s)
        self._client.request(method, path, body, timeout_s=seconds)


def _sizes(client: Client, index: str | None) -> Settings:
    if index is None:
        return FIRST
    names = ",".join(f"index.{name}" for name in SIZED)
    answer = client.request("GET", f"/{index}/_settings/{names}")
    found: Settings = answer[index]["settings"]["index"]
    return found


def _names(staged: Staging, keys: set[str]) -> dict[str, str]:
    """Return the words for what was given to the load, by the server's `_id`."""
    found = {}
    for identifier, document_id in staged.ids():
        key, whole = passage_key(identifier), passage_key(document_id)
        if key in keys:
            passage = passage_of(staged.row(identifier).body)
            place = f" ({passage.source})" if passage.source else ""
            found[key] = f"{identifier}, {document_id} {passage.passage_id}{place}"
        if whole in keys:
            found[whole] = f"document {document_id}"
    return found

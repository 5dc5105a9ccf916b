"""Build the next generation of an index beside the current one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from search.engines.protocol import Progress
from search.engines.servers.connection.address import document_index, new_generation, passage_index
from search.engines.servers.connection.client import Body, TooLateError
from search.engines.servers.generations import generations
from search.engines.servers.generations.manifest import Generation, Manifest
from search.engines.servers.indexing.actions import Actions, Vectors, deletions, document_key
from search.engines.servers.indexing.bulk import SHOWN, STREAMS, RefusedError, refused_error, send
from search.engines.servers.indexing.changeset import Change
from search.engines.servers.indexing.current import Current
from search.engines.servers.mapping import (
    FIRST,
    SIZED,
    Settings,
    document_index_body,
    passage_index_body,
    replica_settings,
)
from search.engines.servers.records import passage_key
from search.engines.servers.site import Site
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


@dataclass(frozen=True, slots=True)
class Target:
    """What a generation is built for."""

    site: Site
    encoder: EncoderIdentity
    replaced: str
    """The generation whose place it will take; "" for a first load."""
    indices: tuple[str | None, str | None]
    """The indices of passages and documents whose place it will take."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a generation is made of."""

    change: Change
    staged: Staging
    """The documents given to the load."""
    current: Current | None
    """The generation that kept documents are in."""
    vectors: Vectors


def build_generation(target: Target, material: Material, progress: Progress) -> Generation:
    """Build and complete a generation that nobody sees yet.

    Raises:
        StorageError: the server refused something, or a vector is missing; nothing is left there.
    """
    build = _Build(target, material, progress)
    try:
        return build.run()
    except BaseException:
        build.discard()
        raise


_WRITE_BLOCK = "index.blocks.write"
_CLOSED = {_WRITE_BLOCK: True}
"""For a generation that is complete."""
_OPEN = {f"blocks.{block}": False for block in ("write", "read_only", "read_only_allow_delete")}
"""What a clone must not take over from the generation that it begins with."""


class _Build:
    """One generation while it is made."""

    def __init__(self, target: Target, material: Material, progress: Progress) -> None:
        self._site, self._client = target.site, target.site.client
        self._material, self._progress = material, progress
        self._manifest = _begun(target, material)
        self._sizes = tuple(sizes(target.site, index) for index in target.indices)
        name, generation = target.site.address.name, self._manifest.generation
        self._passages = passage_index(name, generation)
        self._documents = document_index(name, generation)
        self._both = f"{self._passages},{self._documents}"
        info, product = self._client.info(), target.site.product
        self._actions = Actions(
            material.change,
            self._documents,
            material.vectors,
            lambda vector: product.vector_value(vector, info),
        )

    def run(self) -> Generation:
        """Make the indices, fill them, and complete them."""
        current, staged = self._material.current, self._material.staged
        if current is None or not self._material.change.kept:
            self._create()
            self._send(self._actions.given(staged))
        elif current.generation.manifest.exact == self._manifest.exact:
            self._clone(current.generation)
            self._delete_gone(current)
            self._send(self._actions.given(staged))
            self._actions.count_kept()
        else:
            self._create()
            self._send(self._actions.copied(current))
            self._send(self._actions.given(staged))
        return self._complete()

    def discard(self) -> None:
        """Remove what was made so far, as far as the server lets us."""
        try:
            generations.delete(self._client, self._passages, self._documents)
        except RiragError:
            return  # the next load removes it

    def _create(self) -> None:
        options, (of_passages, of_documents) = self._site.options, self._sizes
        passages = passage_index_body(self._site.product, options, self._manifest, of_passages)
        documents = document_index_body(options, of_documents)
        self._put_both(f"/{self._passages}", passages, f"/{self._documents}", documents)

    def _clone(self, source: Generation) -> None:
        """Begin with the files of the current generation; the server links them."""
        self._close_again(source)
        passages, documents = (
            {"settings": {"index": {**replica_settings(self._site.options, one), **_OPEN}}}
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
        gone = self._material.change.gone
        keys = current.keys(one.position for one in gone)
        self._checked(deletions(keys), self._passages)
        names = (document_key(one.document_id) for one in gone)
        self._checked(deletions(names), self._documents)

    def _send(self, actions: Iterator[Body]) -> None:
        total = self._material.change.passages

        def report(done: int) -> None:
            if done % _REPORT_EVERY < STREAMS:
                self._progress("load", min(done, total), total)

        self._checked(actions, self._passages, report)
        self._progress("load", total, total)

    def _checked(
        self, actions: Iterable[Body], index: str, report: Callable[[int], None] | None = None
    ) -> None:
        try:
            send(self._client, index, actions, report)
        except RefusedError as refused:
            shown = {one.id for one in refused.refusals[:SHOWN]}
            names = _names(self._material.staged, shown)
            raise refused_error(self._site.address.url, refused, names) from None

    def _complete(self) -> Generation:
        """Merge, count, close for writing and describe.

        The description is last: a complete state that no alias names is taken for one that lost
        them.
        """
        counts = self._actions.counts
        self._slowly("POST", f"/{self._both}/_refresh")
        self._merge(counts.passages)
        self._slowly("POST", f"/{self._both}/_refresh")
        self._check_count(self._passages, counts.passages)
        self._check_count(self._documents, counts.documents)
        size = self._size()
        self._slowly("PUT", f"/{self._both}/_settings", _CLOSED)
        self._slowly("POST", f"/{self._both}/_flush")
        manifest = self._manifest.model_copy(
            update={
                "state": "complete",
                "passages": counts.passages,
                "documents": counts.documents,
                "empty_passages": counts.empty,
                "size_bytes": size,
                "filter_fields": tuple(sorted(counts.fields)),
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
                f"the server at {self._site.address.node} has not merged what was "
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
                f"the load into {self._site.address.url}; the index is unchanged and "
                "can still be searched; load again"
            )

    def _size(self) -> int:
        answer = self._client.request("GET", f"/{self._both}/_stats/store")
        return int(answer["_all"]["primaries"]["store"]["size_in_bytes"])

    def _slowly(self, method: str, path: str, body: Body | None = None) -> None:
        seconds = max(SLOW_TIMEOUT_S, self._site.options.timeout_s)
        self._client.request(method, path, body, timeout_s=seconds)


def sizes(site: Site, index: str | None) -> Settings:
    """Return shards and copies of an index that is replaced."""
    if index is None:
        return FIRST
    names = ",".join(f"index.{name}" for name in SIZED)
    answer = site.client.request("GET", f"/{index}/_settings/{names}")
    found: Settings = answer[index]["settings"]["index"]
    return found


def _begun(target: Target, material: Material) -> Manifest:
    """Return the manifest of a generation that is being built.

    A generation that has a graph already is followed by one that has, however small: to go back
    and forth at the border would cost a copy of everything each time.
    """
    within = material.change.total <= target.site.options.exact_up_to
    current = material.current
    return Manifest(
        generation=new_generation(),
        encoder_name=target.encoder.name,
        encoder_dimension=target.encoder.dimension,
        encoder_revision=target.encoder.revision,
        exact=within and (current is None or current.generation.manifest.exact),
        previous=target.replaced,
    )


def _names(staged: Staging, keys: set[str]) -> dict[str, str]:
    """Return the words for what was given to the load, by the server's `_id`."""
    found = {}
    for identifier, document_id in staged.ids():
        key, whole = passage_key(identifier), document_key(document_id)
        if key in keys:
            passage = passage_of(staged.row(identifier).body)
            place = f" ({passage.source})" if passage.source else ""
            found[key] = f"{identifier}, {document_id} {passage.passage_id}{place}"
        if whole in keys:
            found[whole] = f"document {document_id}"
    return found

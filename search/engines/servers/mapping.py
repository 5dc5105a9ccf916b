"""Settings and mappings of the indices of a generation: pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from search.engines.servers.connection.client import Client
from search.engines.servers.connection.options import ServerOptions
from search.engines.servers.manifest import Manifest
from search.engines.servers.records import SEARCHED, SHOWN_DATES, SHOWN_KEYWORDS

Settings = Mapping[str, str]
"""Shards and copies of an index, as the server gives them."""
FIRST: Settings = {}
"""Those of an index that is not there yet."""
SHARDS = "number_of_shards"
_COPIES = ("auto_expand_replicas", "number_of_replicas")
SIZED = (SHARDS, *_COPIES)
"""Settings that a new generation takes over."""
WINDOW = 10_000
"""Most hits that both servers give at once."""
LONGEST_SHOWN = 8191
"""Characters of the longest keyword that is indexed: 32,766 bytes in any script."""

_KEYWORD = {"type": "keyword", "ignore_above": LONGEST_SHOWN}
_UNINDEXED = {**_KEYWORD, "index": False, "doc_values": False}
_EXACT = {"type": "keyword"}
_TERMS = {"type": "text", "analyzer": "whitespace"}
"""Index terms, which servers only part at blanks (`search.engines.terms`)."""
_STORED = {"type": "object", "enabled": False}


def passage_index_body(
    client: Client, manifest: Manifest, replaced: Settings = FIRST
) -> dict[str, Any]:
    """Return the body that creates a passage index, instead of one with these settings."""
    return {
        "settings": {
            "index": {
                **_common(client.options, replaced),
                **client.vector_settings(manifest.exact),
            },
        },
        "mappings": {
            "dynamic": "strict",
            "_meta": manifest.meta(),
            "properties": {
                **_passage_fields(),
                "vector": client.vector_field(manifest.encoder_dimension, manifest.exact),
            },
        },
    }


def document_index_body(options: ServerOptions, replaced: Settings = FIRST) -> dict[str, Any]:
    """Return the body that creates an index of whole documents; the text is indexed, not kept."""
    return {
        "settings": {"index": _common(options, replaced)},
        "mappings": {
            "dynamic": "strict",
            "_source": {"excludes": ["text"]},
            "properties": {
                "row": {"type": "long"},
                "document_id": _KEYWORD,
                "key": _EXACT,
                "title": _UNINDEXED,
                "content_hash": _EXACT,
                "passages": {"type": "integer"},
                "empty": {"type": "integer"},
                "fields": _EXACT,
                "metadata": _STORED,
                "history": _STORED,
                "text": _TERMS,
            },
        },
    }


def replica_settings(options: ServerOptions, replaced: Settings = FIRST) -> dict[str, Any]:
    """Return the settings that say how many copies of an index there are.

    Without an option, they are those of the index that is replaced.
    """
    if options.replicas is not None:
        # A clone keeps the automatic number of its original unless it is switched off.
        return {"auto_expand_replicas": "false", "number_of_replicas": options.replicas}
    kept = {name: replaced[name] for name in _COPIES if name in replaced}
    return kept or {"auto_expand_replicas": "0-1"}


def _common(options: ServerOptions, replaced: Settings) -> dict[str, Any]:
    return {
        SHARDS: options.shards or int(replaced.get(SHARDS, 1)),
        **replica_settings(options, replaced),
        # Nothing is searched before it is complete.
        "refresh_interval": "-1",
        # Equal scores come in the order of the rows, because that is the order on the disk.
        "sort.field": "row",
        "sort.order": "asc",
        # Words of deleted passages would continue counting in BM25.
        "merge.policy.expunge_deletes_allowed": 0,
        # Said although it is the default, for a template of the cluster may say something else.
        "max_result_window": WINDOW,
    }


def _passage_fields() -> dict[str, Any]:
    return {
        "row": {"type": "long"},
        "document": {"type": "long"},
        "kind_code": {"type": "byte"},
        "id": _KEYWORD,
        "document_id": _KEYWORD,
        "passage_id": _KEYWORD,
        "document_title": _KEYWORD,
        "kind": _KEYWORD,
        "order": {"type": "integer"},
        "depth": {"type": "integer"},
        "parent": _KEYWORD,
        "ancestors": _KEYWORD,
        "breadcrumb": _UNINDEXED,
        "source": _UNINDEXED,
        "text": {"type": "text", "index": False},
        SEARCHED: _TERMS,
        "words": {"type": "integer"},
        "empty": {"type": "boolean"},
        "facets": _EXACT,
        "numbers": _EXACT,
        "key_of_parent": _EXACT,
        "vector_hash": _EXACT,
        "metadata": _STORED,
        **dict.fromkeys(sorted(SHOWN_KEYWORDS), _KEYWORD),
        **{name: {"type": "date", "ignore_malformed": True} for name in sorted(SHOWN_DATES)},
    }

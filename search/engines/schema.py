"""Which stored forms of passages this rirag adds to; it reads all the older ones."""

from __future__ import annotations

from search.engines.protocol import SCHEMA_VERSION, IndexDescription
from search.errors import IndexUnavailableError
from search.messages.refusals import on_index


def outdated(index: IndexDescription) -> list[str]:
    """Return what to note with each search of an index of an older form; empty: it is current."""
    if index.schema_version >= SCHEMA_VERSION:
        return []
    return [
        "an older rirag made this index, so some words are not found in it; run: "
        + on_index("rirag reindex", index.url)
    ]


def check_current(url: str, version: int) -> None:
    """Refuse to change an index of an older form: half of its passages would be without links.

    Raises:
        IndexUnavailableError: it is older; the message says how to bring it up to date.
    """
    if version < SCHEMA_VERSION:
        raise IndexUnavailableError(
            f"the index {url} was made by an older rirag (index version {version}; "
            f"the current one is {SCHEMA_VERSION}): it can be searched, but not "
            f"changed; upgrade it with: {on_index('rirag reindex', url)}",
            code="index.outdated",
        )

"""What every engine writes down of an index, and which stored forms of passages are added to."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from search.engines.protocol import SCHEMA_VERSION, IndexDescription
from search.errors import IndexUnavailableError
from search.messages.refusals import on_index
from search.records import EncoderIdentity


class StoredDescription(BaseModel):
    """What an index holds, made by which encoder; engines add how they store it."""

    model_config = ConfigDict(frozen=True)
    schema_version: int = SCHEMA_VERSION
    encoder_name: str
    encoder_dimension: int
    encoder_revision: str
    passages: int = 0
    documents: int = 0
    empty_passages: int = 0
    filter_fields: tuple[str, ...] = ()

    @property
    def encoder(self) -> EncoderIdentity:
        """The encoder that made the vectors."""
        return EncoderIdentity(self.encoder_name, self.encoder_dimension, self.encoder_revision)

    def description(self, **of_engine: Any) -> IndexDescription:
        """Return what callers get to know, with what an engine adds."""
        return IndexDescription(
            encoder=self.encoder,
            passages=self.passages,
            documents=self.documents,
            empty_passages=self.empty_passages,
            schema_version=self.schema_version,
            filter_fields=self.filter_fields,
            **of_engine,
        )


FIRST_WITH_WORDS = 8
"""Version from which an index has all index terms that questions are searched with."""


FIRST_WITH_VERSIONS = 9
"""Version from which documents have a history."""


def outdated(index: IndexDescription) -> list[str]:
    """Return what to note with each search of an index of an older form; empty: it has all."""
    if index.schema_version >= FIRST_WITH_WORDS:
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

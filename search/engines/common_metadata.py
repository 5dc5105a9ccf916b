"""What engines tell of a document as a whole: its title, and the metadata of all its passages."""

from __future__ import annotations

from search.records import MetadataValue, Passage


class CommonMetadata:
    """Takes the passages of one document, in order."""

    def __init__(self) -> None:
        self.title = ""
        """The first that a passage gives."""
        self.passages = 0
        self._common: set[tuple[str, MetadataValue]] = set()

    def add(self, passage: Passage) -> None:
        """Take the next passage."""
        items = set(passage.metadata.items())
        self._common = self._common & items if self.passages else items
        self.title = self.title or passage.document_title
        self.passages += 1

    def metadata(self) -> dict[str, MetadataValue]:
        """Return what every passage has, by name."""
        return dict(sorted(self._common))

"""From regulations to an index: `indexer.ingest(["rulebook/"], "rirag-index")`."""

from indexer.ingest import ingest, read
from indexer.progress import Progress, Stage
from indexer.readers.detect import FORMATS
from indexer.report import IngestReport, Place
from indexer.sources import SkippedFile

__all__ = [
    "FORMATS",
    "IngestReport",
    "Place",
    "Progress",
    "SkippedFile",
    "Stage",
    "ingest",
    "read",
]

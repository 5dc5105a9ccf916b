"""From regulations to an index: `indexer.ingest(["rulebook/"], "rirag-index")`."""

from indexer.ingest import ingest, read
from indexer.joining import JoinReport, join
from indexer.progress import Progress, Stage
from indexer.readers.detect import FORMATS
from indexer.reindex import ReindexReport, reindex, rollback
from indexer.report import IngestReport, Place
from indexer.sources import SkippedFile

__all__ = [
    "FORMATS",
    "IngestReport",
    "JoinReport",
    "Place",
    "Progress",
    "ReindexReport",
    "SkippedFile",
    "Stage",
    "ingest",
    "join",
    "read",
    "reindex",
    "rollback",
]

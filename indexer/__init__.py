"""From regulations to an index: `indexer.ingest(["rulebook/"], "rirag-index")`."""

from indexer.granularity import GRANULARITIES
from indexer.ingest import ingest, read
from indexer.joining import JoinReport, join
from indexer.progress import Progress, Stage
from indexer.readers.detect import FORMATS
from indexer.reindex import ReindexReport, reindex, rollback
from indexer.report import IngestReport, Place
from indexer.sources import SkippedFile
from indexer.structure import Structure, structure

__all__ = [
    "FORMATS",
    "GRANULARITIES",
    "IngestReport",
    "JoinReport",
    "Place",
    "Progress",
    "ReindexReport",
    "SkippedFile",
    "Stage",
    "Structure",
    "ingest",
    "join",
    "read",
    "reindex",
    "rollback",
    "structure",
]

"""From regulations to an index: `indexer.ingest(["rulebook/"], "rirag-index")`."""

from indexer.granularity import GRANULARITIES
from indexer.ingest import ingest, read
from indexer.joining import JoinReport, join
from indexer.known_questions import add_questions, list_questions, remove_questions
from indexer.progress import Progress, Stage
from indexer.questions_report import QuestionsReport, UnknownPassage
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
    "QuestionsReport",
    "ReindexReport",
    "SkippedFile",
    "Stage",
    "Structure",
    "UnknownPassage",
    "add_questions",
    "ingest",
    "join",
    "list_questions",
    "read",
    "reindex",
    "remove_questions",
    "rollback",
    "structure",
]

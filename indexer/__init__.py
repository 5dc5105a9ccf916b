"""Load regulations into an index: `indexer.ingest(["rulebook/"], "rirag-index")`.

It knows nothing of questions and answers.
"""

from indexer.acts.granularity import GRANULARITIES
from indexer.answered_questions.change import add_questions, list_questions, remove_questions
from indexer.answered_questions.report import QuestionsReport, UnknownPassage
from indexer.encode import EncodeReport, encode
from indexer.ingest import ingest, read
from indexer.load.progress import Progress, Stage
from indexer.load.report import IngestReport, Place
from indexer.load.sources import SkippedFile
from indexer.readers.detect import FORMATS
from indexer.reindex import ReindexReport, reindex, rollback
from indexer.review.structure import Structure, structure

__all__ = [
    "FORMATS",
    "GRANULARITIES",
    "EncodeReport",
    "IngestReport",
    "Place",
    "Progress",
    "QuestionsReport",
    "ReindexReport",
    "SkippedFile",
    "Stage",
    "Structure",
    "UnknownPassage",
    "add_questions",
    "encode",
    "ingest",
    "list_questions",
    "read",
    "reindex",
    "remove_questions",
    "rollback",
    "structure",
]

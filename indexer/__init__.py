"""Load regulations into an index: `indexer.ingest(["rulebook/"], "rirag-index")`.

It knows nothing of questions and answers. Importing is quick: readers and their libraries load when
something is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from search.lazy import lazily

if TYPE_CHECKING:
    from indexer.answered_questions.change import add_questions as add_questions
    from indexer.answered_questions.change import list_questions as list_questions
    from indexer.answered_questions.change import remove_questions as remove_questions
    from indexer.answered_questions.report import QuestionsReport as QuestionsReport
    from indexer.answered_questions.report import UnknownPassage as UnknownPassage
    from indexer.encoding import EncodeReport as EncodeReport
    from indexer.encoding import encode as encode
    from indexer.ingesting import ingest as ingest
    from indexer.ingesting import read as read
    from indexer.load.progress import Progress as Progress
    from indexer.load.progress import Stage as Stage
    from indexer.load.report import IngestReport as IngestReport
    from indexer.load.report import Place as Place
    from indexer.load.sources import SkippedFile as SkippedFile
    from indexer.merging import MergeReport as MergeReport
    from indexer.merging import merge as merge
    from indexer.readers.detect import FORMATS as FORMATS
    from indexer.reindexing import ReindexReport as ReindexReport
    from indexer.reindexing import reindex as reindex
    from indexer.reindexing import rollback as rollback
    from indexer.review.structure import Structure as Structure
    from indexer.review.structure import structure as structure
    from indexer.structuring.acts.granularity import GRANULARITIES as GRANULARITIES

__getattr__, __dir__, __all__ = lazily(__name__)

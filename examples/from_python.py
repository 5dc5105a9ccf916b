"""Load the sample rulebook, search it, and answer a question with citations."""

from pathlib import Path
from tempfile import TemporaryDirectory

import generation
import indexer
import search

QUESTION = "How soon must a material incident be notified?"

with TemporaryDirectory() as index_folder:
    report = indexer.ingest([Path(__file__).parent / "rulebook"], index_folder)
    print(f"{report.passages} passages of {len(report.added)} documents")
    with search.open(index_folder) as index:
        hits = index.search(QUESTION).hits
        for hit in hits[:3]:
            print(f"{hit.score:.2f}  {hit.citation()}")
        print("\n" + generation.answer_text(generation.answer(QUESTION, hits)))

"""Load the sample rulebook, search it, and answer a question with citations."""

from pathlib import Path
from tempfile import TemporaryDirectory

import rirag

QUESTION = "How soon must a material incident be notified?"

with TemporaryDirectory() as index_folder:
    report = rirag.load(Path(__file__).parent / "rulebook", index_folder)
    print(f"{report.passages} passages of {len(report.added)} documents")
    with rirag.open(index_folder) as rules:
        for hit in rules.search(QUESTION, k=2):
            print(f"{hit.score:.2f}  {hit}")
        print(f"\n{rules.ask(QUESTION)}")

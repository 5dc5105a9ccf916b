"""What a reader costs retrieval: python -m benchmarks.reading_retrieval docx|text|pdf QUESTIONS.

The originals of ObliQA are loaded once as the reader reads them and once as they were numbered by
hand. Then the questions whose answers stand in these documents are asked of both, with the default
pipeline. A passage that the reader numbers in another way counts as not found; then again as found
where one of the same words is.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

import indexer
import search
from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from benchmarks.readers import DATA, SUFFIXES, originals
from indexer.structure_check import plain_number, token_f1
from rirag.evaluation.gold import JudgedQuestions
from rirag.evaluation.questions import Question, read_questions
from rirag.evaluation.retrieval import evaluate_retrieval
from search.records import Passage

MEASURES = ("R@10", "AP@10")
MOST_LOST = 0.02
SAME_WORDS = 0.8
"""F1 of words from which two passages are taken to be the same."""

Name = tuple[str, str, int]
"""DocumentID, number, and which of the passages with this number."""


def main() -> None:
    """Load both, ask both, and compare."""
    arguments = parser(__doc__)
    arguments.add_argument("format", choices=SUFFIXES)
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--data", type=Path, default=DATA, help="the folder with the corpus")
    arguments.add_argument("--pdfs", type=Path, metavar="FOLDER", help="the folder with the PDFs")
    arguments.add_argument("--only", nargs="+", metavar="N", help="some documents only")
    options = arguments.parse_args()
    paths = originals(options)
    by_hand = [options.data / "obliqa" / "documents" / f"{path.stem}.json" for path in paths]
    titles = options.data / "obliqa" / "titles.json"
    with tempfile.TemporaryDirectory() as folder:
        for name, sources in (("read", paths), ("hand", by_hand)):
            made = Path(folder) / f"{name} sources"
            made.mkdir()
            for source in sources:
                shutil.copy(source, made)
            indexer.ingest(made, f"{folder}/{name}", titles=titles)
        with search.open(f"{folder}/read") as read, search.open(f"{folder}/hand") as hand:
            report(
                "retrieval", figures(hand, read, read_questions(options.questions)), options.json
            )


def figures(hand: search.Index, read: search.Index, questions: Iterable[Question]) -> list[Figure]:
    """Ask both indexes the same questions."""
    by_hand, as_read = hand.passages(), read.passages()
    meant = names(by_hand)
    numbered = {name: passage for passage, name in names(as_read).items()}
    gold = {one.question_id: frozenset(r.id or "" for r in one.gold) for one in questions}
    texts = {one.question_id: one.text for one in questions if gold[one.question_id] <= set(meant)}
    wanted = {passage for question in texts for passage in gold[question]}
    same_number = {one: numbered.get(meant[one], f"not read: {one}") for one in wanted}
    lost = [passage for passage in by_hand if same_number.get(passage.id, "").startswith("not")]
    same_words = same_number | dict(_with_the_same_words(lost, as_read))
    start = measured(hand, texts, gold)
    made = [
        Figure("questions", len(texts)),
        Figure("relevant passages with another number", len(lost) / len(wanted)),
        *(Figure(f"{measure}, numbered by hand", start[measure]) for measure in MEASURES),
    ]
    for title, same in (("number", same_number), ("number or words", same_words)):
        judged = {one: frozenset(same[passage] for passage in gold[one]) for one in texts}
        found = measured(read, texts, judged)
        for measure in MEASURES:
            most = MOST_LOST if measure == "R@10" else None
            made += [
                Figure(f"{measure} as read, the same {title}", found[measure]),
                Figure(f"  {measure} lost", start[measure] - found[measure], "", most),
            ]
    return made


def _with_the_same_words(
    lost: Iterable[Passage], as_read: Sequence[Passage]
) -> Iterator[tuple[str, str]]:
    """Yield for passages that were read under another number what has their words."""
    for passage in lost:
        others = [one for one in as_read if one.document_id == passage.document_id]
        likeness = [token_f1(passage.text, one.text) for one in others]
        if likeness and max(likeness) >= SAME_WORDS:
            yield passage.id, others[likeness.index(max(likeness))].id


def names(passages: Iterable[Passage]) -> dict[str, Name]:
    """Return `ID` → name; white space and closing dots of numbers do not count."""
    seen: Counter[tuple[str, str]] = Counter()
    found: dict[str, Name] = {}
    for passage in passages:
        number = (passage.document_id, plain_number(passage.passage_id))
        seen[number] += 1
        found[passage.id] = (*number, seen[number])
    return found


def measured(
    index: search.Index, texts: dict[str, str], gold: dict[str, frozenset[str]]
) -> dict[str, float]:
    """Return the means of the measures."""
    judged = JudgedQuestions(texts, {question: gold[question] for question in texts}, 0, 0)
    with tqdm(total=len(texts), unit="question", leave=False) as bar:
        found = evaluate_retrieval(
            judged,
            lambda question: [(hit.id, hit.score) for hit in index.search(question, 100).hits],
            MEASURES,
            lambda *_: bar.update(),
        )
    return dict(found.means)


if __name__ == "__main__":
    start(main)

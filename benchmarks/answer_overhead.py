"""Own time of an answer beside the language model's: filter, prompt, citations, verification.

    python -m benchmarks.answer_overhead INDEX QUESTIONS [--acts] [--limit N] [--json FILE]

The questions are searched and then answered in each mode by a scripted model that replies at once
with the sentences of the passages, each cited: about as long as the answers of real models. What a
mode then takes is its own. The modes take turns on each question, so that a busy machine disturbs
them alike; their CPU time is told as well, which other processes disturb least. Each passage of the
hits is used, whatever its score: up to ten, as many as the filter ever keeps.

With --acts, INDEX holds acts of the European Union, and the modes are those that read acts:
`multi-step`, and `delegate` with one task that has two articles read.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from statistics import median
from typing import Any

import search
from benchmarks.command import parser, positive, question_texts, start
from benchmarks.figures import Figure, report
from generation import (
    AnswerContext,
    AnswerSettings,
    Example,
    FilterSettings,
    IndexLibrary,
    Limits,
    answer,
)
from generation.llm.protocol import Completion, OnText, Prompt, ToolCall
from generation.statements.answers import statements_in
from generation.statements.passages import statements_of
from generation.text.sentences import split_sentences
from search.records import Hit
from search.text.analyzer import term_set

MODES = ("extractive", "rag", "advisor", "zero-shot", "few-shot")
MODES_OF_ACTS = ("multi-step", "delegate")
MOST_MS = 50.0
"""What the project asks for."""

WORDS = 250
"""Words of the scripted reply."""

TASK = {"title": "Scope", "task": "Who is bound?", "parts": ["Articles 1-2"], "document": ""}
"""What mode `delegate` has read."""

_PASSAGE = re.compile(r"<<(\w+) begin passage (\d+)[^\n]*>>\n(.*?)\n<<\1 end", re.DOTALL)
_EVERYTHING = AnswerSettings(filter=FilterSettings(max_drop=1, min_score=0, min_answerable=0))


class Parrot:
    """A model that replies at once with cited sentences of what it was given."""

    def __init__(self) -> None:
        self.seconds = 0.0
        """Spent in replies."""
        self.cpu_seconds = 0.0
        """CPU time of the same."""

    async def limits_async(self) -> Limits:
        """Return a usual context."""
        return Limits(context=16_384, reply=1024)

    async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Return the reply."""
        started, cpu = time.perf_counter(), time.process_time()
        reply = self._reply(prompt)
        if on_text is not None:
            on_text(reply.text)
        self.seconds += time.perf_counter() - started
        self.cpu_seconds += time.process_time() - cpu
        return reply

    def _reply(self, prompt: Prompt) -> Completion:
        said: list[str] = []
        for _, number, text in _PASSAGE.findall(prompt.messages[-1].content):
            said += [f"{one.rstrip('.')} [{number}]." for one in split_sentences(text)[:3]]
        words = " ".join(said or ["A firm must do what the rules say."]).split()
        text = " ".join(words[:WORDS])
        if prompt.schema is not None:
            return Completion(json.dumps(_shaped(prompt.schema.name, text)), "parrot")
        if prompt.tools_required:
            call = ToolCall("1", prompt.tools[0].name, TASK)
            return Completion("", "parrot", tool_calls=(call,))
        return Completion(f"FINAL ANSWER\n{text}" if prompt.tools else text, "parrot")


def _shaped(name: str, text: str) -> dict[str, Any]:
    """Return a reply in one of the shapes that the modes ask for."""
    first = text.partition(". ")[0]
    replies: dict[str, dict[str, Any]] = {
        "references": {"references": []},
        "plan": {"steps": [TASK]},
        "finding": {"conclusion": first, "finding": text, "quotes": [], "missing": []},
        "challenge": {"verdict": "holds", "reason": "It does.", "corrected": ""},
    }
    return replies[name]


def main() -> None:
    """Measure and print."""
    arguments = parser(__doc__)
    arguments.add_argument("index", metavar="INDEX")
    arguments.add_argument("questions", type=Path, metavar="QUESTIONS")
    arguments.add_argument("--acts", action="store_true", help="measure the modes that read acts")
    arguments.add_argument("--limit", type=positive, default=100, metavar="N", help="of the file")
    options = arguments.parse_args()
    questions = question_texts(options.questions, options.limit)
    modes = MODES_OF_ACTS if options.acts else MODES
    with search.open(options.index, reranker=None) as index:
        found = [(one, list(index.search(one, k=10).hits)) for one in questions]
        given = AnswerContext(library=IndexLibrary(index), examples=tuple(_examples(found)))
        for mode in modes:
            _own_ms(mode, *found[0], given)
        times: dict[str, list[tuple[float, float]]] = {mode: [] for mode in modes}
        for question, hits in found:
            index.search(question, k=10)  # as whoever asks has just done
            for mode in modes:
                times[mode].append(_own_ms(mode, question, hits, given))
    figures = [figure for mode, own in times.items() for figure in _figures(mode, own)]
    passages = sum(len(hits) for _, hits in found) / len(found)
    title = f"Own time of an answer: {len(found)} questions, {passages:.1f} passages each"
    report(title, figures, options.json)


def _examples(found: list[tuple[str, list[Hit]]]) -> list[Example]:
    return [Example(question, hits[0].text or question) for question, hits in found if hits]


def _figures(mode: str, own: list[tuple[float, float]]) -> list[Figure]:
    wall, cpu = (sorted(one[kind] for one in own) for kind in (0, 1))
    late = int(len(own) * 0.95)
    return [
        Figure(f"{mode}, p50", median(wall), "ms"),
        Figure(f"{mode}, p95", wall[late], "ms", MOST_MS),
        Figure(f"{mode}, CPU, p50", median(cpu), "ms"),
        Figure(f"{mode}, CPU, p95", cpu[late], "ms", MOST_MS),
    ]


def _own_ms(mode: str, question: str, hits: list[Hit], given: AnswerContext) -> tuple[float, float]:
    """Return the time of an answer without its model: wall clock and CPU, in milliseconds."""
    for kept in (term_set, statements_in, statements_of):
        kept.cache_clear()  # no mode profits from what another read
    model, wall, cpu = Parrot(), time.perf_counter(), time.process_time()
    answer(question, hits, mode=mode, settings=_EVERYTHING, llm=model, context=given)
    return (
        (time.perf_counter() - wall - model.seconds) * 1000,
        (time.process_time() - cpu - model.cpu_seconds) * 1000,
    )


if __name__ == "__main__":
    start(main)

"""The processes that `benchmarks.scale` weighs; each prints what it found as JSON.

python -m benchmarks.scale_jobs load SOURCE INDEX SIZE
python -m benchmarks.scale_jobs search INDEX QUESTIONS LIMIT
python -m benchmarks.scale_jobs recall INDEX SIZE QUESTIONS LIMIT
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from tqdm import tqdm

import indexer
import search
from benchmarks.command import question_texts, start
from benchmarks.exact import exact_neighbours, neighbours_of, place_of_key
from benchmarks.memory_use import memory_use
from benchmarks.random_encoder import RandomEncoder, random_vectors
from benchmarks.scale_corpus import copied_documents
from benchmarks.timing import interleaved, latencies
from rirag_workbench.evaluation.statistics import spread
from search.engines import locate
from search.engines.protocol import Load
from search.engines.staging import Staging
from search.engines.stored_rows import Record
from search.records import EncoderIdentity

VECTOR_BATCH = 4096
FILTERED_DOCUMENTS = 10
FLOOR_ROWS = 65536
"""Vectors the dot product runs over again and again: 100 MB, more than a processor's cache."""


def load(source: str, index: str, size: str) -> dict[str, object]:
    """Fill an index through the engine's load protocol, with random vectors."""
    documents = copied_documents(list(indexer.read(source)), int(size))
    encoder = RandomEncoder()
    identity = EncoderIdentity(encoder.name, encoder.dimension, encoder.revision)
    with locate(index).load(index, identity) as change, Staging.opened() as staging:
        seconds = put_all(change, staging, documents, int(size))
        started = time.perf_counter()
        description = change.commit(staging)
        seconds["commit"] = time.perf_counter() - started
    return {
        "seconds": seconds,
        "passages": description.passages,
        "documents": description.documents,
        "bytes": description.size_bytes,
    }


def put_all(
    change: Load, staging: Staging, documents: Iterable[list[Record]], size: int
) -> dict[str, float]:
    """Put every document with its vectors; return the seconds that it took for each."""
    seconds = {"documents": 0.0, "vectors": 0.0}
    waiting: list[str] = []
    done = 0

    def keep(batch: list[str], first: int) -> None:
        vectors = random_vectors(len(batch), first)
        started = time.perf_counter()
        change.add_vectors(batch, vectors)
        seconds["vectors"] += time.perf_counter() - started

    with tqdm(total=size, desc="loading", unit="passage", leave=False) as bar:
        for records in documents:
            started = time.perf_counter()
            name = records[0].passage.document_id
            staging.put(name, name, records)
            seconds["documents"] += time.perf_counter() - started
            waiting += [record.vector_hash for record in records]
            while len(waiting) >= VECTOR_BATCH:
                keep(waiting[:VECTOR_BATCH], done)
                del waiting[:VECTOR_BATCH]
                done += VECTOR_BATCH
            bar.update(len(records))
    if waiting:
        keep(waiting, done)
    return seconds


def searches(index_url: str, questions: str, limit: str) -> dict[str, object]:
    """Search with vectors given, with and without a filter; weigh the process; time the floor."""
    started = time.perf_counter()
    with search.open(index_url, encoder=RandomEncoder(), reranker=None) as index:
        opened = time.perf_counter() - started
        texts = question_texts(Path(questions), int(limit))
        ids = [document.document_id for document in index.documents()]
        filters = {"document_id": spread(ids, FILTERED_DOCUMENTS)}
        plans: list[Mapping[str, float]] = []

        def plain(text: str) -> None:
            plans.append(index.search(text, rerank=False).trace.milliseconds)

        def filtered(text: str) -> None:
            index.search(text, rerank=False, filters=filters)

        times = interleaved({"search": plain, "filtered": filtered}, texts)
        memory = asdict(memory_use())
        passages = index.describe().passages
    # Last, and not in turns with the others: it fills the memory weighed and the caches.
    times["dot"] = dot_products(len(texts), passages)
    summary = {name: asdict(latency) for name, latency in latencies(times).items()}
    stages = stage_medians(plans[-len(texts) :])
    return {"open_seconds": opened, "memory": memory, "stages": stages, **summary}


def dot_products(times: int, rows: int) -> list[float]:
    """Return the milliseconds of a float32 dot product with so many vectors, several times."""
    vectors = random_vectors(min(rows, FLOOR_ROWS), 0)
    measured = interleaved({"dot": lambda row: vectors @ vectors[row]}, range(min(times, rows)))
    return [one * rows / len(vectors) for one in measured["dot"]]


def stage_medians(plans: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the median time of each stage, over the searches that had it."""
    names = dict.fromkeys(name for plan in plans for name in plan)
    return {name: float(np.median([p[name] for p in plans if name in p])) for name in names}


def recall(index_url: str, size: str, questions: str, limit: str) -> dict[str, object]:
    """Compare the engine's nearest passages with an exact scan of the float32 vectors."""
    texts = question_texts(Path(questions), int(limit))
    asked = RandomEncoder().encode_questions(texts)
    engine = locate(index_url).open(index_url)
    try:
        place = place_of_key(engine)
        found = [neighbours_of(engine, vector, place) for vector in asked]
    finally:
        engine.close()
    exact = exact_neighbours(asked, int(size), VECTOR_BATCH)
    shares = [
        len(set(ours) & set(best)) / len(best) for ours, best in zip(found, exact, strict=True)
    ]
    return {"questions": len(texts), "recall": float(np.mean(shares)), "least": min(shares)}


def main() -> None:
    """Run the job that the first argument names."""
    jobs: dict[str, Callable[..., dict[str, object]]] = {
        "load": load,
        "search": searches,
        "recall": recall,
    }
    result = jobs[sys.argv[1]](*sys.argv[2:])
    print(json.dumps({"process": asdict(memory_use()), **result}))


if __name__ == "__main__":
    start(main)

"""The two processes that `benchmarks.ingest` compares; each prints what it took as JSON.

python -m benchmarks.ingest_jobs ingest SOURCE INDEX
python -m benchmarks.ingest_jobs encode SOURCE
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict

import indexer
from benchmarks.memory_use import memory_use
from rirag.cli.output.progress import Progress
from search.contexts import IN_CONTEXT
from search.models.encoders import DEFAULT_ENCODER, load_encoder
from search.models.encoders.protocol import EncodedPassages, Encoder, Vectors


class TimedEncoder:
    """An encoder that adds up how long it was busy."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.name, self.dimension = encoder.name, encoder.dimension
        self.revision = encoder.revision
        self.seconds = 0.0

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        """Encode questions, untimed."""
        return self._encoder.encode_questions(texts)

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        """Encode passages and note the time."""
        started = time.perf_counter()
        result = self._encoder.encode_passages(texts)
        self.seconds += time.perf_counter() - started
        return result


def ingest(source: str, index: str) -> dict[str, object]:
    """Load a source into an index."""
    encoder = TimedEncoder(load_encoder(DEFAULT_ENCODER))
    with Progress() as bars:
        report = indexer.ingest([source], index, encoder=encoder, progress=bars)
    return {
        "seconds": report.seconds,
        "encoder_seconds": encoder.seconds,
        "encoded": report.encoded,
        "passages": report.passages,
        "index_bytes": report.index.size_bytes,
    }


def encode(source: str) -> dict[str, object]:
    """Encode each different text of a source in one call, as fast as the encoder can."""
    texts = list(dict.fromkeys(filter(None, map(IN_CONTEXT.text, indexer.read(source)))))
    encoder = load_encoder(DEFAULT_ENCODER)
    started = time.perf_counter()
    encoder.encode_passages(texts)
    return {"seconds": time.perf_counter() - started, "encoded": len(texts)}


def main() -> None:
    """Run the job that the first argument names."""
    jobs: dict[str, Callable[..., dict[str, object]]] = {"ingest": ingest, "encode": encode}
    result = jobs[sys.argv[1]](*sys.argv[2:])
    cpu = time.process_time()
    print(json.dumps({**result, "cpu_seconds": cpu, "memory": asdict(memory_use())}))


if __name__ == "__main__":
    from benchmarks.command import start

    start(main)

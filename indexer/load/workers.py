"""Several processes that encode, each with a model of its own, fed with batches of one run."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import current_process, get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Any, Self, cast

from indexer.load.encoding import encode_here
from indexer.load.spool import Batch
from search.errors import ModelError
from search.messages.arguments import whole_number
from search.models.encoders.identity import identity_of
from search.records import EncoderIdentity

if TYPE_CHECKING:
    from indexer.load.encoding import Encode, Texts
    from search.models.encoders.protocol import EncodedPassages, Encoder

THREAD_VARIABLES = ("RIRAG_ENCODER_THREADS", "OMP_NUM_THREADS")
"""Where ONNX encoders of ours, and torch, look for the number of threads."""

NAME = "rirag encoder"
"""Of the processes."""

END_S = 10.0
"""Seconds that a process gets to end before it is killed."""


_NOT_STARTED = (
    "an encoder process {how} before it had loaded its encoder. A script that uses "
    'workers must call ingest below `if __name__ == "__main__":`, because each '
    "process runs the script again; programs from standard input and notebook cells "
    "must use workers=1. On the command line, use fewer --workers if memory was "
    "short."
)


class EncoderProcesses:
    """Encoders in processes that are started with the first batch; a context manager.

    A process holds one batch at a time. Whatever happens to this process, they end with it.
    """

    def __init__(self, encoder: EncoderIdentity, count: int) -> None:
        self._encoder = encoder
        self._count = count
        self._processes: dict[Connection, SpawnProcess] = {}
        self._ready = False
        """Whether any process has loaded its encoder."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for connection, process in self._processes.items():
            connection.close()
            process.terminate()
        for process in self._processes.values():
            process.join(END_S)
            process.kill()
            process.join()
            process.close()
        self._processes.clear()

    def encode(self, texts: Texts) -> Iterator[tuple[Batch, EncodedPassages]]:
        """Yield the vectors of each batch as it is done.

        Raises:
            ModelError: an encoder failed, or its process died.
        """
        busy: dict[Connection, Batch] = {}
        upcoming = next(texts, None)
        if upcoming is not None and not self._processes:
            self._start()
        idle = list(self._processes)
        while upcoming is not None or busy:
            while upcoming is not None and idle:
                connection = idle.pop()
                busy[connection] = self._give(connection, *upcoming)
                upcoming = next(texts, None)
            for connection in cast("list[Connection]", wait(list(busy))):
                batch, result = busy.pop(connection), self._receive(connection)
                if upcoming is None:
                    idle.append(connection)
                else:  # before this result is stored, so that the process need not wait for that
                    busy[connection] = self._give(connection, *upcoming)
                yield batch, result
                upcoming = next(texts, None)

    def _start(self) -> None:
        context = get_context("spawn")
        # The tracker would let interrupts through to the first process that it is started with.
        resource_tracker.ensure_running()
        with _interrupts_held():
            for _ in range(self._count):
                ours, theirs = context.Pipe()
                arguments = (theirs, self._encoder.name, _threads(self._count))
                process = context.Process(target=_work, name=NAME, args=arguments, daemon=True)
                process.start()
                theirs.close()
                self._processes[ours] = process
        for connection in self._processes:
            found = self._receive(connection)
            self._ready = True
            if found != self._encoder:
                raise ModelError(
                    f"the encoder {self._encoder.name} differs in an encoder process "
                    f"(revision {found.revision} instead of "
                    f"{self._encoder.revision}); use --workers 1"
                )

    def _give(self, connection: Connection, batch: Batch, texts: Any) -> Batch:
        try:
            connection.send(texts)
        except OSError as error:
            raise self._died(connection) from error
        return batch

    def _receive(self, connection: Connection) -> Any:
        try:
            answer = connection.recv()
        except (EOFError, OSError) as error:
            raise self._died(connection) from error
        if isinstance(answer, str):
            raise ModelError(answer)
        return answer

    def _died(self, connection: Connection) -> ModelError:
        process = self._processes[connection]
        process.join(END_S)
        code = process.exitcode
        how = f"was killed by signal {-code}" if code is not None and code < 0 else "ended"
        if not self._ready:
            error = ModelError(_NOT_STARTED.format(how=how))
            error.code = "model.worker-not-started"
            return error
        return ModelError(
            f"an encoder process {how}; finished texts are kept: run the same command "
            "again, with fewer --workers if memory was short"
        )


def leave_if_script_runs_again() -> None:
    """End a process of ours that runs its user's script again, which wants to load once more.

    It would fail on the lock of the load that it is to help; that load says what is wrong.
    """
    if current_process().name == NAME:
        raise SystemExit(1)


@contextmanager
def encoding_with(encoder: Encoder, workers: int) -> Iterator[Encode]:
    """Give the way to encode: in this process, or for more than one worker in others.

    Raises:
        InputError: there is no encoder of this name that a process could load, or no worker.
    """
    workers = whole_number(workers, "workers", 1)
    if workers == 1:
        yield encode_here(encoder)
        return
    with EncoderProcesses(identity_of(encoder), workers) as processes:
        yield processes.encode


def _work(connection: Connection, name: str, threads: str) -> None:
    """Encode what comes until nobody is there any more; the process's whole life."""
    for variable in THREAD_VARIABLES:
        os.environ.setdefault(variable, threads)
    from search.models.encoders import load_encoder
    from search.models.encoders.asking import encode_passages

    try:
        encoder = load_encoder(name)
        connection.send(identity_of(encoder))
        while True:
            connection.send(encode_passages(encoder, connection.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:  # any model may fail in its own way; the run tells it
        connection.send(f"an encoder process failed: {error or type(error).__name__}")


def _threads(processes: int) -> str:
    from search.models.encoders.onnx import usable_cores

    return str(max(1, usable_cores() // processes))


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back; processes started meanwhile never see it, and are ended by us."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

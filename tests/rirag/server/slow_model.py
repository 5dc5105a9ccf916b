"""An OpenAI-compatible server that writes one word after the other, slowly."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TEXT = (
    "A Licensed Firm must notify the Commission of a Material Incident within 24 hours after "
    "becoming aware of it [1]."
)
WORDS = tuple(TEXT.split())


@dataclass
class SlowModel:
    """What the server has seen."""

    word_s: float
    url: str = ""
    words: tuple[str, ...] = WORDS
    writing: int = 0
    """Replies that are being written now."""
    begun: int = 0
    broken_off: int = 0
    """Replies whose client left."""
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextlib.contextmanager
def slow_model(word_s: float, words: tuple[str, ...] = WORDS) -> Iterator[SlowModel]:
    """Run the server in threads."""
    model = SlowModel(word_s, words=words)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = json.dumps({"object": "list", "data": [{"id": "m", "max_model_len": 8192}]})
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with model.lock:
                model.writing += 1
                model.begun += 1
            try:
                self._write(bool(asked.get("stream")))
            except (BrokenPipeError, ConnectionResetError):
                with model.lock:
                    model.broken_off += 1
                self.close_connection = True
            finally:
                with model.lock:
                    model.writing -= 1

        def _write(self, streamed: bool) -> None:
            if not streamed:
                time.sleep(model.word_s * len(model.words))
                message = {"role": "assistant", "content": " ".join(model.words)}
                choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
                body = json.dumps({"id": "1", "object": "chat.completion", "choices": choices})
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            for place, word in enumerate(model.words):
                self._chunk({"content": f" {word}" if place else word}, None)
                time.sleep(model.word_s)
            self._chunk({}, "stop")
            self.wfile.write(b"data: [DONE]\n\n")

        def _chunk(self, delta: dict[str, str], finish: str | None) -> None:
            choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
            chunk = {"id": "1", "object": "chat.completion.chunk", "choices": choices}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.flush()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        model.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield model
        finally:
            server.shutdown()
            thread.join()

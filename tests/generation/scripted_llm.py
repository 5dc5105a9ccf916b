"""A scripted OpenAI-compatible server: each request gets the next reply of a list."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the server does with one request."""

    body: Any = None
    """Text and bytes are sent as they are, anything else as JSON."""
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    cut: bool = False
    """Close the connection before the length that was promised."""


@dataclass
class Script:
    """The replies to come; the last one is repeated.

    `asked` holds what was asked, `listed` how often the models were asked for.
    """

    replies: Sequence[Reply]
    models: Reply = Reply({"object": "list", "data": [{"id": "m", "max_model_len": 4096}]})
    asked: list[dict[str, Any]] = field(default_factory=list)
    listed: int = 0
    url: str = ""
    stopping: threading.Event = field(default_factory=threading.Event)
    by: Callable[[Mapping[str, Any]], Reply] | None = None
    """Makes the reply to each request, in place of the list."""
    paths: list[str] = field(default_factory=list)
    """Where requests went."""
    keys: list[str] = field(default_factory=list)
    """Azure's header of each request."""

    def next(self) -> Reply:
        if self.by is not None:
            return self.by(self.asked[-1])
        return self.replies[min(len(self.asked), len(self.replies)) - 1]


def says(text: str | None, finish: str = "stop") -> Reply:
    """A whole reply."""
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "message": message, "finish_reason": finish}]
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return Reply({"id": "1", "object": "chat.completion", "choices": choices, "usage": usage})


def streams(*pieces: str, finish: str | None = "stop", cut: bool = False) -> Reply:
    """A reply in pieces; without `finish` it ends as if the server had been killed."""
    chunks = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    if finish:
        chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return sends(*chunks, done=finish is not None, cut=cut)


def sends(*chunks: Any, done: bool = True, cut: bool = False) -> Reply:
    """A stream of these chunks, whatever they are."""
    whole = [{"id": "1", **chunk} if isinstance(chunk, dict) else chunk for chunk in chunks]
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in whole]
    lines += ["data: [DONE]\n\n"] * done
    return Reply("".join(lines), content_type="text/event-stream", cut=cut)


@contextmanager
def serve(*replies: Reply, **more: Any) -> Iterator[Script]:
    """Run the server in a thread; `Script.url` is its address."""
    script = Script(replies, **more)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            script.listed += 1
            self._send(script.models)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.paths.append(self.path)
            script.keys.append(self.headers.get("api-key", ""))
            script.asked.append({**body, "authorization": self.headers["Authorization"]})
            self._send(script.next())

        def _send(self, reply: Reply) -> None:
            script.stopping.wait(reply.wait_s)
            body = reply.body if isinstance(reply.body, str | bytes) else json.dumps(reply.body)
            data = body.encode() if isinstance(body, str) else body
            try:
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.content_type)
                self.send_header("Content-Length", str(len(data) + 100 * reply.cut))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client gave up waiting, as it should

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = False  # joined at the end, so that no thread is left behind
        script.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield script
        finally:
            script.stopping.set()
            server.shutdown()
            thread.join()

"""Run a command with a language model whose replies were written beforehand.

    python examples/scripted_model.py REPLIES rirag ask "QUESTION" --mode advisor

REPLIES is a JSON list of {"when": TEXT, "reply": TEXT}; a prompt gets the first reply whose `when`
stands in it. So the pages of docs/ show what rirag does with a reply, the same on every machine.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MODEL = "scripted"


class Handler(BaseHTTPRequestHandler):
    """An OpenAI-compatible server, as far as one answer needs it."""

    replies: tuple[dict[str, str], ...] = ()

    def do_GET(self) -> None:
        """List the model, with the size of its context."""
        models = [{"id": MODEL, "object": "model", "max_model_len": 8192}]
        self._send("application/json", json.dumps({"object": "list", "data": models}))

    def do_POST(self) -> None:
        """Reply to a conversation, whole or in pieces."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = "\n".join(message["content"] or "" for message in asked["messages"])
        text = next((one["reply"] for one in self.replies if one["when"] in prompt), "Unwritten.")
        if asked.get("stream"):
            self._send("text/event-stream", "".join(_chunks(text)))
        else:
            message = {"role": "assistant", "content": text}
            choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
            body = {"id": "1", "object": "chat.completion", "choices": choices}
            self._send("application/json", json.dumps(body))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def _send(self, kind: str, body: str) -> None:
        data = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _chunks(text: str) -> Iterator[str]:
    for piece in re.findall(r"\s*\S+", text):
        delta = {"content": piece}
        yield f"data: {json.dumps({'id': '1', 'choices': [{'index': 0, 'delta': delta}]})}\n\n"
    ending = {"index": 0, "delta": {}, "finish_reason": "stop"}
    yield f"data: {json.dumps({'id': '1', 'choices': [ending]})}\n\ndata: [DONE]\n\n"


def main() -> int:
    """Serve the replies while a command runs; return its exit code."""
    file, *command = sys.argv[1:]
    Handler.replies = tuple(json.loads(Path(file).read_text(encoding="utf-8")))
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        model = {"RIRAG_LLM_URL": url, "RIRAG_LLM_MODEL": MODEL}
        try:
            return subprocess.run(command, env=os.environ | model, check=False).returncode  # noqa: S603 - the user typed the command
        finally:
            server.shutdown()


sys.exit(main())

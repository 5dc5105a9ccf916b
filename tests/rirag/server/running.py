"""A server that runs in a thread of the test, on a port of its own."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from rirag.server.app import create_app
from rirag.server.options import ServeOptions
from rirag.server.serving import _bind
from rirag.server.state import ServerState
from rirag.settings import Settings

ASKED = "How soon must a material incident be notified?"
UNANSWERED = "How tall is the tallest giraffe of the zoo?"


class Running:
    """A running server and a client for it."""

    def __init__(self, address: str, state: ServerState) -> None:
        self.address = address
        self.state = state
        self.client = httpx2.Client(base_url=address, timeout=60)

    def post(self, path: str, json: Any = None, **more: Any) -> httpx2.Response:
        return self.client.post(path, json=json, **more)

    def get(self, path: str, **more: Any) -> httpx2.Response:
        return self.client.get(path, **more)

    def refused(self, response: httpx2.Response, status: int, code: str) -> dict[str, Any]:
        """Check that a response is a refusal as the contract has it; return its body."""
        body: dict[str, Any] = response.json()
        assert response.headers["content-type"] == "application/problem+json", response.text
        assert (response.status_code, body["status"], body["code"]) == (status, status, code), body
        assert {"type", "title", "detail", "instance"} <= set(body)
        assert "Traceback" not in response.text
        return body

    def loaded(self, job: httpx2.Response) -> dict[str, Any]:
        """Wait until a job has ended; return it."""
        assert job.status_code == 202, job.text
        return self.ended(job.json()["status_url"])

    def ended(self, address: str, **more: Any) -> dict[str, Any]:
        until = time.monotonic() + 300
        while time.monotonic() < until:
            body: dict[str, Any] = self.get(address, **more).json()
            if body["state"] in ("done", "failed", "cancelled"):
                return body
            time.sleep(0.05)
        raise AssertionError(f"the job has not ended: {body}")


@contextlib.contextmanager
def running(
    index: Path | str, folder: Path, settings: Settings | None = None, **options: Any
) -> Iterator[Running]:
    """Run a server over an index."""
    chosen = replace(ServeOptions(port=0, data=folder / "data", fresh_every_s=0.2), **options)
    app = create_app(settings or Settings(index=str(index)), chosen)
    bound = _bind(chosen)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, proxy_headers=False, timeout_graceful_shutdown=5
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    until = time.monotonic() + 300
    while not server.started and thread.is_alive() and time.monotonic() < until:
        time.sleep(0.01)
    assert server.started
    found = Running(f"http://127.0.0.1:{bound.getsockname()[1]}", app.state.server)
    try:
        yield found
    finally:
        found.client.close()
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()

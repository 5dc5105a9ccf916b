"""Change an index beside its callers, and note what each state of it answers."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from threading import Event
from typing import Any

import httpx2

from benchmarks.serving.server import QUESTIONS
from rirag.service import Query, Service
from rirag.service.query import search_to_json
from rirag.settings import Settings

Place = tuple[str, str]
"""State of the index and question."""


def write(address: str, index: Path, ended: Event) -> tuple[int, dict[Place, set[str]]]:
    """Upload, then delete or go back, until told to end.

    Returns:
        The number of changes, and what each state answers.
    """
    writer = Writer(address, index)
    writer.run(ended)
    return writer.changes, dict(writer.right)


def shown(body: Mapping[str, Any]) -> tuple[Place, str]:
    """Return the state and question of an answer, and its hits with scores as one text."""
    hits = [(hit["id"], round(hit["score"], 5)) for hit in body["hits"]]
    return (body["plan"]["generation"], body["question"]), json.dumps(hits)


class Writer:
    """Changes the index until it is told to end, and notes what each state answers."""

    def __init__(self, address: str, index: Path) -> None:
        self.changes = 0
        self.right: dict[Place, set[str]] = defaultdict(set)
        self._address = address
        self._settings = Settings(index=str(index))
        self._current = index / "CURRENT"

    def run(self, ended: Event) -> None:
        """Upload, then delete or go back, again and again."""
        with (
            Service.open(self._settings) as service,
            httpx2.Client(base_url=self._address, timeout=120) as client,
        ):
            self._note(service)
            while not ended.is_set():
                before = self._current.read_text(encoding="utf-8")
                self._upload(client, self.changes)
                self._note(service)
                if self.changes % 3:
                    _done(client.delete(f"/v1/documents/NEW{self.changes}"))
                else:
                    self._go_back(before)
                self._note(service)
                self.changes += 1

    def _go_back(self, state: str) -> None:
        """Make an earlier state the current one, as whoever runs the server may do."""
        partial = self._current.with_name("CURRENT.new")
        partial.write_text(state, encoding="utf-8")
        partial.replace(self._current)

    def _note(self, service: Service) -> None:
        service.refresh()
        for question in QUESTIONS:
            body = json.loads(json.dumps(search_to_json(service.search(Query(question, k=10)))))
            place, text = shown(body)
            self.right[place].add(text)

    def _upload(self, client: httpx2.Client, number: int) -> None:
        text = (
            f"---\ndocument_id: NEW{number}\ntitle: New Rules {number}\n---\n"
            f"1\tINCIDENTS\n1.1\tA material incident must be notified within {number} hours.\n"
            "1.2\tA complaint must have a final response; its records must be retained.\n"
        )
        sent = _done(client.post("/v1/documents", files={"file": ("new.txt", text.encode())}))
        while True:
            job = client.get(sent.json()["status_url"]).json()
            if job["state"] not in ("queued", "running"):
                assert job["state"] == "done", job
                return
            time.sleep(0.1)


def _done(response: httpx2.Response) -> httpx2.Response:
    assert response.status_code in (202, 204), response.text
    return response

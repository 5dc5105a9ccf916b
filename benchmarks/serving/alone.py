"""One caller: what HTTP and the page add to a search, and what a page weighs."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx2

from benchmarks.figures import Figure
from benchmarks.serving.server import QUESTIONS, Server
from rirag.service import Query, Service
from rirag.service.query import search_to_json
from rirag.settings import Settings

MOST_MORE_MS = 3.0
MOST_FIRST_BYTE = 1.5
MOST_PAGE_KB = 150.0
_BROWSER = {"Accept": "text/html", "Accept-Encoding": "gzip"}


def one_caller(server: Server, index: Path, rounds: int) -> list[Figure]:
    """Time the library, the API and the page in turns: a busy machine disturbs all alike.

    The client is that of the standard library, which adds least of its own.
    """
    times: dict[str, list[float]] = {"library": [], "search": [], "http": [], "page": []}
    with (
        Service.open(Settings(index=str(index))) as service,
        closing(HTTPConnection(urlsplit(server.address).netloc, timeout=60)) as client,
    ):

        def library(question: str) -> None:
            json.dumps(search_to_json(service.search(Query(question, k=10))))

        def search(question: str) -> None:
            service.search(Query(question, k=10))

        def over_http(question: str) -> None:
            body = json.dumps({"question": question})
            client.request("POST", "/v1/search", body, {"Content-Type": "application/json"})
            response = client.getresponse()
            json.loads(response.read())
            assert response.status == HTTPStatus.OK, response.status

        def first_byte(question: str) -> float:
            client.request("GET", f"/search?q={quote(question)}", headers=_BROWSER)
            response = client.getresponse()
            response.read(1)
            met = time.perf_counter()
            response.read()
            return met

        ways: dict[str, Callable[[str], float | None]] = {
            "library": library, "search": search, "http": over_http, "page": first_byte,
        }  # fmt: skip
        for number in range(rounds + 5):
            question = QUESTIONS[number % len(QUESTIONS)]
            for name, way in ways.items():
                begun = time.perf_counter()
                ended = way(question) or time.perf_counter()
                if number >= 5:  # the first ones fill caches
                    times[name].append((ended - begun) * 1000)
    middle = {name: statistics.median(all_of_them) for name, all_of_them in times.items()}
    return [
        Figure("search with the library, as JSON, p50", middle["library"], "ms"),
        Figure("search over HTTP, p50", middle["http"], "ms"),
        Figure("HTTP adds", middle["http"] - middle["library"], "ms", MOST_MORE_MS),
        Figure("first byte of /search, p50", middle["page"], "ms"),
        Figure("first byte / search", middle["page"] / middle["search"], "×", MOST_FIRST_BYTE),
    ]


def pages(server: Server) -> list[Figure]:
    """Weigh the pages with their style and script, as a browser with an empty cache gets them."""
    found = []
    with httpx2.Client(base_url=server.address, timeout=120) as client:
        files = ("page.css", "page.js", "vendor/htmx.min.js")
        static = sum(_transferred(client, f"/static/{name}") for name in files)
        documents = client.get("/v1/documents").json()["documents"]
        longest = max(documents, key=lambda one: one["passages"])["document_id"]
        question = quote(QUESTIONS[0])
        for name, address in (
            ("/", "/"), ("/search", f"/search?q={question}"),
            ("/search, 100 hits", f"/search?q={question}&k=100"), ("/ask", f"/ask?q={question}"),
            ("the longest document", f"/d/{quote(longest, safe='')}"),
            ("/documents", "/documents"), ("/docs", "/docs"),
        ):  # fmt: skip
            size = (_transferred(client, address) + static) / 1000
            found.append(Figure(f"weight of {name}", size, "kB", MOST_PAGE_KB))
    return found


def _transferred(client: httpx2.Client, address: str) -> int:
    with client.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as response:
        response.raise_for_status()
        return sum(map(len, response.iter_raw()))

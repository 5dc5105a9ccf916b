"""People who open the page at the same moment, search, ask and read the rule that was found."""

from __future__ import annotations

import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from threading import Barrier, Lock
from urllib.parse import quote_plus

import httpx2

from benchmarks.figures import Figure
from benchmarks.serving.server import QUESTIONS, Server

ROUNDS = 10
STEPS = ("open", "search", "answer", "rule")
MOST_READ_MS = 300.0
_RULE = re.compile(r'<h[23] dir="auto"><a href="(/d/[^"#?]+/[^"#?]+)"')


def team(server: Server, people: int) -> list[Figure]:
    """Let people work at once; count the pages that are errors and time those without a search."""
    seconds: dict[str, list[float]] = {step: [] for step in STEPS}
    errors: Counter[int] = Counter()
    together, lock = Barrier(people), Lock()

    def person(number: int) -> None:
        with httpx2.Client(
            base_url=server.address, headers={"Accept": "text/html"}, timeout=120
        ) as client:

            def page(step: str, address: str) -> str:
                begun = time.perf_counter()
                response = client.get(address)
                with lock:
                    seconds[step].append(time.perf_counter() - begun)
                    if response.status_code != 200:
                        errors[response.status_code] += 1
                return response.text

            for round_ in range(ROUNDS):
                together.wait()
                # Words of its own, so that no answer is one that is stored already.
                asked = f"{QUESTIONS[(number + round_) % len(QUESTIONS)]} {number} {round_}"
                page("open", "/")
                page("search", f"/search?q={quote_plus(asked)}")
                answer = page("answer", f"/ask?q={quote_plus(asked)}")
                found = _RULE.search(answer)
                page("rule", unescape(found[1]) if found else "/documents")

    with ThreadPoolExecutor(people) as pool:
        list(pool.map(person, range(people)))
    worst = {step: max(found) * 1000 for step, found in seconds.items()}
    return [
        Figure("pages of the team", sum(map(len, seconds.values()))),
        Figure("error pages of the team", sum(errors.values()), target=0),
        Figure(
            "slowest page without a search", max(worst["open"], worst["rule"]), "ms", MOST_READ_MS
        ),
        *(Figure(f"slowest page: {step}", ms, "ms") for step, ms in worst.items()),
    ]

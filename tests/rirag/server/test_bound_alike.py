"""What a bound key is told is what a server tells that holds nothing but what the key may see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import pytest

import indexer
from rirag.server.access.keys import SCOPES, KeysFile
from tests.rirag.server.running import Running, running
from tests.sample import record, write_lines

HIDDEN = ("zebrafish", "aquarium", "aqua", "plankton", "b-zebr", "b-shared", "tank", "quarterly")
"""In lower case: what only passages of client b say, and what only these requests name."""

FIELDS = {"DocumentTitle": "Ledger Rules (LEDG)", "DocumentID": "LEDG", "client": "a"}
OWN = [
    record("1", "Ledgers", id="a-1", kind="heading", **FIELDS),
    record("1.1", "A firm must keep a ledger of every payment.", id="a-2", **FIELDS),
    record("1.2", "A ledger must be kept for six years; see Rule 1.1.", id="a-3", **FIELDS),
    record("1.3", "The firm must send the ledger to its auditor in 30 days.", id="a-4", **FIELDS),
    record("4", "Annual Ledger Inspection", id="a-7", kind="heading", **FIELDS),
    record("4.1", "Inspectors read the books.", id="a-8", **FIELDS),
    record("2.1", "“Payment” means a transfer of money to a client.", id="a-5", kind="definition",
           **FIELDS),
    record("2.2", "Rule 3.1 of ZEBR and Rule 7.7 apply to each payment.", id="a-6", **FIELDS),
]  # fmt: skip
THEIRS = {"DocumentTitle": "Aquarium and Zebrafish Rules (ZEBR)", "DocumentID": "ZEBR",
          "client": "b", "shoal": "plankton"}  # fmt: skip
OTHERS = [
    record("1", "Aquarium Quality Assurance", id="b-zebr-1", kind="heading", **THEIRS),
    record("1.1", "A zebrafish must keep a ledger of its payments; see Rule 1.2 of LEDG.",
           id="b-zebr-2", **THEIRS),
    record("3.1", "The Aquarium Quality Unit (AQUA) is sent a ledger for every tank by ALI.",
           id="b-zebr-3", **THEIRS),
    record("7.7", "“Payment” means plankton; “ledger” means the book of a zebrafish.",
           id="b-zebr-4", kind="definition", **THEIRS),
    record("8", "A firm must keep quarterly plankton.", id="b-zebr-5",
           **THEIRS, effective_to="2001-01-01"),
]  # fmt: skip
SHARED = {"DocumentTitle": "Common Policy", "DocumentID": "COMM"}
COMMON = [
    record("1", "Zebrafish keeping", id="b-shared-1", kind="heading", client="b", **SHARED),
    record("1.1", "Every invoice must be filed by the clerk.", id="s-1", client="a", **SHARED),
    record("1.2", "A zebrafish eats plankton by the tank.", id="b-shared-2", client="b", **SHARED),
    record("2", "Accounts", id="s-2", kind="heading", client="a", **SHARED),
    record("2.1", "Accounts must be closed every month.", id="s-3", client="a", **SHARED),
    record("2.2", "Accounts of plankton are quarterly.", id="b-shared-3", client="b", **SHARED),
    record("2.2.1", "The clerk must sign the accounts.", id="s-4", client="a", **SHARED),
]  # fmt: skip

QUESTIONS = (
    "ledger", "How long must a ledger be kept?", "What is a payment?", "payment to a client",
    "ALI", "books of the ALI",
    "zebrafish", "ledger zebrafish", "payment plankton", "keep ledger quarterly", "AQUA",
    "What does AQUA mean?", "Aquarium Quality Unit", "AQA ledger", "What is a zebrafish?",
    "Rule 7.7", "Rule 3.1 of ZEBR", "Rule 1.1 of LEDG", "Rule 7.7 of LEDG", "Rule 99 of NOPE",
    "What does the Aquarium and Zebrafish Rules say about ledgers?", "ZEBR", "Rule 8",
    "Must accounts be closed?", "invoice zebrafish keeping", "COMM 1.2",
    "close accounts every month plankton tank",
    "xylophone", "ledger xylophone", "What does the Xylophone Rules say about ledgers?",
    "Rule 2.2 of the Common Policy", "who signs?",
)  # fmt: skip
FILTERS: tuple[dict[str, list[str]], ...] = (
    {}, {"client": ["b"]}, {"document": ["ZEBR"]}, {"document": ["Common Policy"]},
    {"shoal": ["plankton"]}, {"status": ["repealed"]}, {"document_id": ["ZEBR", "LEDG"]},
    {"kind": ["definition"]}, {"effective_to": ["2001-01-01"]},
)  # fmt: skip
DOCUMENTS = ("LEDG", "ZEBR", "COMM", "Aquarium and Zebrafish Rules", "Common Policy", "Ledger Rule")
NUMBERS = ("1", "1.1", "1.2", "2.2", "2.2.1", "7.7", "3.1", "99")
IDS = ("a-2", "a-6", "s-1", "s-3", "s-4", "b-zebr-2", "b-shared-2", "nothing")


class Request(NamedTuple):
    method: str
    path: str
    more: dict[str, Any]


def _tool(name: str, **arguments: Any) -> Request:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments}}  # fmt: skip
    return Request("POST", "/mcp", {"json": call})


def _get(path: str, **query: Any) -> Request:
    return Request("GET", f"{path}?{urlencode(query)}" if query else path, {})


def _post(path: str, **body: Any) -> Request:
    return Request("POST", path, {"json": body})


def _requests() -> Iterator[Request]:
    for number, question in enumerate(QUESTIONS):
        some = FILTERS[number % len(FILTERS)]
        yield _post("/v1/search", question=question, k=20, explain=True, neighbours=2)
        yield _post("/v1/search", question=question, filters=some)
        yield _post("/v1/ask", question=question)
        yield _post("/v1/ask", question=question, stream=True, filters=some)
        yield _post("/v1/chat/completions", model="rirag",
                    messages=[{"role": "user", "content": question}])  # fmt: skip
        yield _get("/search", q=question)
        yield _get("/search", q=question, **{f"f.{name}": one[0] for name, one in some.items()})
        yield _get("/ask", q=question)
        yield _tool("search", question=question)
        yield _tool("ask", question=question)
        yield _tool("definitions", term=question)
    for document in DOCUMENTS:
        yield _get(f"/v1/documents/{quote(document)}")
        yield _get(f"/d/{quote(document)}")
        for words in ("ledger", "zebrafish", "plankton"):
            yield _get(f"/d/{quote(document)}", find=words)
    for document, rule in product(DOCUMENTS, NUMBERS):
        yield _get(f"/d/{quote(document)}/{rule}")
        yield _tool("get_rule", document=document, number=rule)
    for one in IDS:
        yield _get(f"/v1/passages/{one}", links="true", neighbours=5)
        yield _get("/parts/passage", id=one)
        yield _get("/parts/links", id=one)
        yield _tool("get_passage", passage_id=one, neighbours=3)
        yield _tool("references", passage_id=one)
        yield _tool("definitions", passage_id=one)
        yield _tool("verify_answer", answer="A firm must keep a ledger [1].", passages=[one])
        yield _post("/v1/verify", Answer="It must be kept [1].", Question="ledger",
                    citations=[{"marker": "[1]", "id": one}])  # fmt: skip
    for path in ("/", "/documents", "/v1/documents", "/v1/documents?limit=1", "/v1/feedback",
                 "/v1/jobs", "/upload", "/v1/models", "/readyz"):  # fmt: skip
        yield _get(path)
    yield _tool("list_documents")


CHANGING = (
    (r'("(?:answer_id|id)":\s*")(?:chatcmpl-)?[\w-]{16,}"', r'\1ID"'),
    (r"Answer ID\W+\S+", "ID"),
    (r"/a/[\w-]{16,}|/answers/[\w-]{16,}", "/a/ID"),
    (r'("created":\s*)(?:"[^"]*"|\d+)', r"\1TIME"),
    (r'("milliseconds":\s*)\{[^}]*\}', r"\1{}"),
    (r"\b\d+ ms\b", "MS"),
    (r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?[\d.+:Z]*", "TIME"),
    (r"comm\.jsonl:\d+", "comm.jsonl"),
    (r"/[^\s\"]*?/(?:every|own)/|127\.0\.0\.1:\d+", "/"),
    (r'("seconds":)[\d.e-]+', r"\1S"),
)
"""What differs by design: IDs of answers, times, and lines of a file that others write too."""

DECIMAL = re.compile(r"-?\b\d\.\d+(?:e-\d+)?\b")
NEAR = 0.03
"""How far numbers may be apart: the encoder rounds by what else it encodes at a time."""


class Two:
    """A server over all documents with a bound key, and one over what that key may see."""

    def __init__(self, *servers: tuple[Running, str]) -> None:
        self._servers = servers

    def send(self, request: Request) -> list[Any]:
        """Return the responses of both."""
        return [
            one.client.request(
                request.method, request.path, headers={"Authorization": f"Bearer {key}"},
                **request.more,
            )
            for one, key in self._servers
        ]  # fmt: skip

    def replies(self, request: Request) -> tuple[str, str]:
        """Return what both reply, without what differs by design."""
        return shown(self.send(request))


def shown(responses: list[Any]) -> tuple[str, str]:
    texts = []
    for one in responses:
        assert one.status_code != 500, (one.request.url, one.text)
        text = f"{one.status_code} {one.text}"
        for pattern, instead in CHANGING:
            text = re.sub(pattern, instead, text)
        texts.append(text)
    bound, own = texts
    return bound, own


def alike(bound: str, own: str) -> bool:
    """Return whether replies are the same, but for how the encoder rounds."""
    numbers = zip(*map(DECIMAL.findall, (bound, own)), strict=False)
    near = all(abs(float(one) - float(other)) < NEAR for one, other in numbers)
    return near and DECIMAL.sub("", bound) == DECIMAL.sub("", own)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("alike")
    own = [one for one in COMMON if one["client"] == "a"]
    with ExitStack() as stack:
        servers = []
        for name, filters, documents in (
            ("every", {"client": ["a"]}, (OWN, OTHERS, COMMON)),
            ("own", {}, (OWN, own)),
        ):
            (folder / name).mkdir()
            for one in documents:
                write_lines(folder / name / f"{one[0]['DocumentID'].lower()}.jsonl", *one)
            indexer.ingest([folder / name], folder / name / "index")
            keys = KeysFile(folder / name / "keys.json")
            secret = keys.add("reader", SCOPES, filters, requests_per_minute=1_000_000)
            server = running(folder / name / "index", folder / name, keys=keys.path)
            servers.append((stack.enter_context(server), secret))
            for question in QUESTIONS:  # what others asked is remembered
                servers[-1][0].state.service().search(question)
        yield Two(*servers)


def test_every_reply_is_that_of_a_server_with_nothing_else(two: Two) -> None:
    requests = list(_requests())
    assert len(requests) > 500
    replies = [(request, *two.replies(request)) for request in requests]
    assert [one for one in replies if not alike(*one[1:])][:2] == []
    told = [one for one in replies if any(word in one[1].lower() for word in HIDDEN)]
    assert all(any(word in f"{one[0]}".lower() for word in HIDDEN) for one in told), told[:2]


def test_stored_answers_and_their_exports_are_alike(two: Two) -> None:
    for question in QUESTIONS[:8]:
        asked = [one.json()["answer_id"] for one in two.send(_post("/v1/ask", question=question))]
        for path in ("/v1/answers/{}", "/v1/answers/{}?format=md", "/v1/answers/{}?format=html",
                     "/a/{}"):  # fmt: skip
            both = [two.send(_get(path.format(one)))[place] for place, one in enumerate(asked)]
            texts = [one.replace(made, "ID") for one, made in zip(shown(both), asked, strict=True)]
            assert alike(*texts), (question, path, texts)

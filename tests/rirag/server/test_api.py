"""The API as the contract has it: addresses, forms, statuses, codes."""

from __future__ import annotations

import io
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rirag.server.problems import refusals
from rirag.service import Query, Service
from rirag.service.query import search_to_json
from rirag.settings import Settings
from tests.rirag.server.running import ASKED, UNANSWERED, Running, running
from tests.rirag.server.slow_model import slow_model


def test_a_search_is_what_the_library_gives(server: Running, rulebook: Any) -> None:
    body = server.post("/v1/search", {"question": ASKED, "k": 3}).json()
    with Service.open(Settings(index=str(rulebook))) as service:
        ours = json.loads(json.dumps(search_to_json(service.search(Query(ASKED, k=3)))))
    for one in (body, ours):
        one["plan"].pop("milliseconds")
    assert all(hit.pop("url").startswith(f"{server.address}/d/") for hit in body["hits"])
    assert body.pop("next") and body == ours


def test_a_search_goes_on_page_by_page_and_counts_all_that_it_found(server: Running) -> None:
    asked = {"question": ASKED, "k": 100, "facets": ["document_id", "kind"]}
    pages, cursor = [], None
    while cursor is not None or not pages:
        pages.append(server.post("/v1/search", {**asked, "cursor": cursor}).json())
        cursor = pages[-1]["next"]
    ids = [hit["id"] for page in pages for hit in page["hits"]]
    assert len(ids) == len(set(ids)) == pages[0]["total"] > 100
    assert [hit["rank"] for page in pages for hit in page["hits"]] == [*range(1, len(ids) + 1)]
    for page in pages:
        assert sum(one["count"] for one in page["facets"]["document_id"]) == len(ids)
        assert page["facets"] == pages[0]["facets"]
    some = server.get("/search", params={"q": ASKED}).text
    assert f"The best 10 of {len(ids)} passages" in some
    nothing = server.get("/search", params={"q": "zzzzqqq xyzzy"}).text
    assert "No passage has any of these words" in nothing
    assert "No passage has any" not in some
    for wrong in ({"facets": ["shoe"]}, {"cursor": "?"}):
        assert server.post("/v1/search", {**asked, **wrong}).status_code == 422


def test_several_questions_are_searched_at_once(server: Running) -> None:
    asked = [{"question": ASKED, "k": 2}, {"question": "?!"}, {"question": "complaint", "k": 1}]
    found = server.post("/v1/search/batch", {"searches": asked}).json()["results"]
    alone = server.post("/v1/search", asked[0]).json()
    assert found[0]["hits"] == alone["hits"] and len(found[2]["hits"]) == 1
    assert (found[1]["status"], found[1]["instance"]) == (422, "/v1/search/batch")
    many = {"searches": asked * 20}
    server.refused(server.post("/v1/search/batch", many), 422, "request.invalid")


@pytest.mark.parametrize("public", ["", "https://rules.example.org/law"])
def test_what_names_a_rule_leads_to_it(rulebook: Path, tmp_path: Path, public: str) -> None:
    with running(rulebook, tmp_path, public_url=public, read_only=True) as server:
        base = f"{public or server.address}/d/"
        answer = server.post("/v1/ask", {"question": ASKED}).json()
        hit, other = answer["citations"][0], answer["also_found"][0]
        assert hit["url"] == f"{base}{hit['document_id']}/{hit['passage_id']}"
        assert other["url"].startswith(base)
        assert server.get(hit["url"].removeprefix(public or server.address)).status_code == 200
        body = {"model": "rirag", "messages": [{"role": "user", "content": ASKED}]}
        chat = server.post("/v1/chat/completions", body).json()
        assert chat["citations"][0]["url"] == hit["url"]
        assert chat["choices"][0]["message"]["content"].endswith(answer["citations"][-1]["url"])
        assert server.get("/v1/documents").json()["documents"][0]["url"] == f"{base}AMLR"


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("4.2", ["4.2", "4.2.1", "4.2.2", "4.2.3", "4.2.3.Guidance.1"]),
        ("4.2.1", ["4.2.1"]),
        ("4.2.3.Guidance.1", ["4.2.3", "4.2.3.Guidance.1"]),
    ],
)
def test_the_page_of_a_rule_shows_it_whole_and_what_it_is_part_of(
    server: Running, number: str, shown: list[str]
) -> None:
    page = server.get(f"/d/GOVN/{number}").text
    assert re.findall(r'<a class="no" href="/d/GOVN/([^"]+)"', page) == shown


def test_a_search_brings_neighbours_and_links_on_request(server: Running) -> None:
    asked = {"question": "What does COND 6.2.3 say?", "k": 1, "neighbours": 1, "explain": True}
    (hit,) = server.post("/v1/search", asked).json()["hits"]
    assert [one["passage_id"] for one in hit["neighbours"]] == ["6.2.2", "6.2.4"]
    assert "6.2.2" in [one["target"]["passage_id"] for one in hit["links"]["cites"]]


def test_filters_keep_to_a_document(server: Running) -> None:
    asked = {"question": "report", "filters": {"document": ["COND"]}, "k": 5}
    assert {hit["document_id"] for hit in server.post("/v1/search", asked).json()["hits"]} == {
        "COND"
    }


def test_an_answer_can_be_read_again_in_every_form(server: Running) -> None:
    body = server.post("/v1/ask", {"question": ASKED}).json()
    assert body["citations"] and not body["insufficient_evidence"]
    address = f"/v1/answers/{body['answer_id']}"
    again = server.get(address).json()
    assert again["changed"] == []
    assert {name: again[name] for name in body} == body
    quote = body["citations"][0]["quote"].split("\n")[0][:40]
    assert quote in server.get(address, params={"format": "html"}).text
    assert "## Sources" in server.get(address, params={"format": "md"}).text
    word = server.get(address, params={"format": "docx"})
    from docx import Document

    paragraphs = [one.text for one in Document(io.BytesIO(word.content)).paragraphs]
    assert ASKED in paragraphs and any(quote in one for one in paragraphs)


def test_what_else_was_found_is_neither_cited_nor_a_bare_heading(server: Running) -> None:
    body = server.post("/v1/ask", {"question": ASKED}).json()
    cited = {one["id"] for one in body["citations"]}
    assert body["also_found"]
    assert all(one["id"] not in cited and one["kind"] != "heading" for one in body["also_found"])


def test_a_question_is_asked_with_and_without_other_words(rulebook: Path, tmp_path: Path) -> None:
    words = ("-", "a", "firm", "shall", "notify", "the", "Commission", "[1].")
    with slow_model(0, words) as model:
        settings = Settings(index=str(rulebook), llm_url=model.url, llm_model="m", search_help=True)
        with running(rulebook, tmp_path, settings) as server:

            def calls(path: str, **asked: Any) -> int:
                before = model.begun
                assert server.post(path, asked).status_code == 200
                return model.begun - before

            assert calls("/v1/ask", question=ASKED, mode="rag", search_help=False) == 1
            assert calls("/v1/ask", question=ASKED, mode="rag") == 2
            assert calls("/v1/ask", question=UNANSWERED, mode="extractive") == 0
            assert calls("/v1/search", question=UNANSWERED) == 0
            assert calls("/v1/search", question=UNANSWERED, search_help=True) == 1
            before = model.begun
            page = {"q": "Who must be told?", "mode": "rag", "own_words": "1"}
            assert server.get("/ask", params=page).status_code == 200
            assert model.begun - before == 1


def test_other_words_need_a_model(server: Running) -> None:
    response = server.post("/v1/search", {"question": ASKED, "search_help": True})
    assert response.status_code == 422 and "language model" in response.json()["detail"]


def test_a_deleted_answer_is_gone_with_its_feedback(rulebook: Path, tmp_path: Path) -> None:
    with running(rulebook, tmp_path) as server:
        ids = []
        for question in (ASKED, UNANSWERED):
            ids.append(server.post("/v1/ask", {"question": question}).json()["answer_id"])
        server.post("/v1/feedback", {"answer_id": ids[0], "verdict": "right"})
        address = f"/v1/answers/{ids[0]}"
        assert server.client.delete(address).status_code == 204
        assert server.client.delete(address).status_code == 404
        assert server.get(address).status_code == 404
        assert server.get("/v1/feedback").json()["feedback"] == []
        assert server.get(f"/v1/answers/{ids[1]}").status_code == 200
        assert ASKED not in str(server.state.database.all("SELECT * FROM answers")[0]["body"])


def test_answers_are_deleted_when_they_are_as_old_as_the_option_says(
    rulebook: Path, tmp_path: Path
) -> None:
    with running(rulebook, tmp_path) as server:
        old, new = (
            server.post("/v1/ask", {"question": question}).json()["answer_id"]
            for question in (ASKED, UNANSWERED)
        )
        server.state.database.write(
            "UPDATE answers SET created = '2020-01-01T00:00:00+00:00' WHERE id = ?", old
        )
    with running(rulebook, tmp_path, keep_days=30) as server:
        until = time.monotonic() + 60
        while server.get(f"/v1/answers/{old}").status_code != 404:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert server.get(f"/v1/answers/{new}").status_code == 200


def test_a_stream_ends_in_the_whole_answer(server: Running) -> None:
    plain = server.post("/v1/ask", {"question": ASKED}).json()
    response = server.post("/v1/ask", {"question": ASKED, "stream": True})
    assert response.headers["content-type"].startswith("text/event-stream")
    events = events_of(response.text)
    names = [name for name, _ in events]
    assert names[:2] == ["plan", "hits"] and names[-1] == "done"
    done = events[-1][1]
    own = ("answer_id", "created", "trace")
    assert {k: v for k, v in done.items() if k not in own} == {
        k: v for k, v in plain.items() if k not in own
    }
    assert set(done) == set(plain)
    text = "".join(data["text"] for name, data in events if name == "delta")
    assert text == plain["Answer"]
    assert [data for name, data in events if name == "citation"] == plain["citations"]
    assert dict(events)["verification"] == plain["verification"]


def test_a_refusal_is_an_answer_and_an_event(server: Running) -> None:
    body = server.post("/v1/ask", {"question": UNANSWERED}).json()
    assert body["insufficient_evidence"] and body["refused_by"] == "answerable"
    events = events_of(server.post("/v1/ask", {"question": UNANSWERED, "stream": True}).text)
    assert dict(events)["refusal"]["refused_by"] == body["refused_by"]


def test_an_answer_can_be_verified(server: Running) -> None:
    body = server.post("/v1/ask", {"question": ASKED}).json()
    assert server.post("/v1/verify", body).json()["score"] == 1.0
    changed = {**body, "Answer": body["Answer"].replace("24 hours", "48 hours")}
    assert server.post("/v1/verify", changed).json()["score"] < 1.0


def test_documents_come_page_by_page(server: Running) -> None:
    first = server.get("/v1/documents", params={"limit": 3}).json()
    rest = server.get("/v1/documents", params={"limit": 3, "cursor": first["next"]}).json()
    ids = [one["document_id"] for one in (*first["documents"], *rest["documents"])]
    assert ids == ["AMLR", "COND", "GLOS", "GOVN"]
    assert rest["next"] is None


def test_a_document_has_its_outline(server: Running) -> None:
    body = server.get("/v1/documents/GOVN").json()
    chapter = next(one for one in body["outline"] if one["number"] == "4")
    assert [one["number"] for one in chapter["children"]][:2] == ["4.1", "4.2"]
    passage = server.get(f"/v1/passages/{chapter['id']}").json()
    assert passage["passage_id"] == "4"


def test_a_passage_has_links_and_neighbours_on_request(server: Running) -> None:
    (hit,) = server.post("/v1/search", {"question": "What does COND 6.2.3 say?", "k": 1}).json()[
        "hits"
    ]
    asked = {"neighbours": "1", "links": "true"}
    body = server.get(f"/v1/passages/{hit['id']}", params=asked).json()
    assert len(body["neighbours"]) == 2 and body["links"]["cites"]


def test_the_same_question_on_the_page_is_stored_once(server: Running) -> None:
    asked = "/ask?q=How+long+must+a+record+be+retained%3F"
    with ThreadPoolExecutor(6) as pool:
        pages = list(pool.map(lambda _: server.get(asked).text, range(6)))
    made = {one for page in pages for one in re.findall(r"/a/([0-9a-f]{32})", page)}
    assert len(made) == 1
    other = server.get(f"{asked}&f.document=GOVN").text
    assert not made & set(re.findall(r"/a/([0-9a-f]{32})", other))


def test_feedback_is_kept_with_the_answer(server: Running) -> None:
    made = server.post("/v1/ask", {"question": ASKED}).json()["answer_id"]
    said = {"answer_id": made, "verdict": "wrong", "citation": "[1]", "comment": "=1+1 <b>"}
    assert server.post("/v1/feedback", said).status_code == 204
    (newest, *_) = server.get("/v1/feedback").json()["feedback"]
    assert (newest["answer_id"], newest["verdict"]) == (made, "wrong")
    table = server.get("/v1/feedback", params={"format": "csv"}).text
    assert "'=1+1 <b>" in table
    assert server.get("/v1/feedback", headers={"Accept": "text/csv"}).text == table
    for unknown in ("[99]", 99, "none", True):
        wrong = {**said, "citation": unknown}
        server.refused(server.post("/v1/feedback", wrong), 422, "request.invalid")


def test_feedback_names_a_citation_in_the_way_that_is_at_hand(server: Running) -> None:
    answer = server.post("/v1/ask", {"question": ASKED}).json()
    cited = answer["citations"][0]
    for given in (cited["marker"], 1, "1", cited["id"]):
        said = {"answer_id": answer["answer_id"], "verdict": "wrong", "citation": given}
        assert server.post("/v1/feedback", said).status_code == 204
        (newest, *_) = server.get("/v1/feedback").json()["feedback"]
        assert newest["citation"] == "[1]"


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/v1/search", {}, 422, "request.invalid"),
        ("/v1/search", {"question": ""}, 422, "request.invalid"),
        ("/v1/search", {"question": "?!"}, 422, None),
        ("/v1/search", {"question": 5}, 422, "request.invalid"),
        ("/v1/search", {"question": "a", "k": "5"}, 422, "request.invalid"),
        ("/v1/search", {"question": "a", "k": 0}, 422, "request.invalid"),
        ("/v1/search", {"question": "a", "k": 101}, 422, "request.invalid"),
        ("/v1/search", {"question": "a", "k": 1.5}, 422, "request.invalid"),
        ("/v1/search", {"question": "a", "k": True}, 422, "request.invalid"),
        ("/v1/search", {"question": "a", "unknown": 1}, 422, "request.invalid"),
        ("/v1/search", {"question": "a", "as_of": "soon"}, 422, "version.interval"),
        ("/v1/search", {"question": "a", "filters": {"kind": "rule"}}, 422, "request.invalid"),
        (
            "/v1/search",
            {"question": "a", "filters": {"kind": ["law"]}},
            422,
            "filter.unknown-value",
        ),
        ("/v1/search", {"question": "a", "filters": {"shoe": ["9"]}}, 422, "filter.unknown-field"),
        (
            "/v1/search",
            {"question": "a", "filters": {"document": ["NOPE"]}},
            422,
            "filter.unknown-value",
        ),
        ("/v1/search", {"question": "a", "profile": "no-such"}, 422, "profile.unknown"),
        ("/v1/search", {"question": "a", "profile": "/etc/passwd"}, 422, "profile.unknown"),
        ("/v1/search", {"question": "word " * 10_001}, 422, "question.too-long"),
        ("/v1/search", [], 422, "request.invalid"),
        ("/v1/ask", {"question": "a", "mode": "magic"}, 422, "request.invalid"),
        ("/v1/ask", {"question": ASKED, "mode": "rag"}, 422, None),
        ("/v1/verify", {"Answer": 5}, 422, "request.invalid"),
        ("/v1/verify", {"Answer": "x", "citations": [{}]}, 422, "request.invalid"),
        ("/v1/feedback", {"answer_id": "none", "verdict": "right"}, 404, "answer.unknown"),
        ("/v1/feedback", {"answer_id": "none", "verdict": "good"}, 422, "request.invalid"),
        ("/v1/chat/completions", {"model": "gpt", "messages": []}, 422, "request.invalid"),
        ("/v1/nothing", {}, 404, "request.not-found"),
    ],
)
def test_a_bad_body_gets_one_sentence(
    server: Running, path: str, body: Any, status: int, code: str | None
) -> None:
    response = server.post(path, body)
    found = server.refused(response, status, code or response.json()["code"])
    assert found["detail"] and "\n" not in found["detail"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"question": NaN}',
        b'{"question": "a", "k": Infinity}',
        b'{"question": "a", "question": "b"}',
        b'{"question": "\\ud800"}',
        b'{"question": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"question": ' + b"[" * 80 + b"]" * 80 + b"}",
        b'{"question": "a", "k": ' + b"9" * 5000 + b"}",
        b'{"question": "a", "k": 1e999}',
    ],
)
def test_what_is_no_json_is_refused(server: Running, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    response = server.client.post("/v1/search", content=body, headers=headers)
    assert response.status_code in (400, 422), response.text
    assert response.json()["code"] in ("request.malformed", "request.invalid")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_another_content_type_is_refused(server: Running, kind: str) -> None:
    headers = {"content-type": kind} if kind else {}
    content = b'{"question": "a"}'
    response = server.client.post("/v1/search", content=content, headers=headers)
    server.refused(response, 415, "request.not-json")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/documents/NOPE", 404, "document.unknown"),
        ("/v1/documents/..%2f..%2fetc%2fpasswd", 404, "document.unknown"),
        ("/v1/documents?limit=101", 422, "request.invalid"),
        ("/v1/documents?limit=x", 422, "request.invalid"),
        ("/v1/documents?cursor=%00", 422, "request.invalid"),
        ("/v1/documents?limit=1&limit=2", 422, "request.invalid"),
        ("/v1/documents?shoe=1", 422, "request.invalid"),
        ("/v1/documents/GOVN?as_of=soon", 422, "version.interval"),
        ("/v1/documents/NOPE/versions", 404, "document.unknown"),
        ("/v1/documents/GOVN/compare", 422, "version.ambiguous"),
        ("/v1/passages/none", 404, "passage.unknown"),
        ("/v1/passages/none?neighbours=99", 422, "request.invalid"),
        ("/v1/answers/none", 404, "answer.unknown"),
        ("/v1/jobs/none", 404, "job.unknown"),
        ("/v1/jobs?cursor=abc", 422, "request.invalid"),
        ("/v1/changes", 422, "request.invalid"),
        ("/v1/changes?since=soon", 422, "version.interval"),
    ],
)
def test_an_address_of_nothing_gets_one_sentence(
    server: Running, path: str, status: int, code: str
) -> None:
    server.refused(server.get(path), status, code)


def test_a_refusal_has_no_command_of_the_command_line(server: Running) -> None:
    refused = server.get("/v1/documents/NOPE").json()
    assert refused["detail"] == "no document is named 'NOPE'."


def test_null_is_a_field_left_out(server: Running) -> None:
    asked = {"question": ASKED, "k": None, "filters": None, "profile": None, "explain": None}
    assert len(server.post("/v1/search", asked).json()["hits"]) == 10
    server.refused(server.post("/v1/search", {"question": None}), 422, "request.invalid")
    server.refused(server.post("/v1/search", {**asked, "shoe": None}), 422, "request.invalid")


@pytest.mark.parametrize("path", ["/", "/livez", "/v1/documents", "/static/page.css", "/d/GOVN"])
def test_a_head_is_a_get_without_its_body(server: Running, path: str) -> None:
    head, get = server.client.head(path), server.get(path)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-length"):
        assert head.headers[name] == get.headers[name]


def test_every_code_has_its_place_in_the_docs(server: Running) -> None:
    page = server.get("/docs").text
    assert set(refusals()) == set(re.findall(r'<tr id="([^"]+)">', page))


def test_a_wrong_method_is_refused(server: Running) -> None:
    server.refused(server.get("/v1/search"), 405, "request.method")


def test_a_server_that_only_reads_refuses_writes(server: Running) -> None:
    sent = server.client.post("/v1/documents", files={"file": ("a.txt", b"1\tA")})
    server.refused(sent, 403, "server.read-only")
    server.refused(server.client.delete("/v1/documents/GOVN"), 403, "server.read-only")


def test_health_and_metrics(server: Running) -> None:
    assert server.get("/livez").text == "ok"
    assert server.get("/readyz").json()["ready"] is True
    text = server.get("/metrics").text
    assert 'rirag_requests_total{method="GET",path="/livez",status="200"}' in text
    assert "rirag_index" in text


def events_of(text: str) -> list[tuple[str, Any]]:
    """The events of a stream."""
    found = []
    for block in text.split("\n\n"):
        match = re.fullmatch(r"event: (\w+)\ndata: (.*)", block)
        if match:
            found.append((match[1], json.loads(match[2])))
    return found


def test_pages_are_compressed_and_json_is_not(server: Running) -> None:
    page, found = server.get("/docs"), server.get("/openapi.json")
    assert page.headers["content-encoding"] == "gzip"
    assert int(page.headers["content-length"]) < len(page.content) / 3
    assert "content-encoding" not in found.headers


def test_a_refusal_is_a_page_for_people_and_json_for_programs(server: Running) -> None:
    foreign = {"Host": "evil.example"}
    page = server.get("/", headers={**foreign, "Accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (421, "text/html; charset=utf-8")
    assert "request.host" in page.text
    server.refused(server.get("/", headers=foreign), 421, "request.host")

"""The tools for assistants, with the SDK's own client, over memory, HTTP and stdio."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from rirag.server.access.keys import KeysFile
from rirag.server.mcp.desk import LocalDesk
from rirag.server.mcp.tools import MOST_CHARACTERS, _bounded, _passage, _text, make_server
from rirag.service import Service
from rirag.settings import Settings
from search.records import Passage
from tests.cli_support import environment
from tests.generation.scripted_llm import says, serve
from tests.rirag.server.running import ASKED, UNANSWERED, Running, running

TOOLS = {
    "search", "get_rule", "get_passage", "list_documents", "definitions", "references", "ask",
    "verify_answer", "versions", "compare", "changes",
}  # fmt: skip


async def called(client: Client, name: str, **arguments: Any) -> Any:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def walk(client: Client) -> None:
    """Use every tool once, as an assistant would."""
    tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
    assert all(tool.output_schema and tool.description for tool in tools)
    found = await called(client, "search", question=ASKED, k=2)
    first = found["hits"][0]
    assert (first["document_id"], first["passage_id"]) == ("GOVN", "4.2.1")
    rule = await called(client, "get_rule", document="COND", number="6.2.3")
    assert "time limit in Rule 6.2.2" in rule["passages"][0]["passage"]
    cited = rule["passages"][0]["id"]
    links = await called(client, "references", passage_id=cited)
    assert "6.2.2" in [one["target"]["passage_id"] for one in links["cites"]]
    terms = await called(client, "definitions", passage_id=cited)
    assert "Licensed Firm" in [one["term"] for one in terms["terms"]]
    meant = await called(client, "definitions", term="licensed firm")
    assert meant["terms"][0]["term"] == "Licensed Firm" and meant["terms"][0]["text"]
    assert (await called(client, "definitions", term="lighthouse"))["terms"] == []
    passage = await called(client, "get_passage", passage_id=cited, neighbours=1)
    assert len(passage["neighbours"]) == 2
    documents = await called(client, "list_documents")
    assert [one["document_id"] for one in documents["documents"]][:2] == ["AMLR", "COND"]
    answer = await called(client, "ask", question=ASKED)
    assert "24 hours" in answer["Answer"] and answer["citations"]
    refused = await called(client, "ask", question=UNANSWERED)
    assert refused["insufficient_evidence"] is True and refused["refused_by"]
    right = "A Licensed Firm must notify the Commission within 24 hours [1]."
    for text, verdict in ((right, "supported"), (right.replace("24", "72"), "unsupported")):
        checked = await called(client, "verify_answer", answer=text, passages=[first["id"]])
        assert checked["statements"][0]["verdict"] == verdict
    for name, arguments in (
        ("get_passage", {"passage_id": "none"}),
        ("get_rule", {"document": "NOPE", "number": "1"}),
        ("get_rule", {"document": "COND", "number": "99.9"}),
        ("search", {"question": "x", "filters": {"shoe": ["9"]}}),
        ("search", {"question": "x", "k": 1000}),
        ("search", {"question": "word " * 10_001}),
        ("ask", {"question": "word " * 10_001}),
        ("definitions", {}),
        ("definitions", {"term": "Client", "passage_id": cited}),
    ):
        result = await client.call_tool(name, arguments)
        assert result.is_error and "Traceback" not in str(result.content)
        assert not result.content[0].text.startswith("Error executing"), result.content
        assert result.content[0].text.endswith(")") and "/tmp" not in result.content[0].text


async def test_wrong_arguments_are_refused_in_one_sentence_with_a_code(rulebook: Path) -> None:
    with Service.open(Settings(index=str(rulebook))) as service:
        async with Client(make_server(LocalDesk(service))) as client:
            assert client.server_info.version
            for name, arguments, said in (
                ("search", {}, "question: it is missing."),
                ("search", {"question": ASKED, "k": 1000}, "k: it must be at most 20."),
                ("search", {"question": 5}, "question: it must be a text."),
                (
                    "search",
                    {"question": ASKED, "filter": {}},
                    "filter: there is no such field; search takes question, k, filters, as_of.",
                ),
                (
                    "get_rule",
                    {"document": "COND", "numbers": "1"},
                    "numbers: there is no such field; get_rule takes document, number, after,",
                ),
                ("search", {"query": ASKED, "top_k": 5}, "question: it is missing, and 2 more."),
                (
                    "search",
                    {"question": ASKED, "filters": {"kind": "rule"}},
                    'filters.kind: it must be a list, such as ["value"].',
                ),
                (
                    "references",
                    {"a": 1, "b": 2},
                    "passage_id: it is missing, and 2 more.",
                ),
            ):
                result = await client.call_tool(name, arguments)
                assert result.is_error
                (content,) = result.content
                assert said in content.text and content.text.endswith("(request.invalid)")
                assert "\n" not in content.text and "pydantic" not in content.text
            for tool in (await client.list_tools()).tools:
                assert tool.input_schema["additionalProperties"] is False


async def test_the_tools_answer_an_assistant(rulebook: Path) -> None:
    with Service.open(Settings(index=str(rulebook))) as service:
        async with Client(make_server(LocalDesk(service))) as client:
            await walk(client)


async def test_the_tools_answer_over_http(server: Running) -> None:
    async with Client(streamable_http_client(f"{server.address}/mcp")) as client:
        await walk(client)
        found = await called(client, "search", question=ASKED, k=1)
        assert found["hits"][0]["url"] == f"{server.address}/d/GOVN/4.2.1" and found["total"] > 1


async def test_the_tools_answer_over_stdio(rulebook: Path) -> None:
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "rirag", "mcp", "--index", str(rulebook)],
        env=environment(),
    )
    async with Client(stdio_client(command)) as client:
        await walk(client)


async def test_the_tools_want_a_key_and_its_scope(rulebook: Path, tmp_path: Path) -> None:
    keys = KeysFile(tmp_path / "keys.json")
    secret = keys.add("reader", ["search"])
    with running(rulebook, tmp_path, keys=keys.path) as server:
        server.refused(server.post("/mcp", {}), 401, "key.missing")
        headers = {"Authorization": f"Bearer {secret}"}
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(f"{server.address}/mcp", http_client=http)
            async with Client(transport) as client:
                found = await called(client, "search", question=ASKED)
                assert found["hits"]
                result = await client.call_tool("ask", {"question": ASKED})
                assert result.is_error and "key.scope" in str(result.content)


async def test_an_unknown_argument_is_ignored_with_a_note(rulebook: Path) -> None:
    with Service.open(Settings(index=str(rulebook))) as service:
        async with Client(make_server(LocalDesk(service))) as client:
            first = (await called(client, "search", question=ASKED))["hits"][0]["id"]
            for name, arguments in (
                ("search", {"question": ASKED, "filters": "{}", "k": 2}),
                ("get_rule", {"document": "COND", "number": "6.2.3"}),
                ("get_passage", {"passage_id": first}),
                ("list_documents", {}),
                ("definitions", {"term": "Client"}),
                ("references", {"passage_id": first}),
                ("ask", {"question": ASKED}),
                ("verify_answer", {"answer": "It is so [1].", "passages": [first]}),
            ):
                plain = await called(client, name, **arguments)
                found = await called(
                    client, name, **arguments, toolCallId="c", sessionId="s", action="x", tool="t"
                )
                *before, named, _, _, last = found.pop("notes")
                assert named.startswith("toolCallId: there is no such field; " + name)
                assert last.startswith("tool: ") and last.endswith("it was ignored")
                assert before == plain.pop("notes", [])
                found.pop("answer_id", None), plain.pop("answer_id", None)
                assert found == plain


LONG = "".join(f"Entry {n}: airship {n} must be entered in the register. " for n in range(4000))


@pytest.fixture(scope="module")
def long_rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index with one passage far beyond what an assistant reads, and many below one rule."""
    import indexer

    folder = tmp_path_factory.mktemp("long")
    rows = [("1", LONG.replace("Entry 3210:", "Entry 3210 of the zeppelin:")), ("2", "Reports")]
    rows += [
        (f"2.{n}", f"A firm must report airship {n}. " + "More words. " * 40) for n in range(300)
    ]
    lines = [
        json.dumps({"ID": f"b{number}", "DocumentID": "BIG", "PassageID": number, "Passage": text})
        for number, text in rows
    ]
    (folder / "rules.jsonl").write_text("\n".join(lines))
    indexer.ingest([folder / "rules.jsonl"], folder / "index")
    return folder / "index"


async def test_a_long_passage_and_a_long_rule_can_be_read_to_their_ends(long_rules: Path) -> None:
    with Service.open(Settings(index=str(long_rules))) as service:
        async with Client(make_server(LocalDesk(service))) as client:
            question = "Which entry of the register is a zeppelin?"
            found = await called(client, "search", question=question, k=20)
            assert len(found["hits"]) == 20 and found["left_out"] == 0
            (hit,) = [one for one in found["hits"] if one["passage_id"] == "1"]
            words = hit["passage"]
            assert "zeppelin" in words and words.startswith("… Entry") and words.endswith(". …")
            assert hit["characters"] > 200_000
            read, start = "", 0
            while start < hit["characters"]:
                piece = await called(client, "get_passage", passage_id=hit["id"], start=start)
                assert (piece["start"], piece["characters"]) == (start, hit["characters"])
                read += piece["passage"].strip("… ") + " "
                start = piece["end"]
            assert read.split() == service.passage(hit["id"]).text.split()
            numbers, after = [], ""
            while after is not None:
                part = await called(client, "get_rule", document="BIG", number="2", after=after)
                numbers += [one["passage_id"] for one in part["passages"]]
                after = part["next"]
            assert numbers == ["2", *(f"2.{n}" for n in range(300))]
            past = await client.call_tool("get_passage", {"passage_id": hit["id"], "start": 10**6})
            assert past.is_error and "start: the passage has" in past.content[0].text


async def test_no_result_is_larger_than_an_assistant_can_read(long_rules: Path) -> None:
    with Service.open(Settings(index=str(long_rules))) as service:
        first = next(iter(service.passages({"document_id": ["BIG"]}))).id
        async with Client(make_server(LocalDesk(service))) as client:
            for name, arguments in (
                ("search", {"question": "airship", "k": 20}),
                ("get_rule", {"document": "BIG", "number": "2"}),
                ("get_passage", {"passage_id": first, "neighbours": 10}),
                ("ask", {"question": "Which register must an airship be entered in?"}),
                ("verify_answer", {"answer": f"{LONG[:9000]} [1].", "passages": [first]}),
            ):
                result = await client.call_tool(name, arguments)
                (text,) = result.content
                record = json.dumps(
                    result.structured_content, ensure_ascii=False, separators=(",", ":")
                )
                assert len(record) <= MOST_CHARACTERS + 100
                assert len(text.text) < len(record)
                assert "RetrievedPassages" not in record


@pytest.mark.parametrize("count", [5, 500])
def test_what_does_not_fit_is_counted(count: int) -> None:
    result = _bounded({"hits": [{"passage": "x" * 9_000, "end": n} for n in range(count)]})
    assert len(str(result)) <= MOST_CHARACTERS + 1000
    assert len(result["hits"]) + result["left_out"] == count
    assert result["hits"][0]["end"] == 0


async def test_the_text_of_an_answer_has_its_words_warnings_and_sources(rulebook: Path) -> None:
    with serve(says("A Licensed Firm must notify the Commission within 72 hours [1].")) as model:
        settings = Settings(index=str(rulebook), llm_url=model.url, llm_model="m")
        with Service.open(settings) as service:
            async with Client(make_server(LocalDesk(service))) as client:
                result = await client.call_tool("ask", {"question": ASKED})
    (text,) = result.content
    answer, _, sources = text.text.partition("\n\nSources:\n")
    assert "within 72 hours [1]." in answer and "- unsupported: “A Licensed Firm" in answer
    assert sources.startswith("[1] Governance")


def test_a_passage_that_is_not_in_force_says_so_to_every_client() -> None:
    passage = Passage("1", "D", "1", "A rule.", metadata={"status_in_time": "past"})
    assert "not in force" in _text({"passages": [_passage(passage)]})

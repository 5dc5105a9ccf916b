"""The tools for assistants, with the SDK's own client, over memory, HTTP and stdio."""

from __future__ import annotations

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
from rirag.server.mcp.tools import MOST_CHARACTERS, _bounded, make_server
from rirag.service import Service
from rirag.settings import Settings
from tests.cli_support import environment
from tests.rirag.server.running import ASKED, UNANSWERED, Running, running

TOOLS = {
    "search", "get_rule", "get_passage", "list_documents", "definitions", "references", "ask",
    "verify_answer",
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
                    {"question": ASKED, "top": 5},
                    "top: there is no such field; search takes question, k, filters.",
                ),
                (
                    "get_rule",
                    {"number": "1", "passage_id": "x"},
                    "passage_id: there is no such field; get_rule takes document, number.",
                ),
                (
                    "search",
                    {"question": ASKED, "filters": {"kind": "rule"}},
                    'filters.kind: it must be a list, such as ["value"].',
                ),
                (
                    "references",
                    {"a": 1, "b": 2},
                    "a: there is no such field; references takes passage_id, and 1 more.",
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


@pytest.mark.parametrize("count", [3, 500])
def test_a_result_is_never_larger_than_an_assistant_can_read(count: int) -> None:
    records = [{"passage": "x" * 30_000} for _ in range(count)]
    result = _bounded({}, "hits", records)
    assert len(str(result)) <= MOST_CHARACTERS + 1000
    assert len(result["hits"]) + result["left_out"] == count

"""The law of a day, versions and comparisons over HTTP and for assistants."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from mcp import Client

from rirag.server.mcp.desk import LocalDesk
from rirag.server.mcp.tools import make_server
from rirag.service import Service
from rirag.settings import Settings
from tests.rirag.server.running import Running

FEE = "What is the fee for a lamp?"


@pytest.mark.parametrize(
    ("asked", "fee"),
    [({"as_of": "2021-01-01"}, "50"), ({"version": "2022-07-01"}, "60"), ({}, "60")],
)
def test_searches_and_answers_are_of_their_day(
    act: Running, asked: dict[str, str], fee: str
) -> None:
    hits = act.post("/v1/search", {"question": FEE, **asked}).json()["hits"]
    assert {hit["passage"].split()[-2] for hit in hits if "crowns" in hit["passage"]} == {fee}
    assert all(hit["version_id"] and hit["valid_from"] for hit in hits if "lamp" in hit["passage"])
    answer = act.post("/v1/ask", {"question": FEE, **asked}).json()
    assert f"{fee} crowns" in answer["Answer"]


def test_an_answer_of_the_past_says_what_became_of_its_rules(act: Running) -> None:
    answer = act.post("/v1/ask", {"question": FEE, "as_of": "2021-01-01"}).json()
    (cited,) = [one for one in answer["citations"] if one["passage_id"] == "Section 2"]
    assert (answer["as_of"], cited["status"], cited["valid_to"]) == (
        "2021-01-01", "in-force", "2022-06-30",
    )  # fmt: skip
    assert [(one["change"], one["valid_from"], one["number"]) for one in cited["later"]] == [
        ("changed", "2022-07-01", ""), ("moved", "2024-01-01", "Section 3"),
    ]  # fmt: skip
    shown = act.get(f"/v1/answers/{answer['answer_id']}?format=md").text
    assert "version 2020-01-01; this text from 2020-01-01 to 2022-06-30" in shown
    assert "- Law as on: 2021-01-01" in shown
    (told,) = [one["message"] for one in answer["warnings"] if one["kind"] == "changes"]
    assert told.endswith("Lamp Act Section 2 was changed on 2022-07-01.")


def test_versions_are_listed_and_compared(act: Running) -> None:
    listed = act.get("/v1/documents/lamp-act/versions").json()["versions"]
    assert [(one["version_id"], one["status"]) for one in listed] == [
        ("2020-01-01", "past"), ("2022-07-01", "past"), ("2024-01-01", "in-force"),
    ]  # fmt: skip
    found = act.get("/v1/documents/lamp-act/compare?from=2020-01-01&to=2022-07-01").json()
    assert [(one["change"], one["number"]) for one in found["changes"]] == [
        ("changed", "Section 2")
    ]
    assert ["delete", "50 "] in found["changes"][0]["diff"]


def test_a_document_is_read_as_on_a_day(act: Running) -> None:
    def numbers(day: str) -> list[str]:
        outline = act.get(f"/v1/documents/lamp-act?as_of={day}").json()["outline"]
        return [one["number"] for one in outline]

    assert numbers("2021-01-01") == ["Section 1", "Section 2"]
    assert numbers("2025-01-01") == ["Section 1", "Section 2", "Section 3"]


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/v1/documents/lamp-act?as_of=1999-01-01", 404, "version.none-for-date"),
        ("/v1/documents/lamp-act/compare?from=nine", 404, "version.unknown"),
        ("/v1/documents/lamp-act?as_of=2021-13-01", 422, "version.interval"),
        ("/v1/documents/lamp-act?as_of=2021-01-01&version=x", 422, "version.interval"),
    ],
)
def test_what_is_not_there_is_refused(act: Running, address: str, status: int, code: str) -> None:
    act.refused(act.get(address), status, code)


def test_changes_name_the_answers_that_cite_the_former_wording(act: Running) -> None:
    made = {
        day: act.post("/v1/ask", {"question": FEE, "as_of": day}).json()["answer_id"]
        for day in ("2021-02-01", "2023-02-01")
    }
    changes = act.get("/v1/changes?since=2022-07-01&until=2022-07-01").json()["changes"]
    ((number, ids),) = {
        (one["number"], one["id"])
        for found in changes
        for one in found["affects"]
        if one["kind"] == "stored-answer" and one["id"] in made.values()
    }
    assert (number, ids) == ("Section 2", made["2021-02-01"])


def test_changes_are_json_or_a_feed(act: Running) -> None:
    (found,) = act.get("/v1/changes?since=2023-01-01").json()["changes"]
    assert (found["valid_from"], len(found["changes"])) == ("2024-01-01", 2)
    feed = act.get("/v1/changes?since=2020-02-01&format=atom")
    assert feed.headers["content-type"].startswith("application/atom+xml")
    entries = ElementTree.fromstring(feed.content).findall("{http://www.w3.org/2005/Atom}entry")
    assert len(entries) == 3


async def test_an_assistant_asks_for_a_day(lamps: Path) -> None:
    with Service.open(Settings(index=str(lamps))) as service:
        async with Client(make_server(LocalDesk(service))) as client:
            for day, fee in (("2021-01-01", "50"), ("", "60")):
                given = {"question": FEE, "as_of": day}
                found = (await client.call_tool("search", given)).structured_content
                assert found is not None
                texts = " ".join(hit["passage"] for hit in found["hits"])
                assert f"{fee} crowns" in texts and f"{110 - int(fee)} crowns" not in texts
            compared = await client.call_tool("compare", {"document": "lamp-act"})
            assert compared.structured_content is not None
            kinds = [one["change"] for one in compared.structured_content["changes"]]
            assert kinds == ["added", "moved"]

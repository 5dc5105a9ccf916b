"""Law in time on the page: the day in the address, banners, histories, comparisons, every width."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import indexer
from rirag.server.access.keys import KeysFile
from tests.extras import require
from tests.lamp_act import ingest_lamp_act
from tests.rirag.server.browser import chromium
from tests.rirag.server.running import Running, running

FEE = "What+is+the+fee+for+a+lamp"
COMPARED = "/compare?document_id=lamp-act&from=2020-01-01&to=2024-01-01"
PAGES = (
    "/d/lamp-act", "/d/lamp-act?as_of=2021-01-01", "/d/lamp-act/Section%202",
    "/d/lamp-act/Section%202/history", "/d/lamp-act/Section%203?as_of=2021-01-01", COMPARED,
    "/d/oil-act", "/d/tar-act?version=draft", "/d/tar-act/Section%202/history",
    f"/search?q={FEE}&as_of=2021-01-01", f"/ask?q={FEE}&as_of=2021-01-01#c1",
)  # fmt: skip


@pytest.mark.parametrize(
    ("address", "kind", "words"),
    [
        ("/d/lamp-act", "in-force", "This text is in force today."),
        ("/d/lamp-act?as_of=2024-05-05", "in-force", "This text is in force today."),
        ("/d/lamp-act?as_of=2021-01-01", "past", "This text is no longer in force."),
        ("/d/lamp-act/Section%202?as_of=2021-01-01", "past", "Version 2020-01-01."),
        (f"/search?q={FEE}&as_of=2021-01-01", "past", "Law as on 2021-01-01, a day in the past."),
        (f"/search?q={FEE}&as_of=2999-01-01", "future", "a day to come."),
        (f"/search?q={FEE}&version=2020-01-01", "past", "Law as on 2020-01-01, a day in the past."),
        (f"/search?q={FEE}&version=draft", "named", "Law of the version draft alone."),
        (f"/ask?q={FEE}&as_of=2021-01-01", "past", "Law as on 2021-01-01, a day in the past."),
        ("/d/lamp-act?version=2022-07-01", "past", "This text is no longer in force."),
        ("/d/oil-act?version=2999-01-01", "future", "This text is not yet in force."),
        ("/d/tar-act?version=draft", "unknown", "It is not known when this text is in force."),
        ("/d/tar-act/Section%202?version=final", "unknown", "It is not known when"),
    ],
)
def test_a_banner_says_whose_law_is_shown(
    act: Running, address: str, kind: str, words: str
) -> None:
    shown = act.get(address).text
    assert f'class="banner {kind}"' in shown
    assert words in shown
    has_other = kind != "in-force" and not address.startswith(("/d/oil", "/d/tar"))
    assert ("Go to the text in force" in shown) == has_other


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/d/oil-act", "This text is not yet in force."),
        ("/d/tar-act", "Version final."),
        ("/d/tar-act/Section%202/history", "Days not known"),
        ("/d/wax-act/Section%202/history", "Days not known"),
        ("/d/lamp-act", "In force from 2020-01-01 to 2022-06-30"),
        ("/compare?document_id=tar-act", "What changed from draft to final"),
    ],
)
def test_documents_of_the_future_and_without_days_are_read(
    act: Running, address: str, words: str
) -> None:
    shown = act.get(address, follow_redirects=True)
    assert (shown.status_code, words in shown.text) == (200, True), shown.text


def test_a_page_without_a_day_is_as_before(server: Running) -> None:
    for address in ("/d/GOVN", "/d/GOVN/4.2.2", "/search?q=incident"):
        shown = server.get(address).text
        assert "banner" not in shown and "History of" not in shown
    assert "It is not known when" in server.get("/d/GOVN?as_of=2020-01-01").text


def test_the_day_stays_from_the_search_to_the_rule(act: Running) -> None:
    asked = act.get(f"/search?q={FEE}&as_of=2021-01-01").text
    assert "50 crowns" in re.sub(r"</?mark[^>]*>", "", asked)
    assert 'type="date" name="as_of" value="2021-01-01"' in asked
    assert "In force from 2020-01-01 to 2022-06-30" in asked
    assert 'href="/d/lamp-act/Section%202?as_of=2021-01-01"' in asked
    rule = act.get("/d/lamp-act/Section%202?as_of=2021-01-01").text
    assert "50 crowns" in rule and 'href="/d/lamp-act/Section%202"' in rule
    answer = act.get(f"/ask?q={FEE}&as_of=2021-01-01").text
    assert 'href="/d/lamp-act/Section%202?as_of=2021-01-01"' in answer
    stored = act.get(re.findall(r'href="(/a/[^"?]+)"', answer)[0]).text
    assert 'href="/d/lamp-act/Section%202?as_of=2021-01-01"' in stored


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/d/lamp-act?as_of=1999-01-01", 404, "there are: 2020-01-01, 2022-07-01, 2024-01-01"),
        ("/d/lamp-act?as_of=2021-13-01", 422, "The day (as_of) must be a day"),
        ("/d/tar-act?version=nine", 404, "there are: draft, final"),
        ("/compare?document_id=oil-act", 422, "There is only one version of oil-act"),
        ("/d/lamp-act/Section%203?as_of=2021-01-01", 404, "2024-01-01/.."),
        ("/d/lamp-act/Section%209/history", 404, "has no rule"),
        ("/compare?document_id=lamp-act&from=nine", 404, "No version is called"),
        ("/compare?document_id=none", 404, "none"),
    ],
)
def test_what_is_not_there_is_told(act: Running, address: str, status: int, words: str) -> None:
    shown = act.get(address, headers={"Accept": "text/html"})
    assert (shown.status_code, words in shown.text) == (status, True), shown.text


def test_a_document_lists_its_versions(act: Running) -> None:
    shown = act.get("/d/lamp-act").text
    links = re.findall(r'href="(/d/lamp-act\?as_of=[^"]+)"', shown)
    assert links == [
        f"/d/lamp-act?as_of={day}" for day in ("2024-01-01", "2022-07-01", "2020-01-01")
    ]
    assert "/compare?document_id=lamp-act&amp;from=2022-07-01&amp;to=2024-01-01" in shown


def test_a_rule_has_a_history(act: Running) -> None:
    shown = act.get("/d/lamp-act/section%202/history").text
    words = ("sealed jars", "60 crowns", "50 crowns")
    assert [shown.index(one) for one in words] == sorted(shown.index(one) for one in words)
    assert "Section 2 is now Section 3. Its words are the same." in shown
    assert "The words of Section 2 changed." in shown


def test_a_comparison_marks_words_and_tells_moves(act: Running) -> None:
    changed = act.get("/compare?document_id=lamp-act&from=2020-01-01&to=2022-07-01").text
    assert re.search(r"<del>50 ?</del>", changed) and re.search(r"<ins>60 ?</ins>", changed)
    shown = act.get("/compare?document_id=lamp-act").text  # the last two
    assert "Section 2 is new." in shown and "Section 2 is now Section 3." in shown
    text = shown[shown.index("sealed") - 200 : shown.index("sealed") + 60]
    assert "<ins>" not in text
    only = act.get("/compare?document_id=lamp-act&rule=Section+3").text
    assert "Section 2 is new." not in only


@pytest.fixture(scope="module")
def bound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose client has a key for another client's documents alone."""
    folder = tmp_path_factory.mktemp("bound")
    index = ingest_lamp_act(folder, client="a")
    (folder / "oil.md").write_text("# Oil Act\n\n## Section 1 Oil\n\nOil is sold by the jar.\n")
    indexer.ingest(folder / "oil.md", index, metadata={"client": "b"})
    secret = KeysFile(folder / "keys.json").add("b", ["search", "ask"], {"client": ["b"]})
    with running(index, folder, read_only=True, keys=folder / "keys.json") as found:
        found.client.headers["Authorization"] = f"Bearer {secret}"
        yield found


@pytest.mark.parametrize(
    "address",
    [
        "/v1/documents/lamp-act/versions", "/v1/documents/lamp-act/compare",
        "/v1/documents/lamp-act?as_of=2021-01-01", "/v1/changes?since=2020-01-01",
        "/v1/changes?since=2020-01-01&format=atom", "/v1/passages/lamp-act?as_of=2021-01-01",
        "/d/lamp-act", "/d/lamp-act/Section%202/history", "/compare?document_id=lamp-act",
        "/v1/documents/lamp-act?version=2022-07-01",
    ],
)  # fmt: skip
def test_a_bound_key_learns_nothing_of_versions_that_it_must_not_see(
    bound: Running, address: str
) -> None:
    found = bound.get(address)
    assert found.status_code == (200 if "changes" in address else 404)
    assert not {"crowns", "2022-07-01", "Lamp Act"} & set(re.findall(r"[\w-]+", found.text))
    assert "Lamp Act" not in found.text and "2022-07-01" not in found.text


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_each_page_fits_every_width_and_is_easy_to_reach(
    browser: Any, act: Running, scripts: bool
) -> None:
    axe = require("axe_playwright_python.sync_playwright").Axe()
    with browser.new_context(base_url=act.address, java_script_enabled=scripts) as context:
        page, found = context.new_page(), []
        for address in PAGES:
            page.goto(address)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                found += [
                    (address, scheme, one["id"], [node["html"][:120] for node in one["nodes"]])
                    for one in (axe.run(page).response["violations"] if scripts else ())
                    if one["impact"] != "minor"
                ]
            for width in (360, 768, 1280, 1920):
                page.set_viewport_size({"width": width, "height": 900})
                if scripts:
                    widest = page.evaluate("document.documentElement.scrollWidth")
                    assert widest <= width, (address, width)
        assert not found, found


@pytest.mark.browser
def test_a_reader_goes_back_and_forth_in_time_without_scripts(browser: Any, act: Running) -> None:
    with browser.new_context(base_url=act.address, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"/search?q={FEE}")
        page.get_by_text("Filters").first.click()
        page.get_by_label("Law as on").fill("2021-01-01")
        page.get_by_role("button", name="Search").click()
        assert "as_of=2021-01-01" in page.url
        page.get_by_role("link", name=re.compile("Section 2")).first.click()
        assert "50 crowns" in page.inner_text("main")
        page.get_by_role("link", name="History of this rule").click()
        page.get_by_role("link", name="Compare with the wording before").last.click()
        assert page.locator("del").last.inner_text().strip() == "50"
        page.go_back()
        page.go_back()
        page.get_by_role("link", name="Go to the text in force").click()
        assert "as_of" not in page.url and "sealed jars" in page.inner_text("main")

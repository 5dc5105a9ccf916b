"""The page in a real browser: roles and names, citations, keys, without JavaScript, every width."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.extras import require
from tests.rirag.server.browser import chromium
from tests.rirag.server.running import ASKED, UNANSWERED, Running, running
from tests.rirag.server.slow_model import slow_model

pytestmark = pytest.mark.browser

SEVERAL_RULES = "Who must be told of a material incident?"
"""Is answered from more than one rule."""
PAGES = (
    "/", f"/search?q={quote(ASKED)}", "/search?q=zzzz&f.kind=figure", f"/ask?q={quote(ASKED)}",
    f"/ask?q={quote(ASKED)}#c2", f"/ask?q={quote(UNANSWERED)}", "/d/GOVN", "/d/GOVN?find=incident",
    "/d/GOVN/4.2.2", "/documents", "/upload", "/admin", "/docs", "/signin", "/d/NOPE",
)  # fmt: skip
NARROW_AND_DARK = ("/", PAGES[1], PAGES[4], "/d/GOVN/4.2.2", "/upload", "/admin")
"""Pages that have all kinds of things between them."""

MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def site(rulebook: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("site")
    with running(rulebook, folder, audit=folder / "audit.jsonl") as server:
        server.post("/v1/search", {"question": ASKED})
        yield server


@pytest.fixture
def page(browser: Any, site: Running) -> Iterator[Any]:
    context = browser.new_context(base_url=site.address, viewport={"width": 1280, "height": 900})
    with context:
        yield context.new_page()


def test_nothing_on_any_page_is_hard_to_reach_or_read(page: Any) -> None:
    axe = require("axe_playwright_python.sync_playwright").Axe()
    again = {"runOnly": ["color-contrast", "target-size", "scrollable-region-focusable"]}
    found = []

    def check(address: str, how: str, options: dict[str, Any] | None = None) -> None:
        for one in axe.run(page, options=options).response["violations"]:
            if one["impact"] != "minor":
                nodes = [node["html"][:120] for node in one["nodes"][:3]]
                found.append((address, how, one["id"], nodes))

    for address in PAGES:
        page.goto(address)
        check(address, "light")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 800})
    for address in NARROW_AND_DARK:
        page.goto(address)
        check(address, "dark and narrow", again)
    assert not found, found


def test_no_page_complains_or_asks_another_server(page: Any, site: Running) -> None:
    told, asked = [], []
    page.on("console", lambda message: told.append((page.url, message.text)))
    page.on("pageerror", lambda error: told.append((page.url, str(error))))
    page.on("request", lambda request: asked.append(request.url))
    for address in PAGES:
        if address != "/d/NOPE":  # a browser reports the status 404 itself
            page.goto(address)
    assert not told
    assert all(url.startswith((site.address, "data:")) for url in asked)


def test_no_page_is_wider_than_the_window(page: Any) -> None:
    for address in PAGES:
        page.goto(address)
        for width in (360, 768, 1280, 1920, 2560):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, width)


def test_a_page_with_all_it_needs_is_small(browser: Any, site: Running) -> None:
    for address in PAGES:
        with browser.new_context(base_url=site.address) as context:  # with nothing in its cache
            shown, responses = context.new_page(), []
            shown.on("response", lambda response: responses.append(response))  # noqa: B023, PLW0108
            shown.goto(address)
            sizes = [len(response.body()) for response in responses]
        assert 0 < sum(sizes) <= MOST_BYTES, (address, sizes)


def test_a_question_is_asked_with_the_keyboard_alone(page: Any) -> None:
    page.goto("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type(ASKED)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Search"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Ask"
    page.keyboard.press("Enter")
    page.wait_for_url("**/ask?**")
    assert page.get_by_role("region", name="Answer").is_visible()


def test_the_address_of_an_answer_holds_the_chosen_filters_alone(page: Any) -> None:
    page.goto("/")
    page.get_by_role("searchbox", name="Question").fill("What is a firm?")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url("**/ask?**")
    assert page.url.endswith("/ask?q=What+is+a+firm%3F")
    page.goto("/?q=firm&f.document_id=COND")
    page.get_by_role("searchbox", name="Question").fill("firm")
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url("**/search?**")
    assert page.url.endswith("/search?q=firm&f.document_id=COND")


def test_roles_and_names_are_those_of_the_contract(page: Any) -> None:
    page.goto("/")
    page.get_by_role("searchbox", name="Question").fill(ASKED)
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url("**/search?**")
    assert page.get_by_role("searchbox", name="Question").input_value() == ASKED
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url("**/ask?**")
    assert page.get_by_role("status").inner_text() == "Answer complete"
    answer = page.get_by_role("region", name="Answer")
    assert "within 24 hours" in answer.inner_text()
    assert answer.get_by_role("link", name="[1]", exact=True).count() >= 1
    assert page.get_by_role("complementary", name="Source").locator("mark").count() >= 1


def test_a_citation_opens_its_source_with_the_quoted_words_marked(page: Any) -> None:
    page.goto(f"/ask?q={quote(SEVERAL_RULES)}")
    source = page.get_by_role("complementary", name="Source")
    page.get_by_role("region", name="Answer").get_by_role("link", name="[2]", exact=True).click()
    assert page.url.endswith("#c2")
    assert source.locator("article:visible").count() == 1
    marked = " ".join(source.locator("article:visible mark").all_inner_texts())
    assert marked.startswith("A Licensed Firm must inform each Client")
    assert source.get_by_role("link", name="Open in the document").last.is_visible()
    page.reload()  # the address can be shared
    assert source.locator("article:visible mark").count() >= 1
    assert source.locator("article:visible").count() == 1


def test_keys_go_through_the_citations(page: Any) -> None:
    page.goto(f"/ask?q={quote(SEVERAL_RULES)}")
    last = page.get_by_role("complementary", name="Source").locator("article").count()
    assert last > 1
    for key, place in (("n", "#c1"), ("n", "#c2"), ("p", "#c1"), ("p", f"#c{last}")):
        page.keyboard.press(key)
        page.wait_for_url(lambda url, place=place: url.endswith(place))
    page.keyboard.press("Escape")
    assert "#" not in page.url
    assert page.evaluate("document.activeElement.textContent") == f"[{last}]"
    page.get_by_role("searchbox", name="Question").press("n")  # typing is typing
    assert "#" not in page.url


def test_everything_that_is_read_works_without_javascript(browser: Any, site: Running) -> None:
    context = browser.new_context(base_url=site.address, java_script_enabled=False)
    with context:
        page = context.new_page()
        page.goto("/")
        page.get_by_role("searchbox", name="Question").fill(SEVERAL_RULES)
        page.get_by_role("button", name="Ask", exact=True).click()
        page.wait_for_url("**/ask?**")
        assert page.get_by_role("status").inner_text() == "Answer complete"
        page.get_by_role("link", name="[2]", exact=True).first.click()
        source = page.get_by_role("complementary", name="Source")
        assert source.locator("article:visible").count() == 1
        assert source.locator("article:visible mark").first.is_visible()
        page.goto("/search?q=complaint")
        page.get_by_role("link", name="In context").first.click()
        assert page.locator("article[aria-current]").count() >= 1


def test_what_is_around_a_hit_opens_in_place(page: Any) -> None:
    page.goto("/search?q=What+does+COND+6.2.3+say%3F")
    page.get_by_role("link", name="In context").first.click()
    part = page.locator(".hit").first.locator(".part")
    part.wait_for()
    assert "Rule 6.2.2" in part.inner_text()
    page.get_by_role("link", name="In context").first.click()
    assert part.count() == 0


def test_on_a_narrow_page_the_citation_stays_above_its_source(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"/ask?q={quote(SEVERAL_RULES)}")
    page.get_by_role("link", name="[2]", exact=True).first.click()
    marker = page.get_by_role("link", name="[2]", exact=True).first.bounding_box()
    sheet = page.get_by_role("complementary", name="Source").bounding_box()
    assert marker["y"] >= 0 and marker["y"] + marker["height"] <= sheet["y"]


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_a_citation_is_copied(page: Any, has_clipboard: bool) -> None:
    if has_clipboard:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:  # as over plain HTTP from another machine
        page.add_init_script("delete Navigator.prototype.clipboard")
        page.add_init_script(
            "document.execCommand = () => { window.copied = getSelection().toString(); }"
        )
    page.goto("/search?q=What+does+COND+6.2.3+say%3F")
    page.get_by_role("button", name="Copy citation").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    read = "navigator.clipboard.readText()" if has_clipboard else "window.copied"
    assert "6.2.3" in page.evaluate(read)


def test_recent_questions_stay_in_the_browser(page: Any) -> None:
    page.goto("/search?q=complaint")
    page.goto("/")
    page.get_by_role("link", name="complaint", exact=True).click()
    page.wait_for_url("**/search?q=complaint")
    page.goto("/")
    page.get_by_role("button", name="Delete these").click()
    page.reload()
    assert page.get_by_role("link", name="complaint", exact=True).count() == 0


def test_an_answer_appears_as_it_is_written(
    rulebook: Path, browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rirag.settings import Settings

    expect = require("playwright.sync_api").expect
    with slow_model(0.3) as model:
        settings = Settings(index=str(rulebook), llm_url=model.url, llm_model="m")
        with running(rulebook, tmp_path, settings) as server:
            context = browser.new_context(base_url=server.address)
            with context:
                page = context.new_page()
                page.goto(f"/ask?q={quote(ASKED)}", wait_until="commit")
                draft = page.locator(".draft")
                draft.filter(has_text="Licensed Firm").wait_for()
                # The words may be there before the style sheet.
                status = expect(page.get_by_role("status"))
                status.to_have_text("Writing the answer", use_inner_text=True)
                early = draft.inner_text()
                page.wait_for_load_state("load")
                assert page.get_by_role("status").inner_text() == "Answer complete"
                whole = page.get_by_role("region", name="Answer").inner_text()
                assert len(early) < len(whole) and "within 24 hours" in whole
                assert not draft.is_visible()
                assert page.get_by_role("link", name="[1]", exact=True).first.is_visible()


def test_an_answer_with_several_duties_has_a_table_of_them(page: Any) -> None:
    page.goto(f"/ask?q={quote('What must a firm do when it receives a complaint?')}")
    page.get_by_text("Who must do what by when").click()
    row = page.get_by_role("row").filter(has_text="40 Business Days")
    assert row.get_by_role("cell").all_inner_texts() == [
        "A Licensed Firm",
        "must",
        "send the Client a final response in writing within 40 Business Days after receiving the "
        "Complaint",
        "40 Business Days",
        "6.2.2 [3]",
    ]
    page.goto(f"/ask?q={quote(ASKED)}")
    assert page.get_by_text("Who must do what by when").count() == 0


def test_marked_rules_are_exported_and_the_place_that_is_read_is_marked(
    page: Any, tmp_path: Path
) -> None:
    from openpyxl import load_workbook

    page.goto("/d/GOVN")
    page.get_by_label("Mark 4.2.1 for the table of duties", exact=True).check()
    page.reload()  # the mark is kept
    with page.expect_download() as download:
        page.get_by_role("button", name="Duties as a table (Excel)").click()
    download.value.save_as(tmp_path / "duties.xlsx")
    _, *rows = load_workbook(tmp_path / "duties.xlsx").active.values
    assert {row[6] for row in rows} == {"Governance and Prudential Rulebook (GOVN) 4.2.1"}
    contents = page.get_by_role("navigation", name="Contents")
    page.get_by_role("link", name="4.2.1", exact=True).scroll_into_view_if_needed()
    page.evaluate("document.querySelector('.row:has(input:checked)').scrollIntoView()")
    current = contents.locator("[aria-current=location]")
    current.filter(has_text="4.2 Incidents").wait_for()
    assert current.count() == 1


def test_a_model_that_fails_is_told_on_the_page(
    rulebook: Path, browser: Any, tmp_path: Path
) -> None:
    from rirag.settings import Settings

    settings = Settings(index=str(rulebook), llm_url="http://127.0.0.1:9/v1", llm_model="m")
    with running(rulebook, tmp_path, settings) as server:
        context = browser.new_context(base_url=server.address)
        with context:
            page = context.new_page()
            page.goto(f"/ask?q={quote(ASKED)}")
            page.get_by_role("alert").wait_for()
            assert "127.0.0.1:9" in page.get_by_role("alert").inner_text()


def test_a_word_file_is_looked_at_and_then_loaded(page: Any, tmp_path: Path) -> None:
    from docx import Document

    document = Document()
    document.add_heading("Lantern Rules", level=1)
    for text in ("1. A keeper must light the lantern at dusk.", "2. A keeper must log each night."):
        document.add_paragraph(text)
    document.save(str(tmp_path / "lantern-rules.docx"))
    page.goto("/upload")
    page.get_by_label("Files").set_input_files(tmp_path / "lantern-rules.docx")
    page.get_by_role("button", name="Check them first").click()
    assert page.get_by_role("heading", name="How the documents are read").is_visible()
    assert "A keeper must light the lantern at dusk." in page.content()
    page.get_by_role("button", name="Load these documents").click()
    page.get_by_text("Loaded", exact=True).wait_for(timeout=60_000)
    page.get_by_role("link", name=re.compile("^Read ")).click()
    assert "lantern at dusk" in page.content()
    page.goto("/documents")
    entry = page.locator(".shelf > li").filter(has_text="antern")
    entry.get_by_text("Delete", exact=True).click()
    entry.get_by_role("button", name="Delete the document").click()
    page.get_by_text("The document was deleted.").wait_for()


def test_files_that_cannot_be_read_are_named_beside_those_that_can(
    page: Any, tmp_path: Path
) -> None:
    lamp = "# Lamp Rules\n\n1. A keeper must clean the café.\n"
    (tmp_path / "lamp.md").write_text(lamp, encoding="cp1252")
    (tmp_path / "tool.exe").write_bytes(b"MZ")
    page.goto("/upload")
    page.get_by_label("Files").set_input_files([tmp_path / "lamp.md", tmp_path / "tool.exe"])
    page.get_by_role("button", name="Check them first").click()
    assert page.get_by_role("heading", name="Lamp Rules").is_visible()
    assert page.locator(".problem").get_by_text("tool.exe: not in a format").is_visible()
    assert page.get_by_text("lamp.md is not UTF-8 and was read as Windows-1252.").is_visible()
    assert page.get_by_role("button", name="Load these documents").is_visible()
    page.get_by_role("button", name="Discard").click()
    page.get_by_label("Files").set_input_files(tmp_path / "tool.exe")
    page.get_by_role("button", name="Check them first").click()
    assert page.get_by_role("alert").inner_text().startswith("tool.exe: not in a format")


def test_text_of_anybody_is_text_and_nothing_else(browser: Any, tmp_path: Path) -> None:
    import indexer
    from tests.sample import record, write_lines

    evil = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    common = {"DocumentID": "EV/IL <b>", "DocumentTitle": f"Title {evil}", "regime": evil}
    lines = [
        record("1", f"A firm must {evil} keep javascript:alert(1) records.", id="e1", **common),
        record("2 <i>", f"A firm may [x](javascript:alert(1)) {evil}", id="e2", **common),
    ]
    write_lines(tmp_path / "evil.jsonl", *lines)
    indexer.ingest([tmp_path / "evil.jsonl"], tmp_path / "index")
    with running(tmp_path / "index", tmp_path) as server:
        question = quote(f"What records must a firm keep? {evil}")
        context = browser.new_context(base_url=server.address)
        with context:
            page, told = context.new_page(), []
            page.on("pageerror", lambda error: told.append(str(error)))
            page.on("console", lambda message: told.append(message.text))
            made = server.post("/v1/ask", {"question": f"records of a firm {evil}"}).json()
            said = {"answer_id": made["answer_id"], "verdict": "wrong", "comment": evil}
            server.post("/v1/feedback", said)
            named = f"/d/{quote('EV/IL <b>', safe='')}"
            asked = (f"/search?q={question}", f"/ask?q={question}", f"/a/{made['answer_id']}")
            listed = ("/documents", "/admin", named, f"{named}/{quote('2 <i>', safe='')}")
            for address in (*asked, *listed):
                response = page.goto(address)
                assert response.status == 200, address
                assert page.title() != "owned", address
                acting = page.locator("main script, main img, main b, main i")
                assert acting.count() == 0, address
            assert not told
        html = server.get(f"/v1/answers/{made['answer_id']}", params={"format": "html"}).text
        assert "<script" not in html and "<img" not in html


def test_each_text_has_the_direction_of_its_script(browser: Any, tmp_path: Path) -> None:
    import indexer

    text = "قواعد الإبلاغ\n1.1\tيجب إخطار الهيئة خلال 24 ساعة (المادة 5).\n(a)\tبند أول.\n"
    text += "1.2\tA firm must pay.\n"
    (tmp_path / "rules.txt").write_text(text, encoding="utf-8")
    indexer.ingest([tmp_path / "rules.txt"], tmp_path / "index")
    arabic = quote("إخطار الهيئة خلال 24 ساعة")
    with (
        running(tmp_path / "index", tmp_path) as server,
        browser.new_context(base_url=server.address) as context,
    ):
        page = context.new_page()

        def directions(selector: str) -> list[str]:
            return page.locator(selector).evaluate_all(
                "found => found.map(one => getComputedStyle(one).direction)"
            )

        for address, expected in (
            ("/d/rules", {"h1": ["rtl"], ".row .line": ["rtl", "rtl", "ltr"]}),
            ("/d/rules/1.1", {".row .line": ["rtl", "rtl"]}),
            (f"/search?q={arabic}", {"#q": ["rtl"], ".hit:first-of-type h2": ["rtl"],
                                     ".hit:first-of-type .line": ["rtl"]}),
            (f"/ask?q={arabic}", {".asked": ["rtl"], ".answer .par": ["rtl"], ".source h3": ["rtl"],
                                  ".source .line": ["rtl"]}),
        ):  # fmt: skip
            page.goto(address)
            for selector, wanted in expected.items():
                assert directions(selector) == wanted, (address, selector)

"""The server behind a proxy: hosts, origins, scheme, root path, and programs in browsers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from rirag.server.access.caller import COOKIE
from rirag.server.access.keys import KeysFile
from rirag.server.options import ServeOptions
from search.errors import InputError
from tests.rirag.server.running import ASKED, Running, running

NAME = "rules.example.com"
CHAT = "https://chat.example.com"
PREFLIGHT = {"Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "authorization,content-type,x-extra"}  # fmt: skip


class Site:
    """A server with a key."""

    def __init__(self, server: Running, key: str) -> None:
        self.server = server
        self.key = key
        self.bearer = {"Authorization": f"Bearer {key}"}

    def sign_in(self, **headers: str) -> httpx2.Response:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx2.post(
            f"{self.server.address}/signin", data={"key": self.key, "next": "/documents"},
            headers=sent,
        )  # fmt: skip


@pytest.fixture
def start(rulebook: Path, tmp_path: Path) -> Iterator[Any]:
    """A function that starts a server with a key and some options."""
    opened = []

    def started(**options: Any) -> Site:
        keys = KeysFile(tmp_path / "keys.json")
        secret = keys.add("reader", ["search", "ask", "ingest"], requests_per_minute=100_000)
        context = running(rulebook, tmp_path, keys=keys.path, **options)
        opened.append(context)
        return Site(context.__enter__(), secret)

    yield started
    for one in opened:
        one.__exit__(None, None, None)


def test_readers_sign_in_through_a_proxy_and_other_sites_do_not(start: Any) -> None:
    site = start(hosts=(NAME,), origins=(CHAT,))
    own = site.server.address.removeprefix("http://")
    for host, origin, expected in (
        (own, f"https://{NAME}", 303),  # nginx sends the name of its upstream
        (NAME, f"https://{NAME}:8443", 303),
        (f"{NAME}:443", f"https://{NAME}", 303),
        (NAME, f"https://{NAME}", 303),
        (NAME, f"https://{NAME.upper()}", 303),
        (own, f"http://{own}", 303),
        (NAME, "null", 403),
        (own, "null", 403),
        (own, "http://127.0.0.1:1", 403),  # another program of this machine
        (own, "https://evil.example", 403),
        (own, f"https://{NAME}.evil.example", 403),
        (own, f"https://evil.example/{NAME}", 403),
        (NAME, CHAT, 403),  # may use the API, not the pages
        ("evil.example", "https://evil.example", 421),
    ):
        response = site.sign_in(Host=host, Origin=origin)
        assert response.status_code == expected, (host, origin, response.text)
        if expected == 403:
            assert "--allow-host" in response.json()["detail"]


def test_forwarded_headers_count_from_a_trusted_proxy_alone(start: Any) -> None:
    said = {"Host": "upstream:8080", "Origin": f"https://{NAME}", "X_Forwarded_Host": NAME,
            "X_Forwarded_Proto": "https", "X_Forwarded_Prefix": "/law"}  # fmt: skip
    trusting = start(hosts=(NAME,), proxies=("10.0.0.0/8", "127.0.0.1"))
    response = trusting.sign_in(**said)
    assert (response.status_code, response.headers["location"]) == (303, "/law/documents")
    cookie = response.headers["set-cookie"]
    assert "Secure" in cookie and "Path=/law;" in cookie
    assert response.headers["strict-transport-security"].startswith("max-age=")
    assert trusting.sign_in(**{**said, "X_Forwarded_Host": "evil.example"}).status_code == 421
    several = {"X_Forwarded_Host": f"evil.example, {NAME}", "X_Forwarded_Proto": "http, https"}
    assert "Secure" in trusting.sign_in(**{**said, **several}).headers["set-cookie"]
    for prefix in ("//evil.example", "https://evil.example", '/a"b', "/a b", ""):
        response = trusting.sign_in(**{**said, "X_Forwarded_Prefix": prefix})
        assert response.headers["location"] == "/documents", prefix


@pytest.mark.parametrize("proxies", [(), ("10.0.0.0/8", "::1")])
def test_forwarded_headers_of_anybody_else_count_for_nothing(
    start: Any, proxies: tuple[str, ...]
) -> None:
    site = start(hosts=(NAME,), proxies=proxies)
    said = {"X_Forwarded_Proto": "https", "X_Forwarded_Prefix": "/law"}
    response = site.sign_in(**said, X_Forwarded_Host="evil.example")
    assert (response.status_code, response.headers["location"]) == (303, "/documents")
    cookie = response.headers["set-cookie"]
    assert "Secure" not in cookie and "Path=/;" in cookie
    assert "strict-transport-security" not in response.headers
    assert site.sign_in(Host="evil.example", X_Forwarded_Host=NAME).status_code == 421


def test_a_public_url_gives_host_origin_scheme_and_path(start: Any) -> None:
    site = start(public_url=f"https://{NAME}:8443/law/")
    response = site.sign_in(Host=f"{NAME}:8443", Origin=f"https://{NAME}:8443")
    assert (response.status_code, response.headers["location"]) == (303, "/law/documents")
    assert "Secure" in response.headers["set-cookie"]
    assert "strict-transport-security" in response.headers
    assert "/law/signin?next=%2Fdocuments" in site.server.get("/documents").headers["location"]


@pytest.mark.parametrize("before", ["", "/law"])
def test_below_a_path_every_address_begins_with_it(start: Any, before: str) -> None:
    """The proxy takes the path away, or keeps it."""
    site = start(root_path="/law")
    client = site.server.client
    client.base_url, client.headers["Authorization"] = (
        f"{client.base_url}{before}",
        site.bearer["Authorization"],
    )
    hit = client.post("/v1/search", json={"question": ASKED}).json()["hits"][0]["id"]
    made = client.post("/v1/ask", json={"question": ASKED}).json()["answer_id"]
    pages = ("/", "/search?q=incident", f"/ask?q={ASKED}", f"/a/{made}", "/documents", "/d/GOVN",
             "/d/GOVN?find=incident", "/d/GOVN/4.2.2", "/upload", "/docs", "/signin", "/d/NOPE",
             f"/parts/passage?id={hit}", f"/parts/links?id={hit}",
             "/search?q=incident&f.document_id=GOVN")  # fmt: skip
    for path in pages:
        text = client.get(path, headers={"Accept": "text/html"}).text
        found = re.findall(r'\b(?:href|src|action|formaction|hx-get)="([^"]*)"', text)
        assert found, path
        wrong = [one for one in found if not one.startswith(("/law/", "#"))]
        assert not wrong, (path, wrong)
    page_css = re.findall(r'href="(/law/static/page.css[^"]*)"', text)[0]
    assert client.get(page_css.removeprefix("/law")).status_code == 200
    assert client.get("/openapi.json").json()["servers"] == [{"url": "/law"}]
    problem = client.get("/v1/nothing").json()
    assert problem["type"].startswith("/law/docs#") and problem["instance"] == "/law/v1/nothing"
    sent = client.post("/v1/documents", files={"file": ("a.txt", b"1\tA firm must.\n")})
    assert sent.headers["location"] == sent.json()["status_url"]
    assert sent.json()["status_url"].startswith("/law/v1/jobs/")
    assert client.get("/search?q=").headers["location"] == "/law/"
    assert client.post("/mcp", json={}).status_code == 400  # the tools, and no page that is absent
    assert client.get("/lawyers").status_code == 404


def test_probes_are_answered_whatever_address_they_name(start: Any) -> None:
    site = start(root_path="/law")
    for path in ("/livez", "/readyz", "/law/livez"):
        assert site.server.get(path, headers={"Host": "10.1.2.3:8080"}).status_code == 200, path
    for path in ("/", "/signin", "/v1/documents", "/metrics", "/livez/x", "/static/page.css"):
        response = site.server.get(path, headers={"Host": "10.1.2.3:8080"})
        assert response.status_code == 421, path


def test_a_program_in_a_browser_may_use_the_api_where_its_origin_is_allowed(start: Any) -> None:
    site = start(origins=(CHAT,))
    body = {"model": "rirag", "messages": [{"role": "user", "content": ASKED}]}
    for path in ("/v1/chat/completions", "/v1/search", "/mcp"):
        asked = site.server.client.options(path, headers={"Origin": CHAT, **PREFLIGHT})
        assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (200, CHAT)
        assert "authorization" in asked.headers["access-control-allow-headers"]
        assert "access-control-allow-credentials" not in asked.headers
    chat = "/v1/chat/completions"
    response = site.server.post(chat, body, headers={"Origin": CHAT, **site.bearer})
    assert (response.status_code, response.headers["access-control-allow-origin"]) == (200, CHAT)
    refused = site.server.post(chat, body, headers={"Origin": CHAT})
    site.server.refused(refused, 401, "key.missing")
    assert refused.headers["access-control-allow-origin"] == CHAT  # so that the program can say why
    cookie = site.sign_in().headers["set-cookie"].partition(";")[0]
    assert cookie.startswith(COOKIE)
    with_cookie = {"Origin": CHAT, "Cookie": cookie}
    site.server.refused(site.server.post(chat, body, headers=with_cookie), 401, "key.missing")
    deleting = site.server.client.post(
        "/documents/delete", data={"document_id": "GOVN"}, headers=with_cookie
    )
    site.server.refused(deleting, 403, "request.origin")
    other = {"Origin": "https://other.example.com", **site.bearer}
    site.server.refused(site.server.post(chat, body, headers=other), 403, "request.origin")
    refused = site.server.client.options(chat, headers={**other, **PREFLIGHT})
    assert refused.status_code == 400 and "access-control-allow-origin" not in refused.headers


def test_without_the_option_no_other_origin_may_use_the_api(start: Any) -> None:
    site = start()
    asked = site.server.client.options("/v1/search", headers={"Origin": CHAT, **PREFLIGHT})
    assert not [name for name in asked.headers if name.startswith("access-control-")]
    headers = {"Origin": CHAT, **site.bearer}
    refused = site.server.post("/v1/search", {"question": "x"}, headers=headers)
    assert "--allow-origin" in site.server.refused(refused, 403, "request.origin")["detail"]


def test_a_link_from_elsewhere_shows_pages_and_stores_nothing(start: Any) -> None:
    site = start()
    cookie = site.sign_in().headers["set-cookie"]
    assert "SameSite=lax" in cookie
    headers = {"Cookie": cookie.partition(";")[0], "Sec-Fetch-Site": "cross-site"}
    assert site.server.get("/d/GOVN", headers=headers).status_code == 200
    asking = site.server.get("/ask?q=Who+must+notify%3F&f.kind=rule", headers=headers)
    assert (asking.status_code, asking.headers["location"]) == (
        303, "/?q=Who+must+notify%3F&f.kind=rule",
    )  # fmt: skip
    assert site.server.state.answers.page(9) == []
    waiting = site.server.get(asking.headers["location"], headers=headers)
    assert 'value="Who must notify?"' in waiting.text
    site.server.get("/ask?q=Who+must+notify%3F", headers={**headers, "Sec-Fetch-Site": "none"})
    assert len(site.server.state.answers.page(9)) == 1


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"public_url": "rules.example.com"}, "--public-url"),
        ({"public_url": "ftp://rules.example.com"}, "--public-url"),
        ({"public_url": "https://rules.example.com/law?x=1"}, "--public-url"),
        ({"public_url": "https://[::1/law"}, "--public-url"),
        ({"root_path": "law"}, "--root-path"),
        ({"root_path": "//evil.example"}, "--root-path"),
        ({"root_path": "/a b"}, "--root-path"),
        ({"hosts": ("https://rules.example.com",)}, "--allow-host"),
        ({"origins": ("*",)}, "--allow-origin"),
        ({"origins": ("https://chat.example.com/",)}, "--allow-origin"),
        ({"origins": ("null",)}, "--allow-origin"),
        ({"proxies": ("proxy.internal",)}, "--trust-proxy"),
        ({"proxies": ("10.0.0.1/8",)}, "--trust-proxy"),
    ],
)
def test_an_address_of_another_form_is_refused(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        ServeOptions(**options).check()


@pytest.mark.parametrize(
    "options",
    [
        {"public_url": "https://rules.example.com"},
        {"public_url": "http://[2001:db8::1]:8080/a/b-c/", "root_path": "/a/b-c"},
        {"hosts": ("2001:db8::1", "[2001:db8::1]", "rules.example.com:8443")},
        {"origins": ("app://obsidian.md", "http://localhost:3000")},
        {"proxies": ("::1", "fd00::/8", "172.16.0.0/12")},
    ],
)
def test_addresses_of_every_form_are_taken(options: dict[str, Any]) -> None:
    ServeOptions(**options).check()

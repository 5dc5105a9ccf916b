"""Keys, scopes, sessions, hosts and origins."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from rirag.server.access.caller import COOKIE
from rirag.server.access.keys import KeysFile
from rirag.server.options import ServeOptions
from rirag.server.storage.database import FILE
from search.errors import InputError
from tests.rirag.server.running import ASKED, Running, running


class Keyed:
    """A server with a keys file, and a key for each scope."""

    def __init__(self, server: Running, keys: KeysFile, secrets: dict[str, str]) -> None:
        self.server = server
        self.keys = keys
        self.secrets = secrets

    def ask(self, method: str, path: str, key: str, **more: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.secrets.get(key, key)}"}
        return self.server.client.request(method, path, headers=headers, **more)


@pytest.fixture(scope="module")
def keyed(rulebook: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keyed]:
    folder = tmp_path_factory.mktemp("keyed")
    keys = KeysFile(folder / "keys.json")
    secrets = {
        scope: keys.add(scope, [scope], requests_per_minute=100_000)
        for scope in ("search", "ask", "ingest", "admin")
    }
    with running(rulebook, folder, keys=keys.path, audit=folder / "audit.jsonl") as server:
        yield Keyed(server, keys, secrets)


ENDPOINTS = [
    ("POST", "/v1/search", "search", {"question": "x"}),
    ("POST", "/v1/search/batch", "search", {"searches": [{"question": "x"}]}),
    ("GET", "/v1/documents", "search", None),
    ("GET", "/v1/documents/GOVN", "search", None),
    ("GET", "/v1/documents/GOVN/versions", "search", None),
    ("GET", "/v1/documents/GOVN/compare", "search", None),
    ("GET", "/v1/changes?since=2020-01-01", "search", None),
    ("GET", "/v1/passages/none", "search", None),
    ("POST", "/v1/ask", "ask", {"question": "x"}),
    ("POST", "/v1/verify", "ask", {"Answer": "x"}),
    ("GET", "/v1/answers/none", "ask", None),
    ("DELETE", "/v1/answers/none", "ask", None),
    ("POST", "/v1/feedback", "ask", {"answer_id": "x", "verdict": "right"}),
    ("GET", "/v1/models", "ask", None),
    ("GET", "/v1/models/rirag", "ask", None),
    ("POST", "/v1/chat/completions", "ask",
     {"model": "rirag", "messages": [{"role": "user", "content": "x"}]}),
    ("POST", "/v1/documents", "ingest", None),
    ("DELETE", "/v1/documents/NOPE", "ingest", None),
    ("GET", "/v1/jobs", "ingest", None),
    ("GET", "/v1/jobs/none", "ingest", None),
    ("DELETE", "/v1/jobs/none", "ingest", None),
    ("GET", "/v1/feedback", "admin", None),
    ("GET", "/metrics", "admin", None),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "scope", "body"), ENDPOINTS)
def test_each_endpoint_wants_its_scope(
    keyed: Keyed, method: str, path: str, scope: str, body: Any
) -> None:
    none = keyed.server.client.request(method, path, json=body)
    keyed.server.refused(none, 401, "key.missing")
    assert none.headers["www-authenticate"].startswith("Bearer")
    keyed.server.refused(keyed.ask(method, path, "rk_wrong", json=body), 401, "key.unknown")
    for other in keyed.secrets:
        response = keyed.ask(method, path, other, json=body)
        if other == scope:
            assert response.status_code not in (401, 403), response.text
        else:
            keyed.server.refused(response, 403, "key.scope")


def test_every_endpoint_is_in_the_list_above(keyed: Keyed) -> None:
    body = keyed.ask("GET", "/openapi.json", "search").json()
    described = sum(len(methods) for methods in body["paths"].values())
    assert described == len(ENDPOINTS) + 2  # and the two that need no key


def test_health_is_open_and_the_rest_is_not(keyed: Keyed) -> None:
    assert keyed.server.get("/livez").status_code == 200
    assert keyed.server.get("/readyz").status_code == 200
    assert keyed.server.get("/static/page.css").status_code == 200
    for path in ("/", "/search?q=x", "/ask?q=x", "/d/GOVN", "/documents", "/upload", "/admin",
                 "/docs", "/a/x"):  # fmt: skip
        response = keyed.server.get(path, follow_redirects=False)
        assert response.status_code == 303, path
        assert response.headers["location"].startswith("/signin?next=")
    for path in ("/openapi.json", "/v1/nothing", "/v1/search", "/metrics"):
        keyed.server.refused(keyed.server.get(path), 401, "key.missing")
    keyed.server.refused(keyed.server.post("/mcp", {}), 401, "key.missing")


def test_a_key_in_an_address_or_a_cookie_opens_nothing(keyed: Keyed) -> None:
    secret = keyed.secrets["search"]
    response = keyed.server.get(f"/v1/documents?key={secret}")
    assert response.status_code == 401
    cookies = {"Cookie": f"{COOKIE}={secret}"}
    assert keyed.server.get("/v1/documents", headers=cookies).status_code == 401


def test_signing_in_opens_the_pages_and_not_the_api(keyed: Keyed) -> None:
    with httpx2.Client(base_url=keyed.server.address) as browser:
        wrong = browser.post("/signin", data={"key": "rk_wrong"})
        assert wrong.status_code == 401 and "rk_wrong" not in wrong.text
        secret = keyed.secrets["search"]
        response = browser.post("/signin", data={"key": secret, "next": "/documents"})
        assert response.headers["location"] == "/documents"
        cookie = response.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=lax" in cookie
        assert secret not in cookie
        assert "COND" in browser.get("/documents").text
        assert browser.get("/admin").status_code == 403
        assert browser.get("/v1/documents").status_code == 401
        browser.post("/signout")
        assert browser.get("/documents").status_code == 303


def test_signing_in_leads_to_this_server_only(keyed: Keyed) -> None:
    secret = keyed.secrets["search"]
    for address in ("//evil.example", "https://evil.example", "/\\evil.example", "javascript:x"):
        data = {"key": secret, "next": address}
        response = keyed.server.client.post("/signin", data=data)
        assert response.headers["location"] == "/", address


def test_a_revoked_key_is_refused_at_once(keyed: Keyed) -> None:
    secret = keyed.keys.add("leaver", ["search"])
    assert keyed.ask("GET", "/v1/documents", secret).status_code == 200
    KeysFile(keyed.keys.path).revoke("leaver")
    keyed.server.refused(keyed.ask("GET", "/v1/documents", secret), 401, "key.unknown")


def test_a_key_is_held_to_its_rate(keyed: Keyed) -> None:
    secret = keyed.keys.add("slow", ["search"], requests_per_minute=3)
    statuses = [keyed.ask("GET", "/v1/documents", secret) for _ in range(5)]
    assert [one.status_code for one in statuses] == [200, 200, 200, 429, 429]
    assert 1 <= int(statuses[-1].headers["retry-after"]) <= 20
    keyed.server.refused(statuses[-1], 429, "limit.rate")


def test_keys_and_questions_are_in_no_file_of_the_server(
    keyed: Keyed, caplog: pytest.LogCaptureFixture
) -> None:
    word = "xylophone"
    with caplog.at_level("INFO", logger="rirag.server"):
        keyed.ask("POST", "/v1/search", "search", json={"question": word})
        keyed.server.get(f"/v1/documents?q={word}")
    logged = "".join(str(vars(record)) for record in caplog.records)
    assert logged and word not in logged and "rk_" not in logged
    audit = keyed.server.state.options.audit
    assert audit is not None
    lines = [json.loads(line) for line in audit.read_text().splitlines()]
    newest = next(one for one in reversed(lines) if one["what"] == "search")
    assert (newest["who"], word in audit.read_text()) == ("search", False)
    folder = keyed.server.state.options.data
    assert all(b"rk_" not in file.read_bytes() for file in folder.rglob("*") if file.is_file())
    for path in (audit, keyed.keys.path, folder / FILE):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_questions_are_logged_where_that_was_asked_for(
    rulebook: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    audit = tmp_path / "audit.jsonl"
    with (
        caplog.at_level("INFO", logger="rirag.server"),
        running(rulebook, tmp_path, audit=audit, log_questions=True) as server,
    ):
        server.post("/v1/search", {"question": "first xylophone"})
        server.get("/search?q=second+xylophone")
        server.post("/v1/ask", {"question": "third xylophone"})
        server.get("/ask?q=fourth+xylophone")
    asked = [f"{count} xylophone" for count in ("first", "second", "third", "fourth")]
    lines = [json.loads(line) for line in audit.read_text().splitlines()]
    assert [one.get("question") for one in lines] == asked
    logged = [getattr(record, "question", None) for record in caplog.records]
    assert [one for one in logged if one] == asked


def test_an_answer_of_another_key_cannot_be_guessed(keyed: Keyed) -> None:
    made = keyed.ask("POST", "/v1/ask", "ask", json={"question": ASKED}).json()["answer_id"]
    assert len(made) >= 22
    assert keyed.ask("GET", f"/v1/answers/{made}", "ask").status_code == 200
    keyed.server.refused(
        keyed.ask("GET", f"/v1/answers/{made[:-1]}_", "ask"), 404, "answer.unknown"
    )


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "", "127.0.0.1.evil.example"]
)
def test_another_host_is_refused(server: Running, host: str) -> None:
    response = server.get("/v1/documents", headers={"Host": host})
    server.refused(response, 421, "request.host")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_write_from_another_site_is_refused(server: Running, headers: dict[str, str]) -> None:
    response = server.post("/v1/search", {"question": "x"}, headers=headers)
    server.refused(response, 403, "request.origin")
    own = server.post("/v1/search", {"question": "x"}, headers={"Origin": server.address})
    assert own.status_code == 200


def test_every_response_tells_browsers_what_they_may_do(server: Running) -> None:
    asked = [server.get(path) for path in ("/", "/v1/documents", "/v1/nothing", "/static/page.css")]
    asked.append(server.get("/", headers={"Host": "evil.example"}))
    for response in asked:
        headers = response.headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.com", "::"])
def test_an_open_address_needs_keys(host: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rirag keys add"):
        ServeOptions(host=host).check()
    empty = tmp_path / "keys.json"
    empty.write_text('{"keys": []}')
    with pytest.raises(InputError, match="no key"):
        ServeOptions(host=host, keys=empty).check()
    KeysFile(empty).add("one", ["search"])
    ServeOptions(host=host, keys=empty).check()


def test_a_keys_file_that_is_none_is_refused_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    for text in ("", "{", "[]", '{"keys": [{"name": "a"}]}', '{"kees": []}'):
        file.write_text(text)
        with pytest.raises(InputError, match=r"keys\.json: this is not a keys file"):
            KeysFile(file).keys()
    with pytest.raises(InputError, match="rirag keys add"):
        KeysFile(tmp_path / "none.json").keys()


def test_two_keys_have_two_names(tmp_path: Path) -> None:
    keys = KeysFile(tmp_path / "keys.json")
    first = keys.add("one", ["search"])
    with pytest.raises(InputError, match="already"):
        keys.add("one", ["ask"])
    with pytest.raises(InputError, match="is not a valid key name"):
        keys.add("a\nb", ["ask"])
    assert first not in keys.path.read_text()
    found = keys.find(first)
    assert found is not None and found.name == "one"
    assert keys.find(first + "x") is None


def test_a_broken_entry_of_the_keys_file_costs_that_key_alone(tmp_path: Path) -> None:
    file = KeysFile(tmp_path / "keys.json")
    secret = file.add("anna", ["search"])
    whole = file.path.read_text()
    entries = json.loads(whole)["keys"]
    file.path.write_text(json.dumps({"keys": [*entries, {"name": "ben"}]}))
    assert file.find(secret) is not None and file.problem
    file.path.write_text('{"keys": [')
    assert file.find(secret) is not None  # its last good state goes on
    file.path.write_text(whole)
    assert file.find(secret) is not None and not file.problem


def test_a_broken_line_of_the_audit_file_costs_that_line(tmp_path: Path) -> None:
    from rirag.server.storage.audit import BROKEN, Audit

    path = tmp_path / "audit.jsonl"
    path.write_text('{"time": "2026-11-28T18')
    audit = Audit(path)
    audit.write("anna", "search")
    assert [one["what"] for one in audit.newest(10)] == ["search", BROKEN]
    audit.close()

"""Uploads and jobs: what is loaded, what is refused, and what a crash leaves."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from rirag.server.jobs.uploads import KEPT_SECONDS, Uploads, safe_name
from rirag.server.jobs.worker import Worker
from rirag.server.options import Limits
from rirag.server.problems import Problem
from rirag.server.storage.database import FILE, Database
from rirag.server.storage.jobs import MOST_STARTS, Jobs
from search.engines.embedded.layout import LOCK
from search.errors import CancelledError, StorageError
from tests.cli_support import environment
from tests.rirag.server.running import Running, running

KILLS = int(os.environ.get("RIRAG_KILLS", "2"))
"""How many times the server is killed; `RIRAG_KILLS=100` tries harder."""

RULES = (
    b"---\ndocument_id: LANT\ntitle: Lantern Rules\n---\n"
    b"1\tLANTERNS\n1.1\tA keeper must light it.\n"
)


def test_a_disk_that_is_full_is_named_and_what_was_kept_before_stays(tmp_path: Path) -> None:
    database = Database(tmp_path / "data")
    jobs = Jobs(database)
    given: Any = {"maker": "", "bound": ""}
    jobs.add((), {}, job_id="before", same="before", **given)
    (pages,) = database.one("PRAGMA page_count") or ()
    database.one(f"PRAGMA max_page_count = {pages}")  # SQLite then fails as on a full disk
    with pytest.raises(StorageError, match="disk is full"):
        jobs.add((), {"note": "x" * 100_000}, job_id="after", same="after", **given)
    database.one("PRAGMA max_page_count = 100000")
    jobs.add((), {}, job_id="later", same="later", **given)
    assert [job.id for _, job in jobs.page(9)] == ["later", "before"]
    database.close()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Running]:
    """A server whose index is not there yet."""
    with running(tmp_path / "index", tmp_path) as server:
        yield server


def upload(server: Running, *files: tuple[str, bytes], **fields: str) -> httpx2.Response:
    sent = [("file", one) for one in files]
    return server.client.post("/v1/documents", files=sent, data=fields)


def test_the_first_upload_makes_the_index(empty: Running) -> None:
    assert empty.get("/readyz").status_code == 503
    assert "no documents yet" in empty.get("/").text
    empty.refused(empty.post("/v1/search", {"question": "lantern"}), 503, "index.missing")
    job = empty.loaded(upload(empty, ("lantern.txt", RULES), regime="common law"))
    assert (job["state"], job["documents"]["added"]) == ("done", ["LANT"])
    (file,) = job["files"]
    assert (file["name"], file["read"], file["passages"]) == ("lantern.txt", True, 2)
    assert empty.get("/readyz").status_code == 200
    (hit, *_) = empty.post("/v1/search", {"question": "Who must light it?"}).json()["hits"]
    assert hit["metadata"]["regime"] == "common law"


def test_an_upload_tells_of_documents_with_one_title(empty: Running) -> None:
    versions = [(f"lamps-{one}.md", b"# Lamps & Co\n\n1.1 Light it.\n") for one in "ab"]
    job = empty.loaded(upload(empty, *versions))
    (found,) = job["ingest"]["namesakes"]
    assert found["document_ids"] == ["lamps-a", "lamps-b"]
    page = empty.get(f"/jobs/{job['job_id']}").text
    assert "Several documents are called Lamps &amp; Co: lamps-a, lamps-b." in page


def test_an_upload_tells_what_was_guessed_of_its_files(empty: Running) -> None:
    windows = "1.1\tThe café <b> is lit.\n".encode("cp1252")
    marked = "1.1\tThe café is dark.\n".encode("utf-16")
    files = (("lit.txt", windows), ("dark.txt", marked), ("open.md", b"---\n1.1 Light it.\n"))
    job = empty.loaded(upload(empty, *files))
    assert job["documents"]["added"] == ["lit", "dark", "open"]
    page = empty.get(f"/jobs/{job['job_id']}").text
    for told in (
        "lit.txt is not UTF-8 and was read as Windows-1252.",
        "open.md: the front matter was read as text, because it is not YAML",
    ):
        assert [one for one in job["ingest"]["guesses"] if one.startswith(told)] and told in page
    assert len(job["ingest"]["guesses"]) == 2
    kinds = {one["name"]: [two["kind"] for two in one["warnings"]] for one in job["files"]}
    assert kinds == {"lit.txt": ["guess"], "dark.txt": [], "open.md": ["guess"]}


def test_a_document_is_replaced_and_deleted(empty: Running) -> None:
    empty.loaded(upload(empty, ("lantern.txt", RULES)))
    again = empty.loaded(upload(empty, ("lantern.txt", RULES)))
    assert again["documents"]["unchanged"] == ["LANT"]
    changed = empty.loaded(upload(empty, ("lantern.txt", RULES.replace(b"light", b"dim"))))
    assert changed["documents"]["changed"] == ["LANT"]
    assert empty.client.delete("/v1/documents/LANT").status_code == 204
    assert empty.get("/v1/documents").json()["documents"] == []
    empty.refused(empty.client.delete("/v1/documents/LANT"), 404, "document.unknown")


LEAVE = b"Leave Policy\n1.1\tStaff of the Dublin branch get 25 days of leave.\n"
TRAVEL = b"Travel Policy\n1.1\tStaff may fly business class above six hours.\n"


def test_another_document_of_the_same_file_name_is_refused(empty: Running) -> None:
    empty.loaded(upload(empty, ("policy.txt", LEAVE)))
    refused = empty.ended(upload(empty, ("policy.txt", TRAVEL)).json()["status_url"])
    assert (refused["state"], refused["problem"]["code"]) == ("failed", "source.other-document")
    (reason,) = refused["files"][0]["refused"]
    assert "'Travel Policy'" in reason and "'Leave Policy', 1 passage from policy.txt" in reason
    two = empty.loaded(upload(empty, ("policy.txt", TRAVEL), ("lantern.txt", RULES)))
    assert (two["documents"]["added"], two["documents"]["changed"]) == (["LANT"], [])
    assert two["files"][0]["refused"] == [reason]
    sent = [("file", ("policy.txt", TRAVEL))]
    assert "Leave Policy" in empty.client.post("/upload", files=sent).text
    beside = empty.loaded(upload(empty, ("policy.txt", TRAVEL), document_id="travel"))
    assert beside["documents"]["added"] == ["travel"]
    assert beside["metadata"] == {"document_id": "travel"}
    (hit, *_) = empty.post("/v1/search", {"question": "business class"}).json()["hits"]
    assert (hit["document_id"], "document_id" in hit["metadata"]) == ("travel", False)
    whole = empty.loaded(upload(empty, ("policy.txt", TRAVEL), replace="true"))
    assert whole["documents"]["changed"] == ["policy"]


@pytest.mark.parametrize(
    ("files", "fields", "told"),
    [
        ([("a.txt", LEAVE), ("b.txt", TRAVEL)], {"document_id": "x"}, "one file that holds one"),
        ([("a.jsonl", b'{"PassageID": "1", "Passage": "x"}')], {"document_id": "x"}, "of records"),
        ([("a.txt", LEAVE)], {"replace": "perhaps"}, "'replace' is 'true' or not sent"),
    ],
)
def test_a_document_id_or_replace_that_cannot_be_used_is_refused(
    empty: Running, files: list[tuple[str, bytes]], fields: dict[str, str], told: str
) -> None:
    sent = upload(empty, *files, **fields)
    if sent.status_code == 422:
        assert told in sent.json()["detail"]
    else:
        assert told in empty.ended(sent.json()["status_url"])["problem"]["detail"]


def test_pages_go_on_where_a_document_was_deleted(empty: Running) -> None:
    names = ("LANT0", "LANT1", "LANT2")
    files = [(f"{one}.txt", RULES.replace(b"LANT", one.encode())) for one in names]
    empty.loaded(upload(empty, *files))
    first = empty.get("/v1/documents", params={"limit": 1}).json()
    (seen,) = (one["document_id"] for one in first["documents"])
    assert empty.client.delete(f"/v1/documents/{seen}").status_code == 204
    rest = empty.get("/v1/documents", params={"cursor": first["next"]}).json()["documents"]
    assert [one["document_id"] for one in rest] == [one for one in names if one != seen]


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_loaded(empty: Running) -> None:
    job = empty.loaded(upload(empty, ("lantern.txt", RULES), ("broken.docx", b"no zip at all")))
    assert job["state"] == "done"
    read = {file["name"]: file for file in job["files"]}
    assert read["lantern.txt"]["read"] and not read["broken.docx"]["read"]
    assert read["broken.docx"]["refused"]


def test_a_file_that_no_reader_reads_does_not_keep_the_others_out(empty: Running) -> None:
    files = (
        ("tool.exe", b"MZ\0\1"),
        ("lantern.txt", RULES),
        ("cut.zip", b"PK\3\4 cut off"),
        ("nothing.pdf", b""),
    )
    job = empty.loaded(upload(empty, *files))
    assert (job["state"], job["documents"]["added"]) == ("done", ["LANT"])
    read = {file["name"]: file for file in job["files"]}
    assert read["lantern.txt"]["read"] and not read["lantern.txt"]["refused"]
    for name in ("tool.exe", "cut.zip", "nothing.pdf"):
        assert not read[name]["read"]
        (told,) = read[name]["refused"]
        assert told.startswith(f"{name}: ") and told in job["ingest"]["refused"]


def test_what_became_of_an_archive_is_told_with_its_files(empty: Running) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("rules/lantern.txt", RULES)
        archive.writestr("rules/bad.pdf", b"nothing")
        archive.writestr("rules/tool.exe", b"MZ")
    job = empty.loaded(upload(empty, ("rules.zip", packed.getvalue())))
    (file,) = job["files"]
    assert (job["state"], file["read"], file["passages"]) == ("done", True, 2)
    names = [one.partition(": ")[0] for one in file["refused"]]
    assert names == ["rules.zip/rules/bad.pdf", "rules.zip/rules/tool.exe"]
    assert str(empty.state.options.data) not in str(job)


def test_an_upload_of_nothing_readable_fails_with_a_sentence(empty: Running) -> None:
    job = empty.loaded(upload(empty, ("broken.pdf", b"%PDF-nothing")))
    assert (job["state"], job["problem"]["status"]) == ("failed", 422)
    (file,) = job["files"]
    assert file["refused"] == [job["problem"]["detail"]]
    assert "broken.pdf" in job["problem"]["detail"]
    assert str(empty.state.options.data) not in str(job)


def test_each_file_of_an_upload_that_fails_has_its_own_reason(empty: Running) -> None:
    job = empty.loaded(upload(empty, ("one.exe", b"MZ"), ("two.zip", b"PK\3\4 cut off")))
    assert (job["state"], job["problem"]["code"]) == ("failed", "source.refused")
    for file in job["files"]:
        (told,) = file["refused"]
        assert told.startswith(f"{file['name']}: ")


def test_a_file_that_would_grow_or_nest_without_end_fails_and_nothing_else(empty: Running) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"<a>" + b"x" * 30_000_000)
    entities = b'<!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><akomaNtoso>&b;</akomaNtoso>'
    hostile = {
        "bomb.docx": packed.getvalue(), "laughs.xml": entities, "deep.html": b"<div>" * 200_000,
        "deep.json": b"[" * 200_000,
    }  # fmt: skip
    for name, content in hostile.items():
        job = empty.loaded(upload(empty, (name, content)))
        assert (job["state"], job["problem"]["status"]) == ("failed", 422), job
        assert name in job["problem"]["detail"]
    assert empty.loaded(upload(empty, ("lantern.txt", RULES)))["state"] == "done"


@pytest.mark.parametrize(
    ("files", "fields", "status", "code"),
    [
        ([], {}, 415, "request.not-multipart"),
        ([("file", ("a.txt", b""))], {}, 422, "request.invalid"),
        ([("document", ("a.txt", RULES))], {}, 422, "request.invalid"),
        ([("file", ("..", RULES))], {}, 422, "request.invalid"),
        ([("file", ("a.txt", RULES))], {"passage_id": "X"}, 422, "request.invalid"),
        ([("file", ("a.txt", RULES))], {"bad name!": "X"}, 422, "request.invalid"),
        ([("file", ("a.txt", RULES))], {"client": "x" * 2000}, 422, "request.invalid"),
    ],
)
def test_a_bad_upload_gets_one_sentence(
    empty: Running, files: Any, fields: dict[str, str], status: int, code: str
) -> None:
    response = empty.client.post("/v1/documents", files=files, data=fields)
    empty.refused(response, status, code)
    assert not list((empty.state.options.data / "uploads").glob("*"))


def test_a_body_beyond_the_limit_is_refused_whatever_its_header_says(tmp_path: Path) -> None:
    limits = Limits(body_bytes=10_000, upload_bytes=20_000)
    with running(tmp_path / "index", tmp_path, limits=limits) as server:
        server.refused(upload(server, ("a.txt", b"x" * 30_000)), 413, "request.too-large")

        def chunks() -> Iterator[bytes]:
            for _ in range(30):
                yield b" " * 1000

        headers = {"content-type": "application/json"}
        response = server.client.post("/v1/search", content=chunks(), headers=headers)
        server.refused(response, 413, "request.too-large")


def test_a_body_that_does_not_come_is_given_up(tmp_path: Path) -> None:
    import socket

    limits = Limits(body_seconds=0.3)
    with running(tmp_path / "index", tmp_path, limits=limits) as server:
        host, port = server.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=10) as line:
            line.sendall(b"POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n"
                         b"Content-Type: application/json\r\n\r\n{")  # fmt: skip
            answer = b"".join(iter(lambda: line.recv(4096), b""))
    assert b" 408 " in answer.split(b"\r\n")[0] and b"request.too-slow" in answer


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a.txt", "a.txt"), ("../../etc/passwd", "passwd"), ("C:\\rules\\a.docx", "a.docx"),
        ("a\x00\n<b>.txt", "ab.txt"), (" .hidden ", "hidden"), ("é" * 300 + ".pdf", None),
    ],
)  # fmt: skip
def test_a_file_name_leads_nowhere(name: str, kept: str | None) -> None:
    found = safe_name(name)
    assert len(found.encode()) <= 200 and "/" not in found
    assert kept is None or found == kept


@pytest.mark.parametrize("name", ["", ".", "..", "/", "\\", "///", "\x00"])
def test_a_name_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(Problem):
        safe_name(name)


def test_the_same_upload_has_the_same_job_until_it_has_ended(empty: Running) -> None:
    with empty.state.writing:  # nothing is loaded meanwhile
        first, second = (upload(empty, ("lantern.txt", RULES)).json() for _ in range(2))
        other = upload(empty, ("other.txt", RULES)).json()
        assert first == second != other
        address = other["status_url"]
        assert empty.client.delete(address).status_code == 204
    assert empty.ended(first["status_url"])["state"] == "done"
    assert empty.ended(address)["state"] == "cancelled"
    empty.refused(empty.client.delete(address), 409, "job.ended")
    newest = [job["job_id"] for job in empty.get("/v1/jobs", params={"limit": 1}).json()["jobs"]]
    assert newest == [other["job_id"]]


def test_a_job_that_ends_the_server_again_and_again_is_given_up(tmp_path: Path) -> None:
    database = Database(tmp_path / "data")
    jobs = Jobs(database)
    jobs.add((), {}, job_id="bad", maker="", bound="", same="x")
    for _ in range(MOST_STARTS):
        assert jobs.next() is not None
        given_up = jobs.resume()
    assert [job.id for job in given_up] == ["bad"]
    database.close()
    with running(tmp_path / "index", tmp_path) as server:
        job = server.get("/v1/jobs/bad").json()
        assert (job["state"], job["problem"]["code"]) == ("failed", "server.failed")


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    """Kill the server in the middle of uploads; each job ends well after the restart."""
    rounds = KILLS
    source = random.Random(7)
    accepted: list[str] = []
    stored: list[str] = []
    for number in range(rounds):
        process, address = _started(tmp_path)
        try:
            with httpx2.Client(base_url=address, timeout=60) as client:
                if number:
                    for made in stored:
                        assert client.get(f"/v1/answers/{made}").status_code == 200
                body = RULES.replace(b"LANT", f"LANT{number}".encode())
                sent = client.post("/v1/documents", files={"file": (f"l{number}.txt", body)})
                accepted.append(sent.json()["status_url"])
                if number:
                    made = client.post("/v1/ask", json={"question": "lantern"}).json()
                    stored.append(made["answer_id"])
                    said = {"answer_id": made["answer_id"], "verdict": "right"}
                    assert client.post("/v1/feedback", json=said).status_code == 204
                elif not _ended(client, accepted[0]):
                    raise AssertionError("the first load has not ended")
                time.sleep(source.random() * 0.5)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    process, address = _started(tmp_path)
    try:
        with httpx2.Client(base_url=address, timeout=60) as client:
            states = [_ended(client, one) for one in accepted]
            done = {f"LANT{number}" for number, state in enumerate(states) if state == "done"}
            given_up = [
                one for one, state in zip(accepted, states, strict=True) if state == "failed"
            ]
            assert len(done) + len(given_up) == rounds
            assert len(given_up) <= rounds // MOST_STARTS
            for one in given_up:
                detail = client.get(one).json()["problem"]["detail"]
                assert detail.startswith(f"the server stopped {MOST_STARTS} times")
            documents, address = [], "/v1/documents?limit=100"
            while address:
                page = client.get(address).json()
                documents += [one["document_id"] for one in page["documents"]]
                address = f"/v1/documents?limit=100&cursor={page['next']}" if page["next"] else ""
            assert sorted(documents) == sorted(done)
            kept = client.get("/v1/feedback").json()["feedback"]
            assert {one["answer_id"] for one in kept} == set(stored)
    finally:
        process.terminate()
        assert process.wait(30) == -signal.SIGTERM  # after everything was closed


class Blocked:
    """Loads until a job is cancelled or its server stops; notes each job that it begins."""

    def __init__(self) -> None:
        self.begun: list[str] = []

    def load(self, job: Any, paths: Any, progress: Any, cancelled: Any, refused: Any = ()) -> Any:
        self.begun.append(job.id)
        while not cancelled():
            time.sleep(0.01)
        raise CancelledError("the work was cancelled")


def until(holds: Callable[[], bool]) -> None:
    for _ in range(3000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it has not happened")


def test_of_two_servers_on_a_folder_one_works_and_the_other_takes_over(tmp_path: Path) -> None:
    database = Database(tmp_path)
    jobs, uploads = Jobs(database), Uploads(tmp_path)
    job_id, files = uploads.keep([("a.txt", io.BytesIO(RULES))])
    job, _ = jobs.add(tuple(files), {}, job_id=job_id, maker="", bound="", same="a")

    def state() -> str:
        found = jobs.get(job_id)
        assert found is not None
        return found.state

    loaders = Blocked(), Blocked()
    first, second = (Worker(jobs, uploads, one, threading.Lock()) for one in loaders)
    first.start()
    until(lambda: bool(loaders[0].begun))
    second.start()
    second.wake()
    time.sleep(0.2)
    assert (state(), loaders[0].begun, loaders[1].begun) == ("running", [job_id], [])
    first.stop()
    until(lambda: bool(loaders[1].begun))
    third = Worker(jobs, uploads, Blocked(), threading.Lock())
    third.cancel(job)  # by a server that does not work on it
    until(lambda: state() == "cancelled")
    second.stop()
    assert uploads.paths(job_id) == []
    database.close()


def test_files_that_another_server_receives_are_not_swept(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    old, young = (uploads.keep([("a.txt", io.BytesIO(RULES))])[0] for _ in range(2))
    long_ago = time.time() - 2 * KEPT_SECONDS
    os.utime(uploads.folder / old, (long_ago, long_ago))
    uploads.sweep(())
    assert [one.name for one in uploads.folder.iterdir()] == [young]


def test_a_job_stays_with_its_server_until_that_is_killed(tmp_path: Path) -> None:
    servers = [_started(tmp_path)]
    try:
        client = httpx2.Client(base_url=servers[0][1], timeout=60)

        def upload(body: bytes) -> str:
            sent = client.post("/v1/documents", files={"file": ("l.txt", body)})
            return str(sent.json()["job_id"])

        def starts(job: str) -> tuple[str, int]:
            with contextlib.closing(sqlite3.connect(tmp_path / "rirag-server" / FILE)) as file:
                found = file.execute("SELECT state, starts FROM jobs WHERE id = ?", (job,))
                state, count = found.fetchone()
            return state, count

        first = upload(RULES)
        until(lambda: starts(first) == ("done", 1))
        with (tmp_path / "index" / LOCK).open() as index:
            fcntl.flock(index, fcntl.LOCK_EX)  # as another load would: the job cannot end
            job = upload(RULES + b"1.2\tOr else.\n")
            until(lambda: starts(job) == ("running", 1))
            servers.append(_started(tmp_path))
            time.sleep(2)  # in which the second server has looked for jobs
            assert starts(job) == ("running", 1)
            os.kill(servers[0][0].pid, signal.SIGKILL)
            until(lambda: starts(job) == ("running", 2))
        until(lambda: starts(job) == ("done", 2))
    finally:
        client.close()
        for process, _ in servers:
            process.kill()
            process.wait()


def _started(folder: Path) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "rirag", "serve", "--port", "0", "--index", "index"]
    process = subprocess.Popen(
        command, cwd=folder, env=environment(), text=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    with process.stdout as output:
        address = output.readline().split()[-1]
    until = time.monotonic() + 300
    while time.monotonic() < until:
        try:
            if httpx2.get(f"{address}/livez").status_code == 200:
                return process, address
        except httpx2.HTTPError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


def _ended(client: httpx2.Client, address: str) -> str:
    until = time.monotonic() + 300
    while time.monotonic() < until:
        state = str(client.get(address).json()["state"])
        if state in ("done", "failed", "cancelled"):
            return state
        time.sleep(0.05)
    return ""


LAMPS = "---\ndocument_id: {}\ntitle: Lamp Rules\n---\n1\tLAMPS\n{} A keeper must {} the lamp.\n"


@pytest.mark.parametrize(
    ("file", "change", "note"),
    [
        ("\n" + LAMPS.format("LAMP", "1.1", "light"), None, "have not changed"),
        (LAMPS.format("LAMP", "1.1", "F1[light]"), None, "have not changed"),
        (LAMPS.format("LAMP-2", "1.1", "light"), None, "have not changed"),
        (LAMPS.format("LAMP", "1.1", "dim"), ("changed", ""), "The words of this rule have"),
        (LAMPS.format("LAMP", "1.2", "light"), ("moved", "1.2"), "now has the number 1.2"),
        (LAMPS.format("LAMP", "1.2", "dim"), ("removed", ""), "no longer has this rule"),
        (
            LAMPS.format("LAMP\nstatus: repealed", "1.1", "light"),
            ("not-in-force", ""),
            "This rule is not in force now",
        ),
    ],
)
def test_a_stored_answer_says_what_became_of_its_rules(
    tmp_path: Path, file: str, change: tuple[str, str] | None, note: str
) -> None:
    import indexer

    source, index = tmp_path / "lamps.txt", tmp_path / "index"
    source.write_text(LAMPS.format("LAMP", "1.1", "light"))
    indexer.ingest(source, index)
    with running(index, tmp_path) as server:
        asked = {"question": "Must a keeper light the lamp?"}
        answer = server.post("/v1/ask", asked).json()
        assert [one["passage_id"] for one in answer["citations"]] == ["1.1"]
        source.write_text(file)
        indexer.ingest(source, index, prune=True)
        server.state.service().refresh()
        found = server.get(f"/v1/answers/{answer['answer_id']}").json()["changed"]
        assert [(one["change"], one["number"]) for one in found] == ([change] if change else [])
        assert note in server.get(f"/a/{answer['answer_id']}").text
        kind = change[0] if change else ""
        for place in (f"/v1/answers/{answer['answer_id']}", f"/a/{answer['answer_id']}"):
            sheet = server.get(f"{place}?format=md").text
            assert (f"this answer was given: 1.1 ({kind})." in sheet) == bool(change)
        kept = server.get(f"/a/{answer['answer_id']}?format=json").json()["changed"]
        assert kept == found

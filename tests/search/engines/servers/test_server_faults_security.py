"""An Elasticsearch with TLS, passwords and API keys: what each caller may, and what is told."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cli_support
import pytest
from engine_samples import ids, question, texts
from fault_support import EVERY_WAY, ServerIndex, at, loaded, sentence
from server_processes import TestServer

from search.errors import IndexUnavailableError, RiragError

LOADING = ["all"]
SEARCHING = ["read", "view_index_metadata"]


@pytest.fixture
def url(secure_elasticsearch: TestServer, fresh_name: str) -> str:
    return f"{secure_elasticsearch.url}/{fresh_name}"


@pytest.fixture
def index(secure_elasticsearch: TestServer, url: str) -> ServerIndex:
    """An index with one document, as its owner sees it."""
    index = with_key(secure_elasticsearch, url, make_key(secure_elasticsearch, LOADING))
    index.write(texts("A", "a rule for brokers"))
    return index


@pytest.fixture
def before(secure_elasticsearch: TestServer, index: ServerIndex) -> Iterator[None]:
    """Checks that the test leaves the index as it was."""
    name = index.url.rpartition("/")[2]
    there = secure_elasticsearch.indices(name)
    yield
    assert secure_elasticsearch.indices(name) == there
    assert [passage.text for passage in index.content()] == ["a rule for brokers"]


def make_key(
    server: TestServer, rights: list[str], names: str = "t-*", expiration: str = "1h"
) -> dict[str, Any]:
    role = {"cluster": ["monitor"] if "all" in rights else [], "index": []}
    role["index"] = [{"names": [names], "privileges": rights}]
    body = {"name": "test", "expiration": expiration, "role_descriptors": {"role": role}}
    key: dict[str, Any] = server.call("POST", "/_security/api_key", body)
    return key


def with_key(server: TestServer, url: str, key: dict[str, Any]) -> ServerIndex:
    return at(url, api_key=key["encoded"], ca_file=server.report["ca_file"])


def test_a_key_with_all_rights_on_the_name_loads_and_searches(index: ServerIndex) -> None:
    with index.opened() as engine:
        assert ids(engine, engine.run(question("brokers")).lexical) == ["A/1"]
        assert engine.describe().engine.startswith("Elasticsearch 9.")


def test_user_and_password_load_and_search(secure_elasticsearch: TestServer, url: str) -> None:
    server = secure_elasticsearch
    index = at(url, user="elastic", password=server.password, ca_file=server.report["ca_file"])
    index.write(texts("A", "a rule for brokers"))
    assert len(index.content()) == 1


def test_a_key_that_may_only_read_can_search(
    secure_elasticsearch: TestServer, index: ServerIndex, before: None
) -> None:
    reader = with_key(secure_elasticsearch, index.url, make_key(secure_elasticsearch, SEARCHING))
    with reader.opened() as engine:
        for retriever in (
            engine.run(question("brokers")).lexical,
            engine.run(question("rule")).dense,
        ):
            assert ids(engine, retriever) == ["A/1"]
        assert engine.verify() == []
        assert len(engine.documents()) == 1


def test_a_key_that_may_only_read_cannot_load(
    secure_elasticsearch: TestServer, index: ServerIndex, before: None
) -> None:
    key = make_key(secure_elasticsearch, SEARCHING)
    reader = with_key(secure_elasticsearch, index.url, key)
    said = sentence(lambda: loaded(reader), RiragError, key["encoded"], key["api_key"])
    assert "lacks a permission on the index" in said


def test_a_key_for_other_names_can_do_nothing(
    secure_elasticsearch: TestServer, index: ServerIndex, before: None
) -> None:
    key = make_key(secure_elasticsearch, LOADING, names="other-*")
    stranger = with_key(secure_elasticsearch, index.url, key)
    for way in EVERY_WAY:
        said = sentence(lambda way=way: way(stranger), RiragError, key["encoded"])
        assert "lacks a permission on the index" in said


def test_opensearch_is_not_mistaken_for_it_by_who_may_not_ask_for_the_version(
    secure_elasticsearch: TestServer, index: ServerIndex, before: None
) -> None:
    key = make_key(secure_elasticsearch, SEARCHING)
    swapped = index.url.replace("elasticsearch+", "opensearch+")
    reader = with_key(secure_elasticsearch, swapped, key)
    for way in EVERY_WAY:
        said = sentence(lambda way=way: way(reader), IndexUnavailableError, key["encoded"])
        assert "is not OpenSearch but Elasticsearch; if it is" in said


@pytest.mark.parametrize("way", EVERY_WAY, ids=lambda way: way.__name__)
def test_no_credentials_are_asked_for(
    secure_elasticsearch: TestServer, index: ServerIndex, before: None, way: Any
) -> None:
    nobody = at(index.url, ca_file=secure_elasticsearch.report["ca_file"])
    said = sentence(lambda: way(nobody), IndexUnavailableError)
    assert "asks for credentials; set RIRAG_SERVER_API_KEY" in said


@pytest.mark.parametrize("way", EVERY_WAY, ids=lambda way: way.__name__)
@pytest.mark.parametrize("key", ["c2VjcmV0", "c2VjcmV0OnMzY3JldA==", "s3cret"])
def test_a_wrong_key_is_told_and_not_shown(
    secure_elasticsearch: TestServer, index: ServerIndex, before: None, way: Any, key: str
) -> None:
    wrong = at(index.url, api_key=key, ca_file=secure_elasticsearch.report["ca_file"])
    said = sentence(lambda: way(wrong), IndexUnavailableError, key)
    assert "rejects the API key" in said


def test_a_wrong_password_is_told_and_not_shown(
    secure_elasticsearch: TestServer, index: ServerIndex, before: None
) -> None:
    ca_file = secure_elasticsearch.report["ca_file"]
    wrong = at(index.url, user="elastic", password="s3cret", ca_file=ca_file)
    for way in EVERY_WAY:
        said = sentence(lambda way=way: way(wrong), IndexUnavailableError)
        assert "rejects the user 'elastic' or its password" in said


def test_an_expired_key_is_told(
    secure_elasticsearch: TestServer, index: ServerIndex, before: None
) -> None:
    key = make_key(secure_elasticsearch, LOADING, expiration="1s")
    time.sleep(1.5)
    late = with_key(secure_elasticsearch, index.url, key)
    for way in EVERY_WAY:
        said = sentence(lambda way=way: way(late), IndexUnavailableError, key["encoded"])
        assert "rejects the API key" in said
        assert "expired" in said


def test_a_key_that_is_revoked_during_a_load_leaves_the_index_as_it_was(
    secure_elasticsearch: TestServer, index: ServerIndex
) -> None:
    key = make_key(secure_elasticsearch, LOADING)
    loader = with_key(secure_elasticsearch, index.url, key)

    def revoked_while_loading() -> None:
        with loader.begin() as load:
            load.delete_document("A")
            secure_elasticsearch.call("DELETE", "/_security/api_key", {"ids": [key["id"]]})
            load.commit()

    said = sentence(revoked_while_loading, IndexUnavailableError, key["encoded"])
    assert "rejects the API key" in said
    assert [passage.text for passage in index.content()] == ["a rule for brokers"]


def test_the_server_is_not_trusted_without_its_authority(
    secure_elasticsearch: TestServer, index: ServerIndex, before: None
) -> None:
    key = make_key(secure_elasticsearch, LOADING)
    index = at(index.url, api_key=key["encoded"])
    for way in EVERY_WAY:
        said = sentence(lambda way=way: way(index), IndexUnavailableError, key["encoded"])
        assert "is not trusted" in said


def test_plain_http_to_the_secure_server_is_told(
    secure_elasticsearch: TestServer, index: ServerIndex, before: None
) -> None:
    plain = at(index.url.replace("https:", "http:"), user="elastic", password="s3cret")
    for way in EVERY_WAY:
        assert "+https://" in sentence(lambda way=way: way(plain), IndexUnavailableError)


def test_the_command_line_reads_the_credentials_from_files(
    secure_elasticsearch: TestServer, url: str, tmp_path: Path
) -> None:
    (tmp_path / "rules.txt").write_text("1\tA broker must hold a licence.\n", encoding="utf-8")
    variables = {
        "RIRAG_SERVER_USER": "elastic",
        "RIRAG_SERVER_PASSWORD_FILE": secure_elasticsearch.report["password_file"],
        "RIRAG_SERVER_CA_FILE": secure_elasticsearch.report["ca_file"],
    }
    done = cli_support.run("ingest", "rules.txt", "--index", url, cwd=tmp_path, variables=variables)
    assert done.code == 0, done
    found = cli_support.run(
        "search", "licence", "--index", url, "--json", cwd=tmp_path, variables=variables
    )
    assert [hit["passage_id"] for hit in found.json["hits"]] == ["1"]
    shown = cli_support.run("doctor", "--index", url, cwd=tmp_path, variables=variables)
    assert secure_elasticsearch.password not in shown.out + shown.err


def test_the_command_line_hides_a_wrong_key(
    secure_elasticsearch: TestServer, url: str, tmp_path: Path
) -> None:
    variables = {
        "RIRAG_SERVER_API_KEY": "c2VjcmV0",
        "RIRAG_SERVER_CA_FILE": secure_elasticsearch.report["ca_file"],
    }
    done = cli_support.run("search", "fees", "--index", url, cwd=tmp_path, variables=variables)
    assert "c2VjcmV0" not in done.refused(3)

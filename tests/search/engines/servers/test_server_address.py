"""Index URLs of servers are taken apart, and those that cannot be used are refused."""

from __future__ import annotations

import pytest

from search.answered_questions.questions import url_beside
from search.engines.servers.connection import address as names
from search.engines.servers.connection.address import MAX_NAME_BYTES, PRODUCTS, ServerAddress
from search.errors import InputError


@pytest.mark.parametrize(
    ("url", "product", "node", "name"),
    [
        ("elasticsearch+http://h:9200/rules", "elasticsearch", "http://h:9200", "rules"),
        ("opensearch+https://h/rules", "opensearch", "https://h:9200", "rules"),
        ("OpenSearch+HTTPS://h:443/rules/", "opensearch", "https://h:443", "rules"),
        ("elasticsearch+http://[::1]:9/a-b_c.d", "elasticsearch", "http://[::1]:9", "a-b_c.d"),
        ("opensearch+http://a_b.exämple.com./r", "opensearch", "http://a_b.exämple.com.:9200", "r"),
    ],
)
def test_a_url_is_taken_apart(url: str, product: str, node: str, name: str) -> None:
    assert ServerAddress.parse(url) == ServerAddress(url, product, node, name)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("elasticsearch://h:9200/rules", "write it like elasticsearch+http://"),
        ("elasticsearch+ftp://h/rules", "write it like"),
        ("elasticsearch+http://h:9200", "has no name"),
        ("elasticsearch+http://h:9200/", "has no name"),
        ("elasticsearch+http:///rules", "write it like"),
        ("elasticsearch+http://h:port/rules", "is not a URL"),
        ("elasticsearch+http://h:99999/rules", "is not a URL"),
        ("elasticsearch+http://h/rules?pretty", "write it like"),
        ("elasticsearch+http://h/Rules", "lower-case letters"),
        ("elasticsearch+http://h/a/b", "lower-case letters"),
        ("elasticsearch+http://h/_rules", "begin with a letter or digit"),
        ("elasticsearch+http://h/" + "a" * (MAX_NAME_BYTES + 1), "at most"),
    ],
)
def test_what_cannot_be_used_is_told(url: str, told: str) -> None:
    with pytest.raises(InputError, match=told.replace("+", r"\+")):
        ServerAddress.parse(url)


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize(
    "host",
    ["search..example.com", "a" * 64, "exämple..com", "[fe80::1%25lo]", "127.0.0.1 ", "a\\b",
     "a*b", "%41", "☃.net"],
)  # fmt: skip
def test_what_is_no_host_is_told(product: str, host: str) -> None:
    with pytest.raises(InputError, match="is not a host name or address; write it like"):
        ServerAddress.parse(f"{product}+http://{host}:9200/rules")


def test_port_0_is_told() -> None:
    with pytest.raises(InputError, match="no server answers at port 0; write it like"):
        ServerAddress.parse("elasticsearch+http://h:0/rules")


@pytest.mark.parametrize(
    "url",
    ["elasticsearch+http://me:s3cret@h/rules", "solr+http://me:s3cret@h/rules",
     "elasticsearch+http://me:s3cret@h:port/rules", "elasticsearch+http://me:a/s3cret@h/rules",
     "elasticsearch+http://me:a@s3cret@h/rules", "elasticsearch+http://me:a?s3cret@h/rules",
     "elasticsearch+http://h/rules?key=s3cret", "elasticsearch+http://h/rules#s3cret"],
)  # fmt: skip
def test_a_secret_in_a_url_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InputError) as error:
        ServerAddress.parse(url)
    assert "s3cret" not in str(error.value)


def test_the_longest_name_has_room_for_an_index_beside_it() -> None:
    longest = "elasticsearch+http://h:9200/" + "a" * MAX_NAME_BYTES
    for url in (longest, f"{longest}/"):
        beside = url_beside(url)
        name = ServerAddress.parse(beside).name
        assert name == "a" * MAX_NAME_BYTES + "-questions"
        assert max(map(len, ServerAddress.parse(beside).indices(STAMP))) <= 255


STAMP = names.new_generation()
RULES = ServerAddress.parse("opensearch+http://h/rules")
PARTS = {
    "-documents": RULES.aliases[1],
    "-load": RULES.of_load[0],
    "-load-1": RULES.of_load[1],
    f"-{STAMP}": RULES.indices(STAMP)[0],
}


@pytest.mark.parametrize(("ending", "name"), PARTS.items(), ids=range(len(PARTS)))
def test_no_index_is_called_like_a_part_of_another(ending: str, name: str) -> None:
    with pytest.raises(InputError) as refused:
        ServerAddress.parse(f"opensearch+http://h/{name}")
    assert str(refused.value) == (
        f"the index name {name!r} cannot be used: a part of an index 'rules' has this "
        f"name; choose a name that does not end in {ending}"
    )


def test_the_documents_of_a_generation_are_a_part_too() -> None:
    assert names.part_of(RULES.indices(STAMP)[1]) is not None


@pytest.mark.parametrize(
    "name",
    ["documents", "load", "load-1", "legal_documents", "documents-2", "rules-load-2", "rules-1",
     "rules-20261121", "rules-loads", "rules-questions", "rules.documents", STAMP],
    ids=range(12),
)  # fmt: skip
def test_other_names_are_free(name: str) -> None:
    assert ServerAddress.parse(f"opensearch+http://h/{name}").name == name

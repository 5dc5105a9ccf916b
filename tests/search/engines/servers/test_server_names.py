"""Names on a server: each says what it is, and no index can be called like a part of another."""

from __future__ import annotations

import pytest

from search.engines.servers.connection import names
from search.engines.servers.connection.address import ServerAddress
from search.errors import InputError

STAMP = names.new_generation()
PARTS = {
    "-documents": names.document_alias("rules"),
    "-load": names.load_alias("rules"),
    "-load-1": names.load_index("rules"),
    f"-{STAMP}": names.passage_index("rules", STAMP),
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
    assert names.part_of(names.document_index("rules", STAMP)) is not None


@pytest.mark.parametrize(
    "name",
    ["documents", "load", "load-1", "legal_documents", "documents-2", "rules-load-2", "rules-1",
     "rules-20261121", "rules-loads", "rules-questions", "rules.documents", STAMP],
    ids=range(12),
)  # fmt: skip
def test_other_names_are_free(name: str) -> None:
    assert ServerAddress.parse(f"opensearch+http://h/{name}").name == name

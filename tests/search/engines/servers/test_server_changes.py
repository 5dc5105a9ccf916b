"""Which documents of an index stay, go and come, and where: no server needed."""

from __future__ import annotations

from engine_samples import passage, record

from search.engines.servers.indexing.actions import WholeDocument, ancestors
from search.engines.servers.indexing.current import Change, DocumentEntry
from search.engines.servers.records import metadata_of


def entry(position: int, document_id: str, passages: int = 2) -> DocumentEntry:
    return DocumentEntry(position, document_id, "hash", passages, 0, ("kind",))


CURRENT = [entry(0, "A"), entry(1, "B"), entry(4, "E", 5)]


def test_new_documents_come_after_the_last_one() -> None:
    change = Change.of(CURRENT, ["Y", "X"], {"Y": 1, "X": 3}, set())
    assert change.placed == {"Y": 5, "X": 6}
    assert change.kept == tuple(CURRENT) and change.gone == ()
    assert (change.passages, change.total) == (4, 13)


def test_a_replaced_document_keeps_its_position() -> None:
    change = Change.of(CURRENT, ["B"], {"B": 7}, set())
    assert change.placed == {"B": 1}
    assert [one.document_id for one in change.gone] == ["B"]
    assert [one.document_id for one in change.kept] == ["A", "E"]
    assert change.total == 14


def test_a_deleted_document_goes() -> None:
    change = Change.of(CURRENT, [], {}, {"A"})
    assert [one.document_id for one in change.gone] == ["A"]
    assert change.total == 7


def test_a_document_that_lost_all_its_passages_goes() -> None:
    change = Change.of(CURRENT, ["A"], {}, set())
    assert change.placed == {}
    assert [one.document_id for one in change.gone] == ["A"]


def test_the_first_document_has_position_0() -> None:
    assert Change.of([], ["A", "B"], {"A": 1, "B": 1}, set()).placed == {"A": 0, "B": 1}


def test_ancestors_come_outermost_first() -> None:
    parents = {"1": None, "1.2": "1", "1.2.3": "1.2", "9": "not here"}
    assert ancestors("1.2.3", parents) == ("1", "1.2")
    assert ancestors("1", parents) == ()
    assert ancestors("9", parents) == ("not here",)


def test_ancestors_of_a_circle_end() -> None:
    parents = {"self": "self", "a": "b", "b": "c", "c": "a"}
    assert ancestors("self", parents) == ()
    assert ancestors("a", parents) == ("c", "b")


def test_a_document_has_what_its_passages_share() -> None:
    whole = WholeDocument("D", 3, "hash", "the versions")
    whole.add(record(passage("D", "1", "First.", document_title="", metadata={"a": 1, "b": "x"})))
    whole.add(record(passage("D", "2", " ", document_title="The D", metadata={"a": 1, "b": "y"})))
    whole.add(record(passage("D", "3", "Third.", metadata={"a": 1, "c": ("t",)})))
    source = whole.source()
    assert (source["title"], source["history"]) == ("The D", "the versions")
    assert metadata_of(source["metadata"]) == {"a": 1}
    assert source["text"] == "first third"
    assert (source["row"], source["passages"], source["empty"]) == (3, 3, 1)
    assert source["fields"] == ["a", "b", "c", "document_id", "kind"]

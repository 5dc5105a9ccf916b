"""The feed of changes, as a library that reads feeds sees it."""

from __future__ import annotations

import feedparser

from rirag.reports.atom import atom
from search.versions.changes import Affected, Amendment
from search.versions.compare import Change, Comparison

CHANGED = Change(
    "changed", "§ 2", heading="Fees & <dues>", before="x < 5", after="x < 6",
    diff=(("equal", "x < "), ("delete", "5"), ("insert", "6\x0b")), words_changed=True,
)  # fmt: skip
MOVED = Change("moved", "§ 4", "§ 3", after="<script>alert(1)</script>")
AFFECTED = Affected("answered-question", "q1", "How much?", "§ 2")


def amendment(*changes: Change, day: str = "2024-03-01") -> Amendment:
    found = Comparison("act", "2020-01-01", day, changes)
    return Amendment("Lamp & Oil Act", day, "past", found, affects=(AFFECTED,))


def test_each_change_is_an_entry() -> None:
    feed = feedparser.parse(atom([amendment(CHANGED, MOVED)], "rirag-index"))
    assert (feed.bozo, feed.version) == (False, "atom10")
    assert feed.feed.updated == "2024-03-01T00:00:00Z"
    first, second = feed.entries
    assert first.title == "§ 2 Fees & <dues>: changed (Lamp & Oil Act)"
    assert second.title == "§ 4: moved from § 3, words unchanged (Lamp & Oil Act)"
    assert (first.updated, first.tags[0].term) == ("2024-03-01T00:00:00Z", "act")
    content = first.content[0].value
    assert "x &lt; <del>5</del><ins>6</ins>" in content
    assert "answered question q1: How much?" in content


def test_no_text_of_a_source_is_markup() -> None:
    assert "&amp;lt;script&amp;gt;" in atom([amendment(MOVED)], "rirag-index")


def test_ids_stay_and_are_unlike_one_another() -> None:
    written = [amendment(CHANGED, MOVED, CHANGED), amendment(CHANGED, day="2025-01-01")]
    found, again = (feedparser.parse(atom(written, "rirag-index")) for _ in range(2))
    ids = [one.id for one in found.entries]
    assert ids == [one.id for one in again.entries]
    assert len({*ids, found.feed.id}) == 5
    assert all(one.startswith("urn:uuid:") for one in ids)
    assert [one.id for one in feedparser.parse(atom(written[1:], "x")).entries] == ids[3:]


def test_addresses_are_links() -> None:
    url = "https://rules.example/v1/changes"
    text = atom([amendment(CHANGED)], url, lambda one, change: f"{url}/{one.valid_from}")
    feed = feedparser.parse(text)
    assert feed.feed.links[0].href == url
    assert feed.entries[0].link == f"{url}/2024-03-01"


def test_no_change_is_a_feed_without_entries() -> None:
    feed = feedparser.parse(atom([], "rirag-index"))
    assert (feed.bozo, feed.entries, bool(feed.feed.id)) == (False, [], True)

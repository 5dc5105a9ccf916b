"""The comparison of two versions that shares no code with rirag."""

from __future__ import annotations

from benchmarks.versions_measured import Articles, changes, differing

LAMPS = "Every lamp in a street burns from sunset until the watch ends."
BOATS = "A ferry carries no more than forty people across the harbour at night."
BREAD = "Bakers sell bread by weight, and mark the year of the oven."


def articles(*texts: str) -> Articles:
    return {
        f"article{number}": {"heading": None, "text_md": text}
        for number, text in enumerate(texts, start=1)
    }


def test_words_alone_make_a_difference_and_runs_of_words_a_move() -> None:
    old = articles(LAMPS, BOATS, "It costs 1 250 crowns.")
    assert (
        differing(old, articles(LAMPS.upper(), f"►M1 {BOATS} ◄", "It costs 1250 crowns")) == set()
    )
    new = articles(BREAD, LAMPS, "It costs 1 500 crowns.", BOATS)
    assert changes(old, new) == {
        ("added", "article1"), ("moved", "article1", "article2"), ("changed", "article3"),
        ("moved", "article2", "article4"),
    }  # fmt: skip

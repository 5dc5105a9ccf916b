"""Nesting told by labels alone."""

import pytest

from indexer.structuring.acts.open_lists import ListLabels
from indexer.structuring.acts.provisions import Provision
from indexer.structuring.labels.order import readings


def nested(labels, below=frozenset()):
    """Return the paths of labels, as `a/i` for `(i)` below `(a)`."""
    root, lists = Provision("paragraph"), ListLabels()
    for index, label in enumerate(labels):
        item = Provision("point", label.strip("()."), label=label)
        lists.place(item, root, index in below).parts.append(item)
    return list(paths(root, ""))


def paths(provision, prefix):
    for child in provision.children():
        yield prefix + child.number
        yield from paths(child, f"{prefix}{child.number}/")


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("(a) (b) (c)", "a b c"),
        ("(a) (i) (ii) (b)", "a a/i a/ii b"),
        ("(1) (a) (i) (2)", "1 1/a 1/a/i 2"),
        ("(b) (ba) (bb) (c)", "b ba bb c"),
        ("(z) (aa) (ab)", "z aa ab"),
        ("(7) (10)", "7 10"),
        ("1. 1a. 2.", "1 1a 2"),
        ("(a) (A) (B) (b)", "a a/A a/B b"),
        ("(a) — — (b)", "a a/— a/— b"),
        ("(a) (b) (a)", "a b a"),
        ("(c) (c.1) (c.2) (d)", "c c.1 c.2 d"),
        ("(g) (I) (II) (h)", "g g/I g/II h"),
        ("(H) (I) (J)", "H I J"),
        ("(a) (b) (c) (d) (e) (f) (5) (a) (6)", "a b c d e f 5 5/a 6"),
        ("(a) (1) (2) (b)", "a a/1 a/2 b"),
    ],
)
def test_labels_nest(labels, found):
    assert nested(labels.split()) == found.split()


def test_i_after_h_is_a_letter():
    labels = [f"({letter})" for letter in "abcdefghij"]
    assert nested(labels) == list("abcdefghij")


def test_i_after_h_and_a_colon_is_a_numeral():
    labels = [*(f"({letter})" for letter in "abcdefgh"), "(i)", "(ii)", "(i)"]
    assert nested(labels, below={8})[-3:] == ["h/i", "h/ii", "i"]


def test_a_label_may_have_two_readings():
    assert [reading.style for reading in readings("(i)")] == ["letter", "roman"]
    assert [reading.order for reading in readings("(bb)")] == [(2, "b"), (28, "")]
    assert readings("—")[0].style == "dash"


def test_a_list_behind_a_colon_may_look_like_one_further_out():
    labels = ["(a)", "(1)", "(i)", "(a)", "(b)", "(ii)", "(2)", "(b)"]
    found = nested(labels, below={3})
    assert found == ["a", "a/1", "a/1/i", "a/1/i/a", "a/1/i/b", "a/1/ii", "a/2", "b"]


def test_a_list_may_begin_within_the_text_of_an_item():
    root, lists = Provision("paragraph"), ListLabels()
    spoken = {"(1)": "Rights. (a) To ask. (I) Once.", "(II)": "Twice.", "(b)": "No."}
    for label, text in spoken.items():
        item = Provision("point", label.strip("()"), parts=[text], label=label)
        lists.place(item, root).parts.append(item)
    assert list(paths(root, "")) == ["1", "1/II", "1/b"]

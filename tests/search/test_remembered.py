"""Values that are looked up once."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from search.caches import Remembered


class Squares:
    """Looks up squares of even numbers, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def __call__(self, keys: Sequence[int]) -> dict[int, int]:
        self.asked.append(list(keys))
        return {key: key * key for key in keys if key % 2 == 0}


def test_what_is_kept_is_not_looked_up_again() -> None:
    squares = Squares()
    remembered = Remembered(squares)
    assert remembered.of([4, 2]) == {4: 16, 2: 4}
    assert remembered.of([2, 6, 4]) == {2: 4, 6: 36, 4: 16}
    assert squares.asked == [[4, 2], [6]]


def test_values_come_in_the_order_asked_and_once() -> None:
    remembered = Remembered(Squares())
    remembered.of([2])
    assert list(remembered.of([6, 2, 4, 2])) == [6, 2, 4]


def test_what_has_no_value_is_left_out_and_remembered_too() -> None:
    squares = Squares()
    remembered = Remembered(squares)
    assert remembered.of([1, 2]) == remembered.of([1, 2]) == {2: 4}
    assert squares.asked == [[1, 2]]


def test_what_was_used_longest_ago_is_forgotten_first() -> None:
    squares = Squares()
    remembered = Remembered(squares, capacity=2)
    remembered.of([2, 4])
    remembered.of([2])
    remembered.of([6])
    remembered.of([2, 4])
    assert squares.asked == [[2, 4], [6], [4]]


def test_more_than_is_kept_is_found_all_the_same() -> None:
    remembered = Remembered(Squares(), capacity=1)
    assert remembered.of([2, 4, 6]) == {2: 4, 4: 16, 6: 36}


def test_threads_share_it() -> None:
    remembered = Remembered(Squares(), capacity=3)
    found: list[dict[int, int]] = []

    def ask(first: int) -> None:
        for start in range(200):
            keys = [2 * ((first + start + more) % 7) for more in range(3)]
            found.append(remembered.of(keys))

    threads = [threading.Thread(target=ask, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 800
    assert all(value == key * key for one in found for key, value in one.items())

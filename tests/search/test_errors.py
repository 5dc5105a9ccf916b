"""Errors as other processes get them."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from generation.llm.openai.errors import ReasoningOnlyError
from generation.llm.protocol import Completion
from search.engines.servers.connection.faults import NotFoundError
from search.errors import InputError, LLMError, MissingDependencyError, RiragError
from search.models.faults import Fault
from search.models.server import RefusedError

ARGUMENTS = {
    InputError: ("it is wrong", "rules.jsonl", 3),
    MissingDependencyError: ("The encoder x", "openai"),
    RefusedError: (Fault(413, "too long"), "The server refused"),
    ReasoningOnlyError: ("it only thought", "llm.only-reasoning", Completion("", "m")),
}
"""What makes an error, where it is more than its text."""


def subclasses(kind: type[RiragError]) -> Iterator[type[RiragError]]:
    yield kind
    for one in kind.__subclasses__():
        yield from subclasses(one)


@pytest.mark.parametrize("kind", list(subclasses(RiragError)))
def test_every_error_is_the_same_after_a_pickle(kind: type[RiragError]) -> None:
    error = kind(*ARGUMENTS.get(kind, ("it is wrong",)))
    error.noted = "by a caller"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (str(again), vars(again), again.args) == (str(error), vars(error), error.args)
    assert again.exit_code == error.exit_code


def test_the_tree_has_the_errors_that_stand_elsewhere() -> None:
    assert NotFoundError in subclasses(RiragError)


def test_attributes_of_a_class_are_kept() -> None:
    asked = LLMError("no answer")
    asked.trace = ("a", "trace")
    assert pickle.loads(pickle.dumps(asked)).trace == ("a", "trace")
    assert pickle.loads(pickle.dumps(InputError("wrong", "a.txt", 7))).line == 7


def fail() -> None:
    raise MissingDependencyError("The encoder x", "openai")


def test_a_process_pool_hands_an_error_on() -> None:
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as pool,
        pytest.raises(MissingDependencyError, match=r"^The encoder x needs an extra: pip install"),
    ):
        pool.submit(fail).result()

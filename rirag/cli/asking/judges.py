"""The option that names a judge for the verifier, and the way from it to a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from generation.verify import Judge

F = TypeVar("F", bound=Callable[..., Any])

LLM_JUDGE = "llm"
NO_JUDGE = "none"


def judge_option(default: str) -> Callable[[F], F]:
    """Return the option; the default is told, and is used where no setting says otherwise."""
    return click.option(
        "--judge",
        metavar="NAME",
        help="Asked where the words of a statement leave doubt: none, cross-encoder, a reranker, "
        f"nli:MODEL, or llm (docs/verification.md).  [default: {default}]",
    )


def wants_llm(judge: str | None) -> bool:
    """Tell whether the language model is the judge."""
    return judge == LLM_JUDGE


def load_judge(name: str | None, default: str = "cross-encoder") -> Judge | None:
    """Return the judge of a name; the default one loads its model when it is first asked.

    Args:
        name: None: the default.
        default: what is used without a name.

    Raises:
        RiragError: there is no judge of this name.
    """
    if (name or default) in (NO_JUDGE, LLM_JUDGE):
        return None
    return _WhenAsked(default) if name is None else _loaded(name)


class _WhenAsked:
    """A judge whose model is loaded with the first question."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.reads_meaning = name.startswith("nli:")

    def support(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        return _loaded(self.name).support(pairs)


@cache
def _loaded(name: str) -> Judge:
    from generation.verify import load_judge as load

    return load(name)

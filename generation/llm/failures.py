"""What goes wrong in a language model of the user's own, told as any other failure of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from generation.llm.protocol import LLM
from search.errors import LLMError, RiragError


def called(llm: LLM) -> str:
    """Return what a model is called in a message."""
    return f"the language model of class {type(llm).__name__}"


@contextmanager
def told(llm: LLM) -> Iterator[None]:
    """Turn whatever a model raises within a `with` block into an `LLMError` that names it."""
    try:
        yield
    except RiragError:
        raise
    except Exception as error:  # a model of the user's own may fail in any way
        raise LLMError(f"{called(llm)} failed: {type(error).__name__}: {error}") from error

"""Which model answers which call: one for all, or one for each role."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from generation.llm.protocol import LLM, Limits
from search.errors import InputError, LLMError, RiragError
from search.messages.refusals import unknown_name


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


DEFAULT_ROLE = ""
"""The role of the model that answers where a role has none of its own."""

ROLES = ("common-law", "civil-law", "senior", "junior", "challenger")
"""The roles that may have a model of their own: of mode `advisor`, and of mode `delegate`."""

Models = LLM | Mapping[str, LLM]
"""A model for everything, or models by role."""


@dataclass(frozen=True)
class Cast:
    """The models of an answer, by role."""

    mode: str
    by_role: Mapping[str, LLM] = field(default_factory=dict)

    @classmethod
    def of(cls, mode: str, models: Models | None) -> Cast:
        """Return the cast of a mode."""
        if models is None:
            return cls(mode)
        by_role = models if isinstance(models, Mapping) else {DEFAULT_ROLE: models}
        for role, llm in by_role.items():
            if role not in (DEFAULT_ROLE, *ROLES):
                unknown = unknown_name("role of a language model", str(role), ROLES)
                raise InputError(f'{unknown} Use "" for all roles.', code="llm.unknown-role")
            if not callable(getattr(llm, "complete_async", None)):
                raise InputError(
                    "a language model must have the methods of generation.LLM, as "
                    "generation.OpenAILLM(generation.LLMSettings(…)) does, not "
                    f"{llm!r:.80}",
                    code="argument.invalid",
                )
        return cls(mode, by_role)

    def play(self, role: str) -> LLM:
        """Return the model of a role."""
        llm = self.by_role.get(role) or self.by_role.get(DEFAULT_ROLE)
        if llm is None:
            raise InputError(
                f"Mode {self.mode} needs a language model; give its server and model, "
                "or use mode extractive, which needs none.",
                code="mode.needs-llm",
            )
        return llm

    async def limits(self) -> dict[str, Limits]:
        """Return how much each model takes; without a default one this is refused.

        A role whose model does not tell is taken to be as large as the default one: it may not be
        asked at all, and if it is, that call says what is wrong.
        """
        default = self.play(DEFAULT_ROLE)
        with told(default):
            found = {DEFAULT_ROLE: _checked(default, await default.limits_async())}
        for role, llm in self.by_role.items():
            if role == DEFAULT_ROLE:
                continue
            found[role] = found[DEFAULT_ROLE]
            with suppress(LLMError), told(llm):
                found[role] = _checked(llm, await llm.limits_async())
        return found


def _checked(llm: LLM, limits: Limits) -> Limits:
    if not isinstance(limits, Limits):
        raise LLMError(f"the limits of {called(llm)} must be generation.Limits, not {limits!r:.80}")
    return limits

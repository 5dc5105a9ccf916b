"""Which model answers which call: one for all, or one for each role."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from generation.llm import LLM, Limits
from search.errors import InputError, LLMError
from search.near_names import unknown_name

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
        """Return the cast of a mode.

        Raises:
            InputError: a model is given for a role that there is not.
        """
        if models is None:
            return cls(mode)
        by_role = models if isinstance(models, Mapping) else {DEFAULT_ROLE: models}
        for role in by_role:
            if role not in (DEFAULT_ROLE, *ROLES):
                told = unknown_name("role of a language model", role, ROLES)
                raise InputError(f'{told} The one for all is "".')
        return cls(mode, by_role)

    def play(self, role: str) -> LLM:
        """Return the model of a role.

        Raises:
            InputError: neither the role nor the default one has a model.
        """
        llm = self.by_role.get(role) or self.by_role.get(DEFAULT_ROLE)
        if llm is None:
            raise InputError(
                f"Mode {self.mode} needs a language model; name its server and model, or use mode "
                "extractive, which needs none."
            )
        return llm

    def limits(self) -> dict[str, Limits]:
        """Return how much each model takes; without a default one this is refused.

        A role whose model does not tell is taken to be as large as the default one: it may not be
        asked at all, and if it is, that call says what is wrong.
        """
        found = {DEFAULT_ROLE: self.play(DEFAULT_ROLE).limits()}
        for role, llm in self._others():
            found[role] = found[DEFAULT_ROLE]
            with suppress(LLMError):
                found[role] = llm.limits()
        return found

    async def limits_async(self) -> dict[str, Limits]:
        """Do the same without blocking the event loop."""
        found = {DEFAULT_ROLE: await self.play(DEFAULT_ROLE).limits_async()}
        for role, llm in self._others():
            found[role] = found[DEFAULT_ROLE]
            with suppress(LLMError):
                found[role] = await llm.limits_async()
        return found

    def _others(self) -> list[tuple[str, LLM]]:
        return [(role, llm) for role, llm in self.by_role.items() if role != DEFAULT_ROLE]

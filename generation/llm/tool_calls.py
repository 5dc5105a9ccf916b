"""One call of a function as a model wrote it, held to what can be used."""

from __future__ import annotations

from generation.llm.protocol import ToolCall

MOST_LEVELS = 32
"""Objects and lists within one another that arguments may have: no tool wants more than three, and
what nests by the hundred cannot be told on."""


def tool_call(key: str, name: str, arguments: object) -> ToolCall:
    """Return a call; arguments that cannot be used are left out, and the call says why.

    Args:
        key: unique in its reply.
        name: of the function.
        arguments: as JSON gives them.
    """
    if not isinstance(arguments, dict):
        return ToolCall(key, name, {}, "the arguments are not a JSON object")
    if _levels(arguments) > MOST_LEVELS:
        return ToolCall(key, name, {}, "the arguments are nested too deeply")
    return ToolCall(key, name, arguments)


def _levels(value: object) -> int:
    """Return how many objects and lists are within one another, as far as that matters."""
    levels, inside = 0, [value]
    while inside and levels <= MOST_LEVELS:
        held = [one for one in inside if isinstance(one, dict | list)]
        inside = [part for one in held for part in (one.values() if isinstance(one, dict) else one)]
        levels += bool(held)
    return levels

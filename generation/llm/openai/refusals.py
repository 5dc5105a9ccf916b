"""Reads out of a refusal which optional part of the request was at fault."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from generation.llm.openai.dialect import Dialect
from generation.llm.tables import SERVERS, any_of
from search.models.faults import LONGEST_READ, Fault

UNNAMED = (0, 400, 415, 422, 501)
"""Statuses of servers that do not know a field and may not say which."""

_NAMES = {name: any_of(words) for name, words in SERVERS["parts"].items()}
"""Optional part → the words by which servers name it; the more special ones are first."""
_ONLY_STREAMED = any_of(SERVERS["limits"]["only_streamed"])
_MOST = any_of([SERVERS["limits"]["most_tokens"]])


def adapted(
    fault: Fault, sent: Mapping[str, Any], dialect: Dialect, wants: tuple[bool, bool]
) -> Dialect | None:
    """Return the dialect to try after a refusal; None: no other way is left.

    `wants` is whether functions, and whether a shape, were asked of the server itself.
    """
    if fault.is_final:
        return None
    if named := _named(fault, sent, dialect, wants):
        return _without(named, fault, sent, dialect)
    if fault.status not in UNNAMED:
        return None
    tools, shape = wants
    if tools or shape:
        return replace(
            dialect,
            tools=dialect.tools and not tools,
            response_format=dialect.response_format and not shape,
        )
    return bare(sent, dialect)


def bare(sent: Mapping[str, Any], dialect: Dialect) -> Dialect | None:
    """Return the dialect without anything optional; None: the request had nothing optional."""
    made = replace(
        dialect, limit="", temperature=False, stream_options=False, system=False, turns=False
    )
    if made != dialect and _has_optional(sent):
        return made
    return replace(made, stream="never") if sent.get("stream") else None


def is_named(fault: Fault) -> bool:
    """Return whether a failure is about an optional part, so that repeating it would not help."""
    if fault.is_final:
        return fault.is_a("quota")
    return any(name.search(fault.said) for name in _NAMES.values())


def _has_optional(sent: Mapping[str, Any]) -> bool:
    fields = {"max_tokens", "max_completion_tokens", "temperature", "stream_options"} & set(sent)
    return bool(fields) or any(one["role"] == "system" for one in sent["messages"])


def _named(
    fault: Fault, sent: Mapping[str, Any], dialect: Dialect, wants: tuple[bool, bool]
) -> list[str]:
    """Return what of the request a server names; what it points to counts more than its words."""
    for said in (" ".join(fault.names), fault.reason[:LONGEST_READ], fault.said):
        found = [name for name, words in _NAMES.items() if words.search(said)]
        if "stream_options" in found:
            found = [name for name in found if name != "stream"]
        if named := [name for name in found if _was_sent(name, sent, dialect, wants)]:
            return named
    return []


def _was_sent(
    name: str, sent: Mapping[str, Any], dialect: Dialect, wants: tuple[bool, bool]
) -> bool:
    tools, shape = wants
    has_system = any(one["role"] == "system" for one in sent["messages"])
    known = {
        "max_tokens": bool(dialect.limit),
        "tools": tools,
        "response_format": shape,
        "system": has_system,
        "turns": dialect.turns or has_system,
        "stream": dialect.stream == "asked",
    }
    return known.get(name, name in sent)


def _without(named: list[str], fault: Fault, sent: Mapping[str, Any], dialect: Dialect) -> Dialect:
    made = dialect
    if "tool_choice" in named and dialect.tool_choice == "required":
        named = [name for name in named if name != "tools"]
    for name in named:
        if name == "max_tokens":
            made = _limited(fault, sent, made)
        elif name == "stream":
            made = _streamed(fault, sent, made)
        elif name == "turns":
            made = replace(made, turns=False, system=made.system and _repeats(sent))
        else:
            made = made.lacking(name)
    return made


def _limited(fault: Fault, sent: Mapping[str, Any], dialect: Dialect) -> Dialect:
    """Return the dialect with the limit lowered where the server says to what, else renamed."""
    asked = sent.get(dialect.limit, 0)
    if "max_completion_tokens" in fault.reason and dialect.limit == "max_tokens":
        renamed = not re.search(r"max_completion_tokens[^.]{0,30}(?:too large|at most)", fault.said)
        if renamed:
            return dialect.lacking("max_tokens")
    for found in _MOST.finditer(fault.reason):
        if int(found[1]) < asked:
            return replace(dialect, most_tokens=int(found[1]))
    return dialect.lacking("max_tokens")


def _streamed(fault: Fault, sent: Mapping[str, Any], dialect: Dialect) -> Dialect:
    if not sent.get("stream") and _ONLY_STREAMED.search(fault.said):
        return replace(dialect, stream="always")
    return dialect.lacking("stream") if sent.get("stream") else replace(dialect, stream="always")


def _repeats(sent: Mapping[str, Any]) -> bool:
    roles = [one["role"] for one in sent["messages"]]
    return any(one == other for one, other in itertools.pairwise(roles))

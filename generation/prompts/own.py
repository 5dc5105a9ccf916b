"""Checks prompts of the user's own before any is sent."""

from __future__ import annotations

from pathlib import Path
from string import Template

from generation.prompts import prompt_names, shipped
from search.errors import InputError
from search.messages.refusals import unknown_name


def check_prompt(name: str, text: str, file: Path | None = None) -> None:
    """Refuse a prompt that would be ignored, or would reach the model with a gap in it.

    Args:
        name: which prompt it replaces.
        text: what is to be sent.
        file: where it is, for the message.

    Raises:
        InputError: there is no prompt of this name, it is empty, or it has a `$name` that nothing
            is filled in for.
    """
    where, known = file or f"{name}.txt", prompt_names()
    if name not in known:
        raise InputError(unknown_name("prompt", name, known), file, code="prompt.unknown")
    if not text.strip():
        raise InputError(
            "is empty; write a prompt, or remove the file.", where, code="prompt.invalid"
        )
    filled_in = set(shipped(name).get_identifiers())
    unknown = sorted(set(Template(text).get_identifiers()) - filled_in)
    if unknown:
        known_here = ", ".join(f"${one}" for one in sorted(filled_in)) or "nothing"
        raise InputError(
            f"unknown placeholder ${unknown[0]}; this prompt has {known_here}. Write "
            "$$ for a dollar sign.",
            where,
            code="prompt.invalid",
        )

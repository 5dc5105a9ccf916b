"""Hold the prompts: text files that anyone may read and edit, with `$name` as placeholders.

Filling them in calls no model.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template

from search.errors import InputError


def render(name: str, texts: Mapping[str, str] | None = None, /, **values: str) -> str:
    """Return the prompt of a file, without `.txt`, with its values filled in.

    Prompts of the user's own, by name, replace the files. Any other `$` stays as it is.
    """
    own = (texts or {}).get(name)
    template = shipped(name) if own is None else Template(own.strip())
    missing = set(values) - set(template.get_identifiers())
    if missing:
        raise InputError(
            f"The prompt has no place for ${min(missing)}; write ${min(missing)} where it belongs.",
            f"generation/prompts/{name}.txt" if own is None else f"{name}.txt",
            code="prompt.invalid",
        )
    return template.safe_substitute(values)


def prompt_names() -> list[str]:
    """Return the names of all prompts, in the order of the alphabet."""
    found = (file.name for file in files(__name__).iterdir())
    return sorted(name.removesuffix(".txt") for name in found if name.endswith(".txt"))


@cache
def shipped(name: str) -> Template:
    """Return the prompt of a file of this folder."""
    return Template(files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8").strip())

"""The prompts: text files that anyone may read and edit; `$name` stands for what is filled in."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template

from search.errors import InputError


def render(name: str, **values: str) -> str:
    """Return the prompt of a file with its values filled in.

    Any other `$` in the file or in a value stays as it is.

    Raises:
        InputError: the file no longer has a place for one of the values.
    """
    template = _template(name)
    missing = set(values) - set(template.get_identifiers())
    if missing:
        raise InputError(
            f"The prompt has no place for ${min(missing)}; write ${min(missing)} where it belongs.",
            f"generation/prompts/{name}.txt",
        )
    return template.safe_substitute(values)


@cache
def _template(name: str) -> Template:
    return Template(files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8").strip())

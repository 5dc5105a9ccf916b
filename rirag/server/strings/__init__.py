"""Every word that the page says, one file for each language, so that a translation is a file.

It holds words alone, and no markup.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from search.law_in_time import STATUS_IN_TIME

if TYPE_CHECKING:
    from search.records import MetadataValue

LANGUAGE = "en"
LONG_FACT = 60
"""Characters of metadata that is not shown in lists."""


def _flat(table: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """Return name → text; a name is that of its tables and its own, such as `form.search`."""
    found: dict[str, str] = {}
    for name, value in table.items():
        one = {before + name: value} if isinstance(value, str) else _flat(value, f"{before}{name}.")
        found.update(one)
    return found


class Words:
    """The catalogue as templates call it: `t("form.search")`."""

    def __init__(self, language: str = LANGUAGE) -> None:
        source = files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
        self._texts = _flat(tomllib.loads(source))

    def __call__(self, name: str, /, **values: Any) -> str:
        """Return a text with values put in."""
        text = self._texts[name]
        return text.format(**values) if values else text

    def either(self, name: str, otherwise: str) -> str:
        """Return a text, or something else where the catalogue lacks it."""
        return self._texts.get(name, otherwise)

    def field(self, name: str) -> str:
        """Return what a field of the metadata is called."""
        return self.either(f"field.{name}", name.replace("_", " ").capitalize())

    def facts(self, metadata: Mapping[str, MetadataValue]) -> list[tuple[str, str]]:
        """Return metadata as people read it: what many documents have first, long texts last."""
        shown = {
            name: ", ".join(value)
            if isinstance(value, tuple)
            else self.either(f"status.{value}" if name == STATUS_IN_TIME else "", str(value))
            for name, value in metadata.items()
        }
        names = sorted(shown, key=lambda name: (
            len(shown[name]) > LONG_FACT, f"field.{name}" not in self._texts
        ))  # fmt: skip
        return [(self.field(name), shown[name]) for name in names]

    def counted(self, one: str, many: str, count: int) -> str:
        """Return the text for one, or the one for many with their number."""
        return self(one) if count == 1 else self(many, count=f"{count:,}")


WORDS = Words()

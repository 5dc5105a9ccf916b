"""Templates: escaped by default, with the catalogue of strings and what forms need."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, StreamingResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from rirag.server.pages.passage_text import passage_html
from rirag.server.root_path import ROOT, rooted
from search.records import cited_as

if TYPE_CHECKING:
    from search.records import MetadataValue

PACKAGE = "rirag.server.pages"
STATIC = "rirag.server.static"
STRINGS = "rirag.server.strings"
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
        source = files(STRINGS).joinpath(f"{language}.toml").read_text(encoding="utf-8")
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
            name: ", ".join(value) if isinstance(value, tuple) else str(value)
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


@cache
def environment() -> Environment:
    """Return the templates."""
    made = Environment(
        loader=PackageLoader(PACKAGE),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(
        t=WORDS, breakable=breakable, cited=cited_as, language=LANGUAGE, long_fact=LONG_FACT,
        root=ROOT.get,
        static=lambda name: rooted(static_address(name)), rule=rule_address,
        document=document_address, passage=passage_html, sentence=sentence,
    )  # fmt: skip
    return made


@cache
def static_address(name: str) -> str:
    """Return the address of a static file, which changes with its content."""
    content = files(STATIC).joinpath(name).read_bytes()
    return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:12]}"


def breakable(number: str) -> Markup:
    """Return a number that a line may end in, after its dots."""
    return Markup(".<wbr>").join(number.split("."))


def sentence(text: str) -> str:
    """Return a message as people read it: with a capital, unless it begins with a file."""
    first = text.partition(" ")[0]
    return text if first.endswith(":") else text[:1].upper() + text[1:]


def document_address(document_id: str, **parameters: object) -> str:
    """Return the address of a document."""
    query = f"?{urlencode(parameters)}" if parameters else ""
    return rooted(f"/d/{quote(document_id, safe='')}{query}")


def rule_address(document_id: str, number: str) -> str:
    """Return the permanent address of a rule."""
    return rooted(f"/d/{quote(document_id, safe='')}/{quote(number, safe='')}")


def query_address(
    path: str, question: str, filters: Mapping[str, Sequence[str]], **more: Any
) -> str:
    """Return the address of a search or an answer."""
    pairs = [("q", question)]
    pairs += [(f"f.{name}", value) for name, values in filters.items() for value in values]
    pairs += [(name, str(value)) for name, value in more.items() if value not in (None, "")]
    return rooted(f"{path}?{urlencode(pairs)}")


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page."""
    return HTMLResponse(html(request, template, **values), status)


def streamed(request: Request, template: str, **values: Any) -> StreamingResponse:
    """Return a page whose head is sent before the rest is drawn, for what takes long to draw.

    Values may be iterators: they are read when the template comes to them.
    """
    drawn = environment().get_template(template).generate(_shown(request, values))
    return StreamingResponse(_head_first(drawn), media_type="text/html")


async def _head_first(drawn: Iterator[str]) -> AsyncIterator[str]:
    head: list[str] = []
    for piece in drawn:
        head.append(piece)
        if "</header>" in piece:
            break
    yield "".join(head)  # joined, since a sum of text and markup would be escaped
    yield "".join(drawn)


def html(request: Request, template: str, **values: Any) -> str:
    """Return a page as text."""
    return environment().get_template(template).render(_shown(request, values))


def _shown(request: Request, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a template gets: what each page needs, and its own values."""
    return {
        "path": request.url.path,
        "caller": getattr(request.state, "caller", None),
        **values,
    }

"""Templates: escaped by default, with the catalogue of strings and what forms need."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, StreamingResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from generation.render import warnings_beside
from rirag.reports.sheets.sheet import DUTY_COLUMNS, duties_of
from rirag.server.addresses import DAY, ROOT, document_address, of_day, rooted, rule_address
from rirag.server.pages.text import passage_blocks
from rirag.server.strings import LANGUAGE, LONG_FACT, WORDS
from search.law_in_time import not_in_force, today
from search.records import cited_as
from search.versions.history import is_day


@cache
def environment() -> Environment:
    """Return the templates."""
    made = Environment(
        loader=PackageLoader("rirag.server.pages"), undefined=StrictUndefined, trim_blocks=True,
        autoescape=select_autoescape(default=True, default_for_string=True), lstrip_blocks=True,
        auto_reload=False,
    )  # fmt: skip
    made.globals.update(
        t=WORDS, breakable=breakable, cited=cited_as, language=LANGUAGE, long_fact=LONG_FACT,
        root=ROOT.get, static=lambda name: rooted(static_address(name)), rule=rule_address,
        document=document_address, passage_blocks=passage_blocks, sentence=sentence,
        not_in_force=not_in_force, conditions=conditions, warnings_beside=warnings_beside,
        duties_of=duties_of, duty_columns=DUTY_COLUMNS, day=DAY.get,
        of_day=of_day, today=today, is_day=is_day,
    )  # fmt: skip
    return made


@cache
def static_address(name: str) -> str:
    """Return the address of a static file, which changes with its content."""
    content = files("rirag.server.static").joinpath(name).read_bytes()
    return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:12]}"


def breakable(number: str) -> Markup:
    """Return a number that a line may end in, after its dots."""
    return Markup(".<wbr>").join(number.split("."))


def sentence(text: str) -> str:
    """Return a message as people read it: with a capital, unless it begins with a file."""
    first = text.partition(" ")[0]
    return text if first.endswith(":") else text[:1].upper() + text[1:]


def conditions(filters: Mapping[str, Iterable[str]]) -> str:
    """Return filters as people read them."""
    return "; ".join(f"{name} = {' or '.join(values)}" for name, values in filters.items())


def query_address(
    path: str, question: str, filters: Mapping[str, Sequence[str]], **more: Any
) -> str:
    """Return the address of a search or an answer."""
    pairs = [("q", question)]
    pairs += [(f"f.{name}", value) for name, values in filters.items() for value in values]
    pairs += [(name, str(value)) for name, value in more.items() if value not in (None, "")]
    pairs += DAY.get().items()
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
    caller = getattr(request.state, "caller", None)
    here = request.scope.get("raw_path", b"").decode("ascii", "replace")
    pairs = request.query_params.multi_items()
    others = urlencode([one for one in pairs if one[0] not in ("as_of", "version")])
    now = rooted(f"{here}?{others}" if others else here)
    return {"path": request.url.path, "here_now": now, "caller": caller, **values}

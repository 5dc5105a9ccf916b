"""Law in time: the version that the reader shows, the history of a rule, comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from rirag.reports.comparison import difference_html
from rirag.server.addresses import DAY, document_address, of_day, rule_address
from rirag.server.api.calls import Call, ElsewhereError, visiting
from rirag.server.api.documents import document_of
from rirag.server.pages.render import page
from rirag.server.pages.text import Block, passage_blocks
from search.errors import InputError
from search.law_in_time import ALL, as_of, asked_day, today

if TYPE_CHECKING:
    from rirag.service import Service
    from search import DocumentSummary
    from search.versions.compare import Change, Comparison, PartChange
    from search.versions.history import Version
    from search.versions.works import RuleState, VersionState

router = APIRouter(include_in_schema=False)

MOST_CHANGES = 100
"""Rules on one page of a comparison."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The version of a document that is shown, among its others."""

    status: str
    """Today: `in-force`, `past`, `future` or `unknown`; or `all`; empty: nothing is to be said."""
    version: Version | None
    states: list[VersionState]
    """All versions with their status today, the newest first; none of a document that has one
    text alone."""
    in_force: str = ""
    """Address of the text in force, if it is another one."""


def shown_version(service: Service, document_id: str, *number: str) -> Shown:
    """Return the version of the asked day; without a day the latest, if none is in force today.

    Raises:
        InputError: the document has versions, and none on the day that the address names.
        ElsewhereError: none is in force today.
    """
    with as_of(today()):
        states = service.versions(document_id)[::-1]
    try:
        version = service.index.asked_version(document_id)
    except InputError:
        if DAY.get():
            raise
        latest = {"version": states[0].version.version_id}
        raise ElsewhereError(rule_address(document_id, *number, **latest)) from None
    statuses = {one.version.version_id: one.status for one in states}
    in_force = ""
    if "in-force" in statuses.values():
        in_force = rule_address(document_id, *number, as_of="")
    if version is None:
        is_all = asked_day() == ALL
        status = ALL if is_all else "unknown" if DAY.get() else ""
        return Shown(status, None, states if is_all else [], in_force if is_all else "")
    status = statuses.get(version.version_id, "unknown")
    return Shown(status, version, states, "" if status == "in-force" else in_force)


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording of a rule in its history."""

    state: RuleState
    blocks: list[Block]
    status: str
    """Today."""
    address: str
    """Of the rule in the first version that has the wording."""
    changes: tuple[Change, ...] = ()
    """What became of the wording before."""
    compare: str = ""
    """Address of the comparison with the wording before."""


async def history(request: Request, call: Call, document_id: str, number: str) -> HTMLResponse:
    """Show the wordings of a rule with their days, the newest first."""

    def work(service: Service) -> dict[str, Any]:
        about = document_of(service, document_id)
        with as_of(today()):
            held = {one.version.version_id: one for one in service.versions(about.document_id)}
            states = service.rule_history(about.document_id, number)
        return {
            "about": about,
            "number": number,
            "rule_address": rule_address(about.document_id, number),
            "wordings": [*_wordings(service, about, number, states, held)][::-1],
        }

    return page(request, "history.html", **await call.search(work))


def _wordings(
    service: Service, about: DocumentSummary, number: str, states: list[RuleState],
    held: dict[str, VersionState],
) -> Iterator[Wording]:  # fmt: skip
    before = ""
    for one in states:
        changes: tuple[Change, ...] = ()
        address, first = "", one.versions[0]
        if before and before != first:
            found = service.compare(about.document_id, before, first, rule=number)
            changes = found.changes
            names = {"from": before, "to": first, "rule": number}
            address = compare_address(about.document_id, **names)
        statuses = {held[name].status for name in one.versions if name in held}
        status = "in-force" if "in-force" in statuses else held[one.versions[-1]].status
        of_version = rule_address(about.document_id, number, **named(held[first].version))
        yield Wording(one, passage_blocks(one.text), status, of_version, changes, address)
        before = one.versions[-1]


def named(version: Version) -> dict[str, str]:
    """Return the parameters by which an address names a version."""
    if version.valid_from:
        return {"as_of": version.valid_from}
    return {"version": version.version_id}


def compare_address(document_id: str, **parameters: str) -> str:
    """Return the address of a comparison."""
    return of_day("/compare", document_id=document_id, **parameters)


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of a rule or of a part of one, as two columns."""

    change: PartChange
    before: Markup | None = None
    after: Markup | None = None


def compared(change: PartChange) -> Compared:
    """Return a change with its deleted words marked on one side, and its inserted ones on the
    other; where the words are the same, or all are new, there is nothing to mark.
    """
    if change.diff and change.words_changed:
        before, after = (
            tuple(one for one in change.diff if one[0] != other) for other in ("insert", "delete")
        )
        return Compared(change, _lines(difference_html(before)), _lines(difference_html(after)))
    plain = (
        None if text is None else _lines(difference_html((("equal", text),)))
        for text in (change.before, change.after)
    )
    return Compared(change, *plain)


def _lines(html: str) -> Markup:
    """Return lines of HTML as paragraphs."""
    lines = (one for one in html.split("\n") if one.strip())
    line = Markup('<p class="line" dir="auto">{}</p>')
    escaped = (Markup(one) for one in lines)  # noqa: S704 - by `difference_html`
    return Markup().join(map(line.format, escaped))


@router.get("/compare")
async def compare(request: Request, call: Call = visiting("search")) -> HTMLResponse:
    """Show what changed between two versions, side by side."""
    asked = request.query_params
    old, new, rule = (asked.get(name, "").strip()[:200] for name in ("from", "to", "rule"))
    text = asked.get("skip", "")
    skip = int(text) if text.isdecimal() and len(text) < 9 else 0

    def work(service: Service) -> tuple[DocumentSummary, list[VersionState], Comparison]:
        about = document_of(service, asked.get("document_id", ""))
        with as_of(today()):
            states = service.versions(about.document_id)
        return about, states, service.compare(about.document_id, old, new, rule=rule)

    about, states, found = await call.search(work)
    names = {"from": found.from_version, "to": found.to_version}
    if rule:
        names["rule"] = rule
    more, end = "", skip + MOST_CHANGES
    if end < len(found.changes):
        more = compare_address(about.document_id, **names, skip=str(end))
    return page(
        request, "compare.html", about=about, states=states, found=found, rule=rule, more=more,
        rows=map(compared, found.changes[skip:end]), address=document_address(about.document_id),
    )  # fmt: skip

"""What is asked, whoever asks it (API, page, assistant), and what its answer is stored as."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from generation.render import remarks, sources_text
from rirag.server.problems import refusal
from search.json_form import PLACE, to_json
from search.law_in_time import today

if TYPE_CHECKING:
    from rirag.server.state import ServerState
    from rirag.service import Answered, Query, Service
    from rirag.service.service import OnSearch, OnText


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with all that decides about its answer."""

    question: str
    mode: str | None = None
    filters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    as_of: str = ""
    """Day whose law is asked for; empty: today."""
    version: str = ""
    """Name of the version that is asked for; empty: that of the day."""
    profile: str | None = None
    background: str = ""
    topic: str = ""
    search_help: bool | None = None
    """Whether a language model is asked for other words; None: as the settings say."""

    def query(self, k: int | None = None) -> Query:
        """Return what the service is asked."""
        from rirag.service import Query

        return Query(
            self.question, k=k, filters=self.filters, profile=self.profile,
            search_help=self.search_help, as_of=self.as_of, version=self.version,
        )  # fmt: skip


def below(body: Mapping[str, Any]) -> str:
    """Return what follows the text of an answer where only text is shown."""
    urls = {one["marker"]: f" {one['url']}" for one in body["citations"] if "url" in one}
    lines = sources_text(body).splitlines()
    sources = "\n".join(line + urls.get(line.partition(" ")[0], "") for line in lines)
    return "".join(f"\n\n{part}" for part in (*remarks(body), sources) if part)


def check_question(state: ServerState, question: str, profile: str | None = None) -> None:
    """Refuse a question that is too long, and a profile that is none of the known ones.

    The library takes a file of a profile as well; a client must not name files of the server.
    """
    check_length(question, state.options.limits.question_words)
    if profile is not None:
        from search.ranking.profile_file import PROFILES_FILE, read_profiles

        known = tuple(read_profiles(PROFILES_FILE))
        if profile not in known:
            raise refusal("profile.unknown", name=profile[:80], names=", ".join(known))


def check_length(question: str, most: int) -> None:
    """Refuse a question of more words than the limit."""
    if len(question) > most and len(question.split(maxsplit=most)) > most:
        raise refusal("question.too-long", most=most)


class Heard(NamedTuple):
    """What listens while an answer is made."""

    on_search: OnSearch | None = None
    """Gets the search."""
    on_text: OnText | None = None
    """Gets the text as it is written."""


NOTHING = Heard()


def stored_form(
    answered: Answered, filters: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the JSON forms of an answer and of what it cites."""
    plan = answered.search.plan
    cited = {one.passage.id: one.passage.to_json() for one in answered.answer.citations}
    others = [
        hit for hit in answered.search if hit.id not in cited and hit.passage.kind != "heading"
    ]
    body = {
        **answered.to_json(),
        "index": {"url": index_name(plan.index), "generation": plan.generation},
        "filters": {name: list(values) for name, values in filters.items()},
        "also_found": to_json(others, f"{PLACE} breadcrumb passage.kind"),
    }
    return body, cited


def identity(service: Service, asked: Asked, bound: str) -> str:
    """Return what decides about an answer, in one short text."""
    facts = [
        asked.question.split(),
        asked.mode,
        sorted((name, sorted(values)) for name, values in asked.filters.items()),
        asked.profile,
        asked.as_of or today(),
        asked.version,
        asked.background,
        asked.topic,
        asked.search_help,
        bound,
        service.index.pipeline.states(),
        service.settings.model_dump_json(),
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def index_name(url: str) -> str:
    """Return the name of an index without the place where the server keeps it."""
    return url.rstrip("/").rpartition("/")[2]

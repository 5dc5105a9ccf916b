"""Search regulations, and get answers that cite the rule behind every statement.

    import rirag

    rirag.load("rulebook/")
    with rirag.open() as rules:
        for hit in rules.search("When must a suspicious transaction be reported?"):
            print(hit)
        print(rules.ask("How long must records be kept?"))

Settings are those of the command line: arguments, environment (`RIRAG_…`) and `rirag.toml`.
Importing is quick: what a name needs loads when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rirag.hidden_packages import refuse_hidden_packages

refuse_hidden_packages()

from search.lazy import lazily  # noqa: E402 - one of those packages

if TYPE_CHECKING:
    from generation.records import Answer as Answer
    from generation.records import Citation as Citation
    from generation.verification import Verification as Verification
    from indexer.load.report import IngestReport as IngestReport
    from rirag.front import ask as ask
    from rirag.front import load as load
    from rirag.front import open as open  # noqa: A004
    from rirag.front import search as search
    from rirag.front import verify as verify
    from rirag.service.query import Answered as Answered
    from rirag.service.query import Query as Query
    from rirag.service.service import Service as Service
    from rirag.settings import Settings as Settings
    from search.errors import RiragError as RiragError
    from search.pipeline import SearchResult as SearchResult
    from search.records import DocumentSummary as DocumentSummary
    from search.records import Hit as Hit
    from search.records import Passage as Passage

__getattr__, __dir__, __all__ = lazily(__name__)

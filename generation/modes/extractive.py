"""Mode `extractive`: the obligations of the passages in their own words, without a model."""

from __future__ import annotations

from generation.extract.candidates import candidates_of
from generation.extract.selection import select
from generation.extract.wording import write
from generation.mode import Draft, Request, Steps


class Extractive:
    """Quotes word for word, grouped by rule, with numbered citations."""

    name = "extractive"
    needs_llm = False
    needs_hits = True

    def steps(self, request: Request) -> Steps:
        """Answer without a call."""
        yield from ()
        candidates = candidates_of(request.question, request.hits)
        selection = select(request.question, candidates, request.settings.words)
        text, citations = write(request.hits, selection)
        return Draft(text, citations)

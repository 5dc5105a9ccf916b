"""A streamed answer of a real, very small language model.

SmolLM2-135M writes plausible nonsense: what is tested is everything around it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rirag.settings import Settings
from tests.generation.real_model import CONTEXT, KEY, serve_real_model
from tests.rirag.server.running import ASKED, running
from tests.rirag.server.test_api import events_of

pytestmark = pytest.mark.llm


def test_a_streamed_answer_is_stored_as_it_was_sent(
    rulebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_LLM_API_KEY", KEY)
    with serve_real_model() as url:
        # One passage, found without help that a slow machine cuts off: with more to read, so small
        # a model may only repeat the marks of its prompt.
        settings = Settings(
            index=str(rulebook), llm_url=url, llm_model="smollm2", llm_context_tokens=CONTEXT,
            llm_max_tokens=60, filter_margin=0, search_help=False,
        )  # fmt: skip
        with running(rulebook, tmp_path, settings) as server:
            for question in (ASKED, f"{ASKED} To whom?", "When must a material incident be told?"):
                asked = {"question": question, "mode": "rag", "stream": True}
                with server.client.stream("POST", "/v1/ask", json=asked) as response:
                    pieces = [piece for piece in response.iter_text() if piece]
                events = events_of("".join(pieces))
                names = [name for name, _ in events]
                if names[-1] == "done":
                    break  # else the model repeated marks, and is asked again in other words
            assert names[:2] == ["plan", "hits"] and names[-1] == "done", events[-1]
            assert names.count("delta") > 1 and len(pieces) > 2  # it came as it was written
            done = events[-1][1]
            text = "".join(data["text"] for name, data in events if name == "delta")
            assert text.split() == done["Answer"].split()
            assert done["trace"]["calls"][0]["completion"]["completion_tokens"] > 0
            stored = server.get(f"/v1/answers/{done['answer_id']}").json()
            assert {name: stored[name] for name in done} == done

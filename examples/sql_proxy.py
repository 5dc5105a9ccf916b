"""Mode `delegate` over the AI Act, with replies from a script instead of a language model.

python examples/sql_proxy.py ACT, where ACT is a file of the AI Act, such as the Formex or HTML of
its consolidated version of 27 July 2026 from EUR-Lex. The replies are in sql_proxy_replies.json;
all else is what a real model would go through: outline, parts, prompts, checks and trace.
"""

import json
import re
import sys
from pathlib import Path

import indexer
from generation import AnswerContext, Completion, Limits, answer, answer_text
from generation.llm.protocol import estimate_tokens, prompt_tokens_estimate
from search import DocumentSummary

QUESTION = (
    "Does the deployment of an LLM acting as a proxy to optimise SQL queries fall within the "
    "scope of the AI Act?"
)
REPLIES = Path(__file__).with_name("sql_proxy_replies.json")
PRICES = (2.5, 10.0)
"""Of a million prompt and reply tokens, so that the trace has a cost to show."""


class FileLibrary:
    """The act of a file, as a library of one document."""

    def __init__(self, path: Path) -> None:
        self._passages = list(indexer.read([path]))

    def documents(self):
        """Return the act."""
        first = self._passages[0]
        return [DocumentSummary(first.document_id, first.document_title, len(self._passages))]

    def passages(self, document_id):  # noqa: ARG002 - there is one document
        """Return the passages of the act."""
        return self._passages

    def worked_out(self, document_id, work):  # noqa: ARG002
        """Return what a function makes of the act; there is one answer, and nothing is kept."""
        return work(self._passages)


class ScriptedLLM:
    """Answers from the script: {{Article 3(1)}} becomes the number under which it was shown."""

    def __init__(self, script) -> None:
        self._script, self._turn, self._numbers = script, 0, {}

    async def limits_async(self):
        """Return what it takes."""
        return Limits(context=32_000, reply=1_500)

    async def complete_async(self, prompt, on_text=None):  # noqa: ARG002
        """Return the next reply."""
        told = "\n".join(message.content for message in prompt.messages)
        shown = re.findall(r"begin passage (\d+) \(AI Act ([^,]+?)(?:, .*)?\)>>", told)
        self._numbers.update({name: number for number, name in shown})
        reply = self._reply(prompt, told)
        calls = () if isinstance(reply, str) else tuple(reply)
        text = reply if isinstance(reply, str) else ""
        text = re.sub(r"\{\{(.+?)\}\}", lambda mark: self._numbers[mark[1]], text)
        sizes = prompt_tokens_estimate(prompt), estimate_tokens(text or str(calls))
        cost = (sizes[0] * PRICES[0] + sizes[1] * PRICES[1]) / 1_000_000
        return Completion(text, "scripted", "stop", *sizes, calls, cost)

    def _reply(self, prompt, told):
        script = self._script
        if prompt.schema and prompt.schema.name == "plan":
            return json.dumps(script["plan"])
        if prompt.schema and prompt.schema.name == "finding":
            return next(
                json.dumps(said) for task, said in script["juniors"].items() if task in told
            )
        if prompt.schema:
            about = told.split("begin conclusion>>")[1].split("<<")[0]
            found = (one for key, one in script["challenges"].items() if key in about)
            return json.dumps(next(found, script["holds"]))
        if prompt.tools:
            self._turn += 1
            return self._master(script["turns"][self._turn - 1])
        return script["revision"] if "were challenged" in told else script["notes"]

    def _master(self, turn):
        if isinstance(turn, str):
            return turn
        from generation.llm.protocol import ToolCall

        return [ToolCall(f"call-{n}", "delegate", one) for n, one in enumerate(turn, start=1)]


def main() -> None:
    """Answer the question and print the answer with its legal trace."""
    if len(sys.argv) != 2:
        sys.exit("give the file of the act: python examples/sql_proxy.py ACT")
    library = FileLibrary(Path(sys.argv[1]))
    llm = ScriptedLLM(json.loads(REPLIES.read_text(encoding="utf-8")))
    result = answer(QUESTION, [], mode="delegate", llm=llm, context=AnswerContext(library=library))
    print(answer_text(result))
    print("\n" + result.trace.report.to_text())


if __name__ == "__main__":
    main()

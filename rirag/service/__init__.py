"""Run the application: what the command line, a server and an evaluation do with an index.

It must not know how anything is shown or asked for: no click, no HTTP, no terminal.

    import rirag

    with rirag.Service.open(rirag.Settings(index="rirag-index"), fresh_every_s=5) as service:
        result = service.search("Who must keep records?", k=5)
        answered = service.answer("Who must keep records?", mode="extractive")
        print(answered.answer)

- `Service` keeps an index, its models and what was read of the user's own files open. Threads and
  event loops may share one. `search_async`, `answer_async` and `verify_async` never block a loop.
- With `fresh_every_s` a completed load is seen without restart; a running search ends in the state
  in which it began. `refresh` does the same at once.
- `Query` and the arguments of `answer` decide about one question; what they leave out is as the
  settings say. `AnswerContext` is what comes with the question (`generation.AnswerContext`).
- Callbacks: `on_search` gets the hits before the answer is written, `on_text` its text as it is
  written. An exception of a callback ends the work. So does cancelling the task of an `…_async`.
- `rirag.service.loading` changes an index: `load`, `reindex`, `delete_documents`, answered
  questions; each takes `progress` and `cancelled`, and ends with `CancelledError` having changed
  nothing.
- Every refusal is an error of `search.errors`.
- `to_json` of a record is its JSON of docs/json.md.
"""

from rirag.service.query import Answered, Query
from rirag.service.service import Service

__all__ = ["Answered", "Query", "Service"]

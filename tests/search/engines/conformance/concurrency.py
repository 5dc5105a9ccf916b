"""Many callers at once get what one caller gets; what is open stays as it was."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from engine_samples import IndexUnderTest, ids, question, texts

from search.records import Filters


class Concurrency:
    """Threads, coroutines, and loads beside opened engines."""

    def test_threads_get_what_one_caller_gets(self, index: IndexUnderTest) -> None:
        index.write(*[texts(n, *[f"rule {i} of {n}" for i in range(50)]) for n in "ABC"])
        asked = [question(f"rule {i} of {n}", document_id=n) for i in range(20) for n in "ABC"]
        with index.opened() as engine:

            def answer(request):
                results = engine.run(request)
                return results, ids(engine, results.lexical), engine.find(request.filters, limit=3)

            serial = [answer(request) for request in asked]
            with ThreadPoolExecutor(8) as pool:
                assert list(pool.map(answer, asked)) == serial

    def test_what_is_open_stays_as_it_was_while_others_load(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "old fund", "old broker"))
        request = question("old fund", document_id="A")
        with index.opened() as engine:
            before, told = engine.run(request), engine.describe()
            for i in range(4):
                index.write(texts("A", f"new {i}"))
                assert engine.run(request) == before
            # A thread that has not used the engine yet: it may need a connection of its own.
            later = in_another_thread(lambda: (engine.run(request), engine.find(Filters())))
            assert later[0] == before
            assert [passage.text for _, passage in later[1]] == ["old fund", "old broker"]
            assert engine.describe() == told
        assert [passage.text for passage in index.content()] == ["new 3"]

    def test_an_unfinished_load_is_invisible(self, index: IndexUnderTest) -> None:
        index.write(texts("A", "old"))
        with index.begin() as load:
            load.delete_document("A")
            assert [passage.text for passage in index.content()] == ["old"]


def in_another_thread(work):
    """Run in a fresh thread; what it raises is raised here."""
    with ThreadPoolExecutor(1, initializer=threading.get_ident) as pool:
        return pool.submit(work).result()

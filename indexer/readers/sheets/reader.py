"""Tables whose rows are passages: `.csv`, `.tsv`, `.xlsx`, `.xlsm`, `.xls`, `.ods`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from indexer.blocks import LeftOut
from indexer.problems import Problems
from indexer.readers.columns import dated
from indexer.readers.json.fields import RecordsReader
from indexer.readers.protocol import WholeDocument
from indexer.readers.sheets.rows import ABOUT, Sheet, read_sheets
from search.errors import InputError
from search.records import Passage


class SheetReader(WholeDocument, RecordsReader):
    """Reads one table or several; a row of cells above the others names the columns."""

    name = "table"
    suffixes = frozenset({".csv", ".tsv", ".xlsx", ".xlsm", ".xls", ".ods"})

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield a passage for each row; the place of each is its row."""
        try:
            every = read_sheets(path)
        except InputError as error:
            problems.add(error)
            return
        sheets = [sheet for sheet in every if sheet.rows]
        problems.leave_out(source, [left for sheet in every for left in sheet.above])
        if absent := self._absent(sheets):
            problems.add(InputError(absent, path, code="source.fields"))
            return
        if not sheets:
            problems.add(InputError("holds no row below its first", path, code="source.empty"))
        # The title of one of several tables names that table, and not the file.
        title = every[0].title if every and (len(sheets) < 2 or not every[0].rows) else ""
        title = title or (every[0].said_title if len(sheets) > 1 else "")
        about = [sheet for sheet in sheets if sheet.said_title and len(sheets) > 1]
        said = dated(pair for sheet in about for pair in sheet.pairs())
        for sheet in sheets:
            if sheet in about:
                texts = (LeftOut(" ".join(pair), ABOUT) for pair in sheet.pairs())
                problems.leave_out(source, texts)
                continue
            table = f"{sheet.name}, row" if len(sheets) > 1 else "Row"
            for passage in self.passages(sheet.rows, path, source, problems, table=table):
                yield replace(
                    passage,
                    document_title=passage.document_title or title,
                    metadata={**said, **sheet.control, **passage.metadata},
                )

    def _absent(self, sheets: Sequence[Sheet]) -> str:
        """Return which named column no table has, and what columns there are, or ""."""
        columns = dict.fromkeys(column for sheet in sheets for column in sheet.columns)
        missing = [name for name in self.fields.values() if name not in columns]
        if not missing or not columns:
            return ""
        return f"has no column {missing[0]!r}; name one of {', '.join(columns)} with --map"

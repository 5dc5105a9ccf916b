"""Every error that rirag raises on purpose: one small tree.

Each message is a sentence that says what was wrong, where, and what to do next. The command line
prints it and exits with the class's `exit_code`; nothing else of rirag is ever shown as a
traceback on bad input.
"""

from __future__ import annotations

import json
import shlex
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname


class RiragError(Exception):
    """The base class of all errors of rirag."""

    exit_code = 1
    code = "error.other"
    """Stable name of the kind of the error (docs/errors.md); the message may change."""

    def __init__(self, message: str = "", *, code: str = "") -> None:
        super().__init__(message)
        if code:
            self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what a pickle keeps: the text and the attributes, not the arguments of a class.

        Process pools send errors so.
        """
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[RiragError], args: tuple[object, ...]) -> RiragError:
    """Return an error as it was, without asking for the arguments that made its text."""
    return kind.__new__(kind, *args)


class InputError(RiragError):
    """A source, question file or option that cannot be used.

    Args:
        problem: what is wrong and what to do, as a sentence.
        source: the file it is in, if there is one.
        line: the 1-based line in that file, if known.
        code: the kind of the problem (docs/errors.md).
    """

    exit_code = 2
    code = "input.invalid"

    def __init__(
        self,
        problem: str,
        source: object | None = None,
        line: int | None = None,
        *,
        code: str = "",
    ) -> None:
        place = "" if source is None else f"{source}: " if line is None else f"{source}:{line}: "
        super().__init__(place + problem, code=code)
        self.source = source
        self.line = line


class IndexUnavailableError(RiragError):
    """The index is missing, unreadable, or was not made by rirag."""

    exit_code = 3
    code = "index.unavailable"


class IndexCorruptError(IndexUnavailableError):
    """A file of the index is damaged."""

    code = "index.corrupt"


class IndexLostError(IndexUnavailableError):
    """Somebody removed a part of the index, without which nothing of it is read."""

    code = "index.lost"


class IndexBusyError(RiragError):
    """Another process is loading into the same index."""

    exit_code = 4
    code = "index.busy"


class EncoderMismatchError(IndexUnavailableError):
    """The index was made with another encoder."""

    code = "encoder.mismatch"


class CancelledError(RiragError):
    """Whoever asked for the work ended it; nothing has changed."""

    exit_code = 130
    code = "work.cancelled"


class StorageError(RiragError):
    """The disk is full, read-only or failing, or lacks the folder; the index is unchanged."""

    exit_code = 5
    code = "storage.failed"


class ModelError(RiragError):
    """An encoder or reranker cannot be loaded or failed."""

    exit_code = 6
    code = "model.failed"


class MissingDependencyError(RiragError):
    """An optional dependency is not installed; the message has the pip command."""

    exit_code = 7
    code = "dependency.missing"

    def __init__(self, feature: str, extra: str = "", workbench: bool = False) -> None:
        needed = "an extra" if extra else "the workbench"
        super().__init__(f"{feature} needs {needed}: {installing(extra, workbench)}")


class LLMError(RiragError):
    """The language model cannot be reached or gave no usable answer."""

    exit_code = 8
    code = "llm.failed"
    trace: object | None = None
    """What was asked before it failed, where an answer was being written (`generation.Trace`)."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message, code=code)


class EmptyReplyError(LLMError):
    """The language model answered, and said nothing."""


class LateReplyError(LLMError):
    """The language model was still answering when the time for a reply was over."""


def installing(extra: str = "", workbench: bool = False) -> str:
    """Return the command that installs an extra from where rirag itself was installed.

    Where that is a folder or a wheel, a package of the same name elsewhere is not rirag.

    Args:
        extra: of the package; empty: the package alone.
        workbench: the package is the workbench, in a folder of rirag's, and not rirag.
    """
    try:
        origin = json.loads(distribution("rirag").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        origin = {}
    local = urlsplit(origin.get("url", ""))
    package = "rirag-workbench" if workbench else "rirag"
    if local.scheme == "file" and (not workbench or "dir_info" in origin):
        package = url2pathname(local.path) + ("/workbench" if workbench else "")
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    return f"pip install {editable}{shlex.quote(package + (extra and f'[{extra}]'))}"

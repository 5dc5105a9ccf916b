"""Files as they were uploaded, in a folder of their job until it has ended."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import time
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from rirag.refusals import failed
from rirag.server.access.caller import Caller
from rirag.server.problems import refusal
from rirag.server.storage.jobs import new_id
from rirag.server.strict import mapped
from search.records import PART, Passage

T = TypeVar("T")

FOLDER = "uploads"
CANCELLED = "cancelled"
"""File in the folder of a job that must end."""
STAGED = "staged.json"
"""File in the folder of an upload that is looked at, and not loaded yet."""
MOST_STAGED = 100
KEPT_SECONDS = 3600.0
"""How long an upload that no job has is kept."""
MOST_NAME_BYTES = 200
MOST_VALUE = 1000
MOST_FIELDS = 32

_FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_OF_A_PASSAGE = {one.name for one in fields(Passage)} - {"document_id", "depth", "metadata"}
_OF_A_PASSAGE |= {"document", "passage", "number", "title", PART}
"""Names that readers give to what is no metadata."""

REPLACE, TRUE = "replace", "true"
"""The field of an upload that lets a document replace another one, and its only value."""


def as_fields(metadata: Mapping[str, str]) -> tuple[dict[str, str], str, bool]:
    """Return the metadata of passages, the DocumentID (empty: its own), and whether to replace."""
    rest = {name: one for name, one in metadata.items() if name not in ("document_id", REPLACE)}
    return rest, metadata.get("document_id", ""), REPLACE in metadata


_CHUNK = 1024 * 1024


class Uploads:
    """The folder of what was uploaded."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER

    def keep(self, files: Iterable[tuple[str, BinaryIO]]) -> tuple[str, list[dict[str, Any]]]:
        """Write files to the disk; return the ID of their job, and name, size and hash of each."""
        made = new_id()
        folder = self.folder / made
        kept: list[dict[str, Any]] = []
        try:
            for place, (name, file) in enumerate(files):
                kept.append(self._write(folder / f"{place:04}", safe_name(name), file))
            if not kept:
                raise refusal("request.invalid/no-file")
            if not any(file["bytes"] for file in kept):
                empty = ", ".join(repr(file["name"]) for file in kept)
                raise refusal("request.invalid/empty-files", names=empty)
            _sync(folder)
            _sync(self.folder)
        except BaseException as error:
            self.remove(made)
            if isinstance(error, OSError):
                why = (error.strerror or str(error)).lower()
                raise failed("storage.failed/upload", why=why) from None
            raise
        return made, kept

    def stage(self, job_id: str, record: Mapping[str, Any]) -> None:
        """Keep what is known of an upload that is looked at; forget the oldest of many."""
        (self.folder / job_id / STAGED).write_text(json.dumps(record))
        with suppress(FileNotFoundError):  # another request removes one
            times = {one: one.stat().st_mtime for one in self.folder.glob(f"*/{STAGED}")}
            for place, one in enumerate(sorted(times, key=times.__getitem__, reverse=True)):
                if place >= MOST_STAGED or time.time() - times[one] > KEPT_SECONDS:
                    self.remove(one.parent.name)

    def take(self, job_id: str, bound: str) -> dict[str, Any] | None:
        """Return what is known of an upload that was looked at, once; None: it is not here."""
        kept = self.folder / Path(job_id).name / STAGED
        with suppress(FileNotFoundError):
            record: dict[str, Any] = json.loads(kept.read_text())
            if record["bound"] == bound:
                kept.unlink()
                return record
        return None

    def paths(self, job_id: str) -> list[Path]:
        """Return the files of a job, in the order they were sent."""
        return sorted((self.folder / job_id).glob("*/*"))

    def without_place(self, job_id: str, told: T) -> T:
        """Return a message, or JSON, with files of a job by their names, not their places."""
        place = re.compile(rf"{re.escape(str(self.folder / job_id))}/\d{{4}}/")
        cleaned: T = mapped(told, lambda text: place.sub("", text))
        return cleaned

    def remove(self, job_id: str) -> None:
        """Delete the files of a job."""
        shutil.rmtree(self.folder / job_id, ignore_errors=True)

    def cancel(self, job_id: str) -> None:
        """Note, for whichever server works on a job, that it must end."""
        with suppress(FileNotFoundError):  # it has just ended
            (self.folder / job_id / CANCELLED).touch()

    def is_cancelled(self, job_id: str) -> bool:
        """Return whether a job must end."""
        return (self.folder / job_id / CANCELLED).exists()

    def sweep(self, wanted: Iterable[str]) -> None:
        """Delete what belongs to no job of these, such as an upload that a crash cut short.

        Another server of the folder may still receive or show what is young.
        """
        keep, now = set(wanted), time.time()
        for folder in self.folder.glob("*"):
            with suppress(FileNotFoundError):
                if folder.name not in keep and now - folder.stat().st_mtime > KEPT_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)

    @staticmethod
    def _write(folder: Path, name: str, file: BinaryIO) -> dict[str, Any]:
        folder.mkdir(mode=0o700, parents=True)
        digest, size = hashlib.sha256(), 0
        with (folder / name).open("wb") as output:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
                output.write(chunk)
            output.flush()
            os.fsync(output.fileno())
        return {"name": name, "bytes": size, "sha256": digest.hexdigest()}


def safe_name(name: str) -> str:
    """Return the last part of a file name, without anything that a path or a terminal acts on."""
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    clean = "".join(c for c in last if c.isprintable() and c not in '<>:"|?*').strip(" .")
    stem, dot, suffix = clean.rpartition(".")
    if not dot:
        stem, suffix = clean, ""
    room = MOST_NAME_BYTES - len((dot + suffix).encode())
    stem = stem.encode("utf-8", "ignore")[: max(room, 0)].decode("utf-8", "ignore")
    short = stem + dot + suffix
    if not stem or len(short.encode()) > MOST_NAME_BYTES:
        raise refusal("request.invalid/file-name")
    return short


def checked_metadata(fields: Mapping[str, Sequence[str]], caller: Caller) -> dict[str, str]:
    """Return the metadata that every passage of an upload gets.

    What a key is bound to goes in by itself, so that the key sees what it has uploaded.
    """
    found: dict[str, str] = {}
    if len(fields) > MOST_FIELDS:
        raise refusal("request.invalid/too-many-fields", most=MOST_FIELDS)
    for name, values in fields.items():
        if not _FIELD.fullmatch(name) or name.lower() in _OF_A_PASSAGE:
            raise refusal("request.invalid/field", name=name[:80], field=name[:80])
        if len(values) != 1 or not values[0].strip() or len(values[0]) > MOST_VALUE:
            raise refusal("request.invalid/value", field=name, most=MOST_VALUE)
        found[name] = values[0].strip()
    if found.get(REPLACE, TRUE) != TRUE:
        raise refusal("request.invalid/replace", field=REPLACE, only=TRUE)
    for name, allowed in caller.filters.items():
        if name not in found and len(allowed) == 1 and name not in ("document", "document_id"):
            found[name] = allowed[0]
        if found.get(name) not in allowed:
            raise refusal("request.invalid/restricted", field=name, values=", ".join(allowed))
    return found


def identity(files: Sequence[Mapping[str, Any]], metadata: Mapping[str, str], bound: str) -> str:
    """Return what two uploads have in common that would load the same."""
    facts = [sorted((one["name"], one["sha256"]) for one in files), sorted(metadata.items()), bound]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def upload_of(source: str) -> str:
    """Return the upload that a file, a file of an archive, or a message about one belongs to."""
    return re.split("[:/]", source, maxsplit=1)[0]


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

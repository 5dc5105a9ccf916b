"""Fetches archives by their Maven coordinates, checks and unpacks them."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from test_servers.refusal import MissingError, RefusalError

COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
SPACE_NEEDED = 1 << 30
"""Bytes: the archives, the same in Maven's repository, and what is in them, with some to spare."""


@dataclass(frozen=True)
class Archive:
    """A zip in a Maven repository."""

    group: str
    artifact: str
    version: str
    sha256: str
    """Of the file when it was first used here: shows that it changed, not that it was good."""

    @property
    def coordinates(self) -> str:
        """The name that Maven knows it by."""
        return f"{self.group}:{self.artifact}:{self.version}:zip"

    def unpack(self, target: Path) -> None:
        """Fetch it, compare its checksum, and unpack it into a new folder.

        Raises:
            MissingError: Maven, the network or disk space is missing.
        RefusalError: it is another file.
        """
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as scratch:
            _check_space(target.parent)
            path = self._fetched(Path(scratch))
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != self.sha256:
                raise RefusalError(
                    f"{self.coordinates} has the SHA-256 {found} and should have {self.sha256}; "
                    "delete it from Maven's local repository and try again"
                )
            _extract(path, target)

    def _fetched(self, folder: Path) -> Path:
        maven = shutil.which("mvn")
        if maven is None:
            raise MissingError(
                f"mvn is needed to fetch {self.coordinates}; install Maven, "
                "on Debian and Ubuntu: apt install maven"
            )
        command = [maven, "-q", "-B", COPY, f"-Dartifact={self.coordinates}"]
        done = subprocess.run(
            [*command, f"-DoutputDirectory={folder}"],
            cwd=folder, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        path = folder / f"{self.artifact}-{self.version}.zip"
        if done.returncode or not path.is_file():
            said = [line for line in done.stdout.splitlines() if "ERROR" in line]
            raise MissingError(
                f"mvn could not fetch {self.coordinates}: "
                f"{said[0].removeprefix('[ERROR] ') if said else done.stderr.strip()}"
            )
        return path


def _check_space(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < SPACE_NEEDED:
        raise MissingError(
            f"{folder} has {free >> 20} MB free and {SPACE_NEEDED >> 20} MB are needed; make room, "
            "or set XDG_CACHE_HOME to a folder on another disk"
        )


def _extract(path: Path, target: Path) -> None:
    """Unpack a zip with the rights of its files, which `extractall` would drop."""
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            extracted = Path(archive.extract(member, target))
            mode = member.external_attr >> 16
            extracted.chmod(0o755 if member.is_dir() or mode & 0o100 else 0o644)

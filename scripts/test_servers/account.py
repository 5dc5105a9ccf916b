"""Who runs the servers, and where they live: both servers refuse to run as root."""

from __future__ import annotations

import os
import pwd
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from test_servers.refusal import MissingError, RefusalError

UNPRIVILEGED = "nobody"
SYSTEM_CACHE = Path("/var/cache/rirag-servers")
"""Used instead of a home folder that the unprivileged account may not enter, as root's often is."""
MEMORY = Path("/dev/shm")
ROOM_IN_MEMORY = 2**31
"""Bytes of a file system in memory that instances for tests may use."""


@dataclass(frozen=True)
class Account:
    """A user that a process runs as; None: the one we are."""

    uid: int | None = None
    gid: int | None = None

    def process(self) -> dict[str, Any]:
        """Return what `subprocess` needs to run something as this user."""
        if self.uid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, folder: Path) -> None:
        """Give a folder and all that is in it to this user."""
        if self.uid is None or self.gid is None:
            return
        for place in (folder, *folder.rglob("*")):
            os.chown(place, self.uid, self.gid, follow_symlinks=False)

    def may_enter(self, folder: Path) -> bool:
        """Return whether this user reaches a folder that exists or is to be made."""
        existing = [place for place in (folder, *folder.parents) if place.is_dir()]
        return self.uid is None or all(_open_to(self, place.stat()) for place in existing)


def _open_to(account: Account, folder: os.stat_result) -> bool:
    return bool(folder.st_mode & (0o100 if folder.st_uid == account.uid else 0o001))


def server_account() -> Account:
    """Return who shall run a server: an unprivileged account when we are root.

    Raises:
        MissingError: this machine has no such account.
    """
    if os.geteuid() != 0:
        return Account()
    try:
        entry = pwd.getpwnam(UNPRIVILEGED)
    except KeyError:
        raise MissingError(
            f"the servers refuse to run as root and there is no account {UNPRIVILEGED!r} to run "
            "them; call this as an ordinary user"
        ) from None
    return Account(entry.pw_uid, entry.pw_gid)


def servers_home(account: Account) -> Path:
    """Return the folder of all downloads and instances, made when it is missing."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    home = Path(cache).absolute() / "rirag-servers"
    if not account.may_enter(home):
        home = SYSTEM_CACHE
    if " " in str(home):
        raise RefusalError(
            f"the servers cannot live in a folder with a blank in its name ({home}); "
            "set XDG_CACHE_HOME to another"
        )
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RefusalError(f"cannot make the folder {home}: {error.strerror}") from error
    return home


def instances_home(home: Path, quick: bool, memory: Path = MEMORY) -> Path:
    """Return the folder of all instances: in memory if they are to be quick and it has room.

    Most of what a server does for a test is to wait for its disk.
    """
    if not quick or not memory.is_dir() or shutil.disk_usage(memory).total < ROOM_IN_MEMORY:
        return home / "instances"
    return memory / f"rirag-servers-{os.getuid()}"

"""From settings to what an engine on a server is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rirag.refusals import unusable
from rirag.settings import SECRET_FILES, Settings

if TYPE_CHECKING:
    from search import ServerOptions

PREFIX = "server_"


def server_options(settings: Settings) -> ServerOptions | None:
    """Return the options of the server that holds the index; None for a folder, which has none."""
    if "://" not in settings.index:
        return None
    from dataclasses import fields

    from search import ServerOptions

    names = [one.name for one in fields(ServerOptions)]
    given = {name: getattr(settings, PREFIX + name) for name in names}
    secrets = {name: _secret(settings, PREFIX + name) for name in names if _is_secret(name)}
    return ServerOptions(**{**given, **secrets})


def _is_secret(name: str) -> bool:
    return PREFIX + name in SECRET_FILES


def _secret(settings: Settings, name: str) -> str | None:
    """Return a secret from the environment, or else from the file that a setting names."""
    value = getattr(settings, name)
    if value is not None:
        return str(value.get_secret_value())
    setting = SECRET_FILES[name]
    path = getattr(settings, setting)
    if path is None:
        return None
    try:
        secret = Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise unusable(
            "setting.secret-file/unreadable", setting=setting, path=path, why=why
        ) from error
    except UnicodeDecodeError:
        raise unusable("setting.secret-file/encoding", setting=setting, path=path) from None
    if not secret:
        raise unusable("setting.secret-file/empty", setting=setting, path=path)
    return secret

"""Compiles the two plugins that make the published Elasticsearch archive usable.

The archive has the server without most of its modules. `plugins/analysis` gives back the English
analysis under its usual names (and what the server's own security index needs), `plugins/root`
answers `GET /`, which every client asks first.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

from test_servers.java import OLDEST
from test_servers.refusal import RefusalError

SOURCES = Path(__file__).parent / "plugins"
FACTORIES = "org.elasticsearch.plugin.analysis."
COMPONENTS = {
    "TokenFilterFactory": {
        "porter_stem": "PorterStem",
        "snowball": "Snowball",
        "stemmer": "Stemmer",
        "pattern_capture": "PatternCapture",
        "unique": "Unique",
    },
    "TokenizerFactory": {"uax_url_email": "UrlEmail"},
    "AnalyzerFactory": {"english": "English"},
}
"""Names in index settings, by kind, and the class of each in `EnglishAnalysis`."""


def add_plugins(software: Path, jdk: Path) -> None:
    """Compile both plugins against the server's own libraries and put them in its folder.

    Raises:
        RefusalError: the server has another plugin interface.
    """
    named = {
        FACTORIES + kind: {
            name: f"rirag.analysis.EnglishAnalysis${component}" for name, component in some.items()
        }
        for kind, some in COMPONENTS.items()
    }
    analysis = _compiled("analysis", software, jdk)
    _write(analysis / "named_components.json", json.dumps(named))
    _write(analysis / "stable-plugin-descriptor.properties", _descriptor("analysis", software))
    root = _descriptor("root", software) + "classname=rirag.root.RootPlugin\n"
    _write(_compiled("root", software, jdk) / "plugin-descriptor.properties", root)


def _descriptor(name: str, software: Path) -> str:
    version = software.name.removeprefix("elasticsearch-")
    return (
        f"name=rirag-{name}\ndescription=for the tests of rirag\nversion=1\n"
        f"elasticsearch.version={version}\njava.version={OLDEST}\n"
    )


def _compiled(name: str, software: Path, jdk: Path) -> Path:
    """Return the plugin's folder, with its jar in it."""
    folder = software / "plugins" / f"rirag-{name}"
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as classes:
        _run(
            jdk / "bin" / "javac", "--release", OLDEST, "-nowarn", "-cp", software / "lib" / "*",
            "-d", classes, *sorted((SOURCES / name).glob("*.java")),
        )  # fmt: skip
        _run(jdk / "bin" / "jar", "--create", "--file", folder / f"{name}.jar", "-C", classes, ".")
    (folder / f"{name}.jar").chmod(0o644)
    return folder


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)
    path.parent.chmod(0o755)


def _run(*command: object) -> None:
    done = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True)
    if done.returncode:
        raise RefusalError(f"a plugin for the test server does not compile: {done.stderr}")

"""What the two servers are made of, and how each is told its settings."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from test_servers.archives import Archive
from test_servers.elasticsearch_plugins import add_plugins

KNN = Archive(
    "org.opensearch.plugin", "opensearch-knn", "3.6.0.0",
    "ac392ca28a39b3bf290648a422ef30cb149dda2963a9d7feb26060e932341c9a",
)  # fmt: skip


@dataclass(frozen=True)
class Product:
    """One of the servers."""

    name: str
    title: str
    port: int
    """Where it answers unless told otherwise."""
    archive: Archive
    complete: Callable[[Path, Path], None]
    """Adds what the archive lacks; takes the unpacked folder and the home of a JDK."""
    prefix: str
    """Of its environment variables."""
    background: tuple[str, ...]
    """Options that make the start command return once the server is up, if it has any."""
    open_settings: Mapping[str, str]
    """Settings that a server without TLS and passwords needs."""
    image: str
    """The official image, without its version."""
    open_image_settings: Mapping[str, str]
    """The same as `open_settings` for the image, which has more plugins."""

    @property
    def version(self) -> str:
        """Which release it is."""
        return self.archive.version

    def install(self, home: Path, jdk: Path) -> Path:
        """Return the folder of the unpacked server; fetched when it is not there yet.

        Raises:
            RefusalError: it cannot be fetched.
        """
        software = home / "software" / f"{self.name}-{self.version}"
        if software.is_dir():
            return software
        part = software.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.parent.mkdir(parents=True, exist_ok=True)
        self.archive.unpack(part)
        unpacked = part / f"{self.name}-{self.version}"
        self.complete(unpacked, jdk)
        unpacked.rename(software)
        part.rmdir()
        return software


def _add_knn(software: Path, _jdk: Path) -> None:
    (software / "plugins").mkdir(exist_ok=True)
    KNN.unpack(software / "plugins" / "opensearch-knn")


PRODUCTS = {
    product.name: product
    for product in (
        Product(
            "elasticsearch", "Elasticsearch", 9200,
            Archive(
                "org.elasticsearch.distribution.integ-test-zip", "elasticsearch", "9.5.3",
                "bec49f3b8d00e75c8d1cec85c35298635ec9fbd3ae80ef5aeb6bc05abdb3db2d",
            ),
            add_plugins, "ES", ("-d",), {"xpack.security.enabled": "false"},
            "elasticsearch", {"xpack.security.enabled": "false"},
        ),
        Product(
            "opensearch", "OpenSearch", 9201,
            Archive(
                "org.opensearch.distribution.integ-test-zip", "opensearch", "3.6.0",
                "a91faa1dc1cadc78cb278b4f63847e19e1627a4e9de698e14e7efc14ee37b286",
            ),
            _add_knn, "OPENSEARCH", (), {},
            "opensearchproject/opensearch",
            {"DISABLE_SECURITY_PLUGIN": "true", "DISABLE_INSTALL_DEMO_CONFIG": "true"},
        ),
    )
}  # fmt: skip

"""Writes the configuration of an instance: settings and options of the Java machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from test_servers.options import ServerOptions
from test_servers.products import Product

DROPPED = ("-Xms", "-Xmx", "-XX:ErrorFile", "-XX:HeapDumpPath", "-XX:+HeapDump", "-Xlog")
"""Options of the distribution that write beside its own files, or that we set."""

QUICK = "-XX:TieredStopAtLevel=1"
"""Compiles quickly and optimises little: a start takes 6 s of processor time instead of 13
(Elasticsearch), 10 instead of 19 (OpenSearch)."""


def write_configuration(
    product: Product,
    options: ServerOptions,
    software: Path,
    folder: Path,
    security: Mapping[str, str],
) -> None:
    """Write the files below `folder/config`."""
    config = folder / "config"
    chosen = settings(product, options, folder, security)
    lines = [f"{name}: {value}\n" for name, value in chosen.items()]
    (config / f"{product.name}.yml").write_text("".join(lines), encoding="utf-8")
    given = (software / "config" / "jvm.options").read_text(encoding="utf-8").splitlines()
    machine = java_options(given, options.heap, options.quick)
    (config / "jvm.options").write_text("\n".join(machine) + "\n", encoding="utf-8")
    (config / "jvm.options.d").mkdir(exist_ok=True)
    shutil.copy(software / "config" / "log4j2.properties", config)


def settings(
    product: Product, options: ServerOptions, folder: Path, security: Mapping[str, str]
) -> dict[str, str]:
    """Return the server's settings; for one node on this machine alone."""
    return {
        "node.name": f"{product.name}-{options.port}",
        "network.host": "127.0.0.1",
        "http.port": str(options.port),
        "path.data": str(folder / "data"),
        "path.logs": str(folder / "logs"),
        **(security or product.open_settings),
        **shared_settings(options),
    }


def shared_settings(options: ServerOptions) -> dict[str, str]:
    """Return what a server needs in a container, too."""
    return {
        "cluster.name": "rirag-tests",
        "discovery.type": "single-node",
        # A developer's disk is often fuller than the servers like.
        "cluster.routing.allocation.disk.threshold_enabled": "false",
        **options.further(),
    }


def java_options(given: Iterable[str], heap: str, quick: bool) -> list[str]:
    """Return the distribution's options with another heap, and without files of their own."""
    kept = [line for line in given if not any(option in line for option in DROPPED)]
    return [*kept, f"-Xms{heap}", f"-Xmx{heap}", *([QUICK] if quick else [])]

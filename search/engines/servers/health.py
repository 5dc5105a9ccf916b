"""The health of the shards of an index, in plain words: a pure function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from search.engines.protocol import Health

_WHY = "GET /_cluster/allocation/explain on the server gives the reason, such as a full disk."


def health_of(answer: Mapping[str, Any]) -> Health | None:
    """Return what the answer to `GET /_cluster/health/…?level=indices` says; None: no index."""
    if not answer["indices"]:
        return None
    status, nodes = answer["status"], answer["number_of_data_nodes"]
    active = answer["active_shards"]
    missing = answer["unassigned_shards"] + answer["initializing_shards"]
    on = f"{nodes} data node{'' if nodes == 1 else 's'}"
    if status == "green":
        return Health(status, f"all {active} shards are on {on}")
    detail = f"{missing} of {active + missing} shards are unassigned on {on}"
    if status == "red":
        detail += "; some passages cannot be searched"
        return Health(status, detail, f"Start the nodes that left, or restore a snapshot. {_WHY}")
    detail += "; these are copies, and searches are complete"
    copies = max(one["number_of_replicas"] for one in answer["indices"].values())
    if copies < nodes:
        return Health(status, detail, f"Wait until the copies are made. {_WHY}")
    mend = (
        f"Each shard has {copies} cop{'y' if copies == 1 else 'ies'}, which needs {copies + 1} "
        f"nodes: set RIRAG_SERVER_REPLICAS={max(nodes - 1, 0)} and load again, or add nodes."
    )
    return Health(status, detail, mend)

"""The OpenAPI description, as it is served and committed."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from rirag.server.strict import NO_KEY

VERSION = "1"

DESCRIPTION = (
    "Search a regulation and get answers that cite the rule behind every statement. "
    "Every refusal is an\n`application/problem+json` object with a stable `code`. Times "
    "are UTC. Names about law in time\n(`as_of`, versions, changes) are reserved for a "
    "later version.\n"
)


def operation_id(route: APIRoute) -> str:
    """Return what a generated client calls an endpoint: `listDocuments`."""
    first, *others = route.name.split("_")
    return first + "".join(map(str.capitalize, others))


def openapi(app: FastAPI) -> dict[str, Any]:
    """Return the description of the API, without the pages."""
    if app.openapi_schema:
        return app.openapi_schema
    schema = get_openapi(
        title="rirag", version=VERSION, summary="Search regulations and get answers from them.",
        description=DESCRIPTION, routes=app.routes, license_info={"name": "Apache-2.0"},
    )  # fmt: skip
    is_open = app.state.server.options.keys is None  # a key may be given, and none is needed
    components = schema.setdefault("components", {})
    components["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "A key such as `rk_…`."}
    }
    for name in ("HTTPValidationError", "ValidationError"):
        components.get("schemas", {}).pop(name, None)
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            operation.get("responses", {}).pop("422", None)
            problem = operation.get("responses", {}).get("4XX")
            if problem:
                problem["content"].pop("application/json", None)
            if path not in NO_KEY:
                operation["security"] = [{"key": []}, *([{}] if is_open else [])]
    app.openapi_schema = schema
    return schema

"""The OpenAPI description, as it is served and committed; the JSON of records from their forms."""

from __future__ import annotations

import ast
import inspect
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import cache, reduce
from importlib.resources import files
from itertools import pairwise
from types import GenericAlias, NoneType, UnionType, new_class
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from rirag.server.strict import NO_KEY
from search.json_form import ALL, Key, form_of, own_fields

VERSION = "1"


@cache
def texts() -> dict[str, Any]:
    """Return what `openapi.toml` says beside the endpoints."""
    return tomllib.loads((files("rirag.server") / "openapi.toml").read_text("utf-8"))


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
        description=texts()["description"], routes=app.routes,
        license_info={"name": "Apache-2.0"},
    )  # fmt: skip
    is_open = app.state.server.options.keys is None  # a key may be given, and none is needed
    components = schema.setdefault("components", {})
    components["securitySchemes"] = {"key": texts()["key"]}
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


EXTRA = ConfigDict(extra="allow")
"""A response may have more fields than are described."""
URL = "Permanent address of the passage or document."


def described(name: str, doc: str, record: type | None = None, **more: Any) -> Any:
    """Return the type of a response.

    Args:
        name: of the type.
        doc: what it is.
        record: the class of records whose JSON it has; None: of none.
        more: types of the fields that the record does not have; `[T]` is a list of T.
    """
    fields = {} if record is None else _fields(record, form_of(record), name)
    lists = {n: GenericAlias(list, one[0]) for n, one in more.items() if isinstance(one, list)}
    return _typed(name, doc, fields | more | lists)


def _typed(name: str, doc: str, fields: dict[str, Any]) -> Any:
    if "document_id" in fields:  # `rirag.server.strict.with_urls`
        fields = {**fields, "url": NotRequired[Annotated[str, Field(description=URL)]]}
    body = {"__annotations__": fields, "__doc__": doc, "__pydantic_config__": EXTRA}
    return new_class(name, (TypedDict,), exec_body=lambda space: space.update(body))


@cache
def _model(kind: type, form: tuple[Key, ...], name: str) -> Any:
    doc = (kind.__doc__ or "").partition("\n")[0]
    return _typed(name, doc, _fields(kind, form, name))


def _fields(kind: type, form: tuple[Key, ...], name: str) -> dict[str, Any]:
    """Return name → type and description of what a form writes of a class."""
    found: dict[str, Any] = {}
    for key in form:
        if key.name != ALL:
            inner = name.removesuffix("Response") + key.name.title()
            written = _written(kind, key.path, key.form, inner)
            doc = _doc(kind, key.path)
            found[key.name] = Annotated[written, Field(description=doc)] if doc else written
        elif key.path == (ALL,):
            found |= _fields(kind, own_fields(kind), name)
        else:
            inside = reduce(_type_of, key.path[:-1], kind)
            found |= _fields(inside, key.form or form_of(inside), name)
    return found


def _written(kind: Any, path: tuple[str, ...], form: tuple[Key, ...], name: str) -> Any:
    """Return the type of the JSON that is written of a type, at a path in it."""
    origin, inside = get_origin(kind), get_args(kind)

    def within(one: Any, rest: tuple[str, ...] = path) -> Any:
        return _written(one, rest, form, name)

    if origin in (Union, UnionType):
        written: Any = Union[tuple(map(within, inside))]  # noqa: UP007 - of any number
    elif origin is Literal or kind in (str, int, float, bool, NoneType):
        written = kind
    elif origin is tuple and path and path[0].isdecimal():
        written = within(inside[int(path[0])], path[1:])
    elif inspect.isclass(origin) and issubclass(origin, Mapping):
        if path:  # the method `keys` or `values`
            written = GenericAlias(list, within(inside[path[0] == "values"], ()))
        else:
            written = GenericAlias(dict, (str, within(inside[1])))
    elif inspect.isclass(origin) and issubclass(origin, Collection):
        written = GenericAlias(list, within(inside[0]))
    elif path:
        written = within(_type_of(kind, path[0]), path[1:])
    elif own := form_of(kind):
        written = _model(kind, form or own, name if form else kind.__name__)
    else:
        written = Any
    return written


def _type_of(kind: Any, name: str) -> Any:
    """Return the type of an attribute, or of what a method returns."""
    found = inspect.getattr_static(kind, name, None)
    found = found.fget if isinstance(found, property) else found
    is_method = inspect.isfunction(found)
    return get_type_hints(found)["return"] if is_method else get_type_hints(kind)[name]


def _doc(kind: type, path: tuple[str, ...]) -> str | None:
    """Return what the class says of an attribute of its own; None: nothing."""
    if len(path) != 1:
        return None
    found = inspect.getattr_static(kind, path[0], None)
    is_property = isinstance(found, property)
    doc = inspect.getdoc(found) if is_property else _attribute_docs(kind).get(path[0])
    return " ".join(doc.split()).replace("None", "null") if doc else None


@cache
def _attribute_docs(kind: type) -> dict[str, str]:
    return attribute_docs(inspect.getsource(kind))


def attribute_docs(source: str) -> dict[str, str]:
    """Return name → the text in quotes below each assignment of a module or class."""
    body: Sequence[ast.stmt] = ast.parse(source).body
    if len(body) == 1 and isinstance(body[0], ast.ClassDef):
        body = body[0].body
    found = {}
    for pair in pairwise(body):
        match pair:
            case (
                ast.Assign(targets=[ast.Name(name), *_]) | ast.AnnAssign(target=ast.Name(name)),
                ast.Expr(ast.Constant(text)),
            ):
                found[name] = " ".join(str(text).split())
    return found

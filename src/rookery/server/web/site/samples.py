"""Samples of what the API reads and answers, made from the same types as the answers are.

Every field of a struct is there, one element of a list, the first of what may be; a sample is
read, not relied on. What a type says of itself as an example goes before anything made up.
"""

from typing import Any, Final

import msgspec
from msgspec import Struct

# Any: JSON, as deep as it goes.
Json = Any

_DEEPEST: Final = 6  # a type may contain itself
_SCALARS: Final[dict[str, Json]] = {
    "integer": 1,
    "number": 1500.0,
    "string": "…",
    "boolean": True,
    "null": None,
}


def sample_of(kind: type[Struct]) -> str:
    """Make an answer of this type, as JSON for people to read."""
    (schema,), parts = msgspec.json.schema_components([kind], ref_template="{name}")
    made = _made(schema, parts, 0)
    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode()


def _made(schema: Json, parts: dict[str, Json], deep: int) -> Json:
    if "$ref" in schema:
        return {} if deep > _DEEPEST else _made(parts[schema["$ref"]], parts, deep + 1)
    for word in ("examples", "enum"):
        if schema.get(word):
            return schema[word][0]
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return _made(schema["anyOf"][0], parts, deep)
    if schema.get("type") == "object":
        fields = schema.get("properties", {}).items()
        return {name: _made(part, parts, deep + 1) for name, part in fields}
    if schema.get("type") == "array":
        inside = schema.get("items") or next(iter(schema.get("prefixItems", ())), None)
        return [] if not inside or deep > _DEEPEST else [_made(inside, parts, deep + 1)]
    return _SCALARS.get(schema.get("type", ""), {})

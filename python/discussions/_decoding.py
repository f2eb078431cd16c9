"""Turns JSON into the data classes of `documents`."""

from __future__ import annotations

import typing
from dataclasses import MISSING, fields
from functools import lru_cache
from typing import Any, Mapping, Union


class Document:
    """A JSON object of the program.

    Its values are attributes, and also items by their keys in JSON: `question.text` is `question["text"]`. All documents share
    `repr` and comparison, because methods of their own would double the time of an import.
    """

    def __repr__(self) -> str:
        """Returns all values."""
        values = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(values)})"

    def __eq__(self, other: object) -> bool:
        """Returns whether both are the same kind of document with equal values."""
        return type(self) is type(other) and vars(self) == vars(other)

    def __getitem__(self, key: str) -> Any:
        """Returns the value of a key, as the key is spelt in JSON."""
        name = attribute(key)
        if name not in _types(type(self)):
            raise KeyError(key)
        return getattr(self, name)


@lru_cache(maxsize=None)
def attribute(key: str) -> str:
    """Returns the name of the attribute for a key of JSON."""
    name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
    return f"{name}_" if name in _KEYWORDS else name


_KEYWORDS = frozenset(["as", "class", "def", "from", "global", "import", "in", "is", "not", "or", "pass", "with"])


# The types of the attributes of each class that was needed so far.
_known: dict[Any, dict[str, Any]] = {}


def _types(document: Any) -> dict[str, Any]:
    """Returns the types of the attributes."""
    if document not in _known:
        hints = typing.get_type_hints(document)
        _known[document] = {field.name: hints[field.name] for field in fields(document)}
    return _known[document]


def _required(document: Any) -> frozenset[str]:
    """Returns the attributes whose keys are always there."""
    return frozenset(
        field.name for field in fields(document) if field.default is MISSING and field.default_factory is MISSING
    )


def decode(wanted: Any, value: Any) -> Any:
    """Turns a value of JSON into the wanted type. Ignores keys that the type does not have."""
    if value is None:
        return None
    origin = typing.get_origin(wanted)
    if origin is Union:
        return _decode_union(typing.get_args(wanted), value)
    if origin is list:
        (item,) = typing.get_args(wanted)
        return [decode(item, one) for one in value]
    if origin is dict:
        _, item = typing.get_args(wanted)
        return {key: decode(item, one) for key, one in value.items()}
    if isinstance(wanted, type) and issubclass(wanted, Document):
        return _decode_document(wanted, value)
    if wanted is float:
        return float(value)
    # Words that this version does not know stay as they are.
    return value


def _decode_document(wanted: Any, value: Mapping[str, Any]) -> Any:
    types = _types(wanted)
    named = ((attribute(key), one) for key, one in value.items())
    return wanted(**{name: decode(types[name], one) for name, one in named if name in types})


def _decode_union(members: tuple[Any, ...], value: Any) -> Any:
    for member in members:
        if member is not type(None) and _fits(member, value):
            return decode(member, value)
    # A kind that this version does not know stays JSON.
    return value


def _fits(member: Any, value: Any) -> bool:
    """Returns whether a value is of this member of a union."""
    if not (isinstance(member, type) and issubclass(member, Document)):
        return not isinstance(value, dict)
    if not isinstance(value, dict):
        return False
    named = {attribute(key): one for key, one in value.items()}
    if not _required(member) <= named.keys():
        return False
    types = _types(member)
    return all(
        value in typing.get_args(types[name])
        for name, value in named.items()
        if name in types and typing.get_origin(types[name]) is typing.Literal
    )

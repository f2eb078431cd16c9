"""Turns keyword arguments into words of the command line. No shell sees them, and no word is mistaken for a flag."""

from __future__ import annotations

import difflib
import os
from datetime import timedelta
from typing import Any, Iterable, Mapping, Union

Path = Union[str, "os.PathLike[str]"]

Duration = Union[float, str, timedelta]
"""Seconds, a `timedelta`, or a text such as "90s", "10m" or "1h"."""

# The flags that are not spelt like their keyword arguments.
_FLAGS = {"files": "file", "parameters": "set"}

# The flags that are repeated for each item of a list. Other lists are one word with commas.
_REPEATED = frozenset(["files", "parameters"])


def flags(function: str, known: Iterable[str], options: Mapping[str, Any]) -> list[str]:
    """Returns the flags for keyword arguments. None and False are like no argument.

    `function` is named in the error for an unknown argument.
    """
    known = list(known)
    words: list[str] = []
    for name, value in options.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'{hint}")
        words += _flag(name, value)
    return words


def _flag(name: str, value: Any) -> list[str]:
    if value is None or value is False:
        return []
    flag = "--" + _FLAGS.get(name, name).replace("_", "-")
    if value is True:
        return [flag]
    if name in _REPEATED:
        return [f"{flag}={item}" for item in _items(name, value)]
    if isinstance(value, (list, tuple, set, frozenset, Mapping)):
        items = _items(name, value)
        for item in items:
            if "," in item:
                raise ValueError(f"{name}: an item cannot contain a comma: {item!r}")
        # An empty list is like no argument.
        return [f"{flag}={','.join(items)}"] if items else []
    return [f"{flag}={text_of(value)}"]


def _items(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [f"{key}={_parameter(item)}" for key, item in value.items()]
    return [text_of(item) for item in value]


def _parameter(value: Any) -> str:
    """Returns the value of a parameter; a list as one text with commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(item) for item in value)
    return text_of(value)


def text_of(value: Any) -> str:
    """Returns the text of a value."""
    if isinstance(value, timedelta):
        return f"{value.total_seconds()}s"
    if isinstance(value, float):
        # Never with an exponent.
        return format(value, ".9f").rstrip("0").rstrip(".")
    if isinstance(value, (bytes, bytearray)):
        raise TypeError("texts are str; decode bytes with their encoding first")
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def text_word(text: str) -> str:
    """Returns a word that stands for exactly this text. A lone `-` would be standard input."""
    if not isinstance(text, str):
        raise TypeError(f"the text must be str, not {type(text).__name__}")
    return "-\n" if text == "-" else text

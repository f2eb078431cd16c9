"""Makes foreign text harmless in Markdown.

A model or the author of a change wrote it. Forges turn such text into mentions that notify people, links, images, HTML,
references and commands (`/close` in GitLab). Each forge knows other forms, so this module allows few words and shows
all others as code, in which no forge looks for them.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

# Categories of characters that readers cannot see, or that change the order of the others.
INVISIBLE = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
# Letters that are drawn as nothing.
BLANK_LETTERS = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}

CUT = " … (cut)"
EMPTY = "(empty)"

# A plain word: letters and digits, or letters with hyphens. `ABC-12` may refer to an issue of another tracker.
WORD = r"(?:[^\W_]+|[^\W\d_]+(?:['’‑-][^\W\d_]+)+)"
NUMBER = r"\d{1,6}(?:[.,]\d{1,6})?%?"
SAFE = re.compile(rf"[(\"'“‘]*(?:{WORD}|{NUMBER})[)\"'”’.,;:!?…]*|[-–—…]")
PUNCTUATION = re.compile(r"[)]?[.,;:]?(?= |$)")
# What may stay outside of the code around odd words.
AROUND = re.compile(r"([(]?)([^()]*[^().,;:])([)]?[.,;:]?)|()(.*[^.,;:])([.,;:]?)")
# Forges link such words to commits.
COMMIT = re.compile(r"[0-9a-fA-F]{7,40}")
# A first word that would begin a list.
BEGINS_LIST = re.compile(r"\d+[.)]|[-–—]")


def visible(text: str) -> str:
    """Returns the text with a readable form of each invisible character. Line ends and tabs stay.

    The marks of this action's own comments are hidden HTML. So foreign text contains no beginning of such a mark, not
    even as code.
    """

    def shown(char: str) -> str:
        if char in "\n\t" or char not in BLANK_LETTERS and unicodedata.category(char) not in INVISIBLE:
            return char
        return f"⟨U+{ord(char):04X}⟩"

    return "".join(map(shown, text.replace("\r\n", "\n"))).replace("<!--", "<! --")


def cut(text: str, limit: int) -> str:
    """Returns the text, shortened to this number of characters. A shortened text says so."""
    return text if len(text) <= limit else text[:limit].rstrip() + CUT


def one_line(text: str) -> str:
    """Returns the visible text with single spaces between its words."""
    return visible(" ".join(str(text).split()))


def code(text: str, limit: int = 300) -> str:
    """Returns the text as one line of code."""
    line = cut(one_line(text), limit) or EMPTY
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def block(text: str, limit: int = 2000) -> str:
    """Returns the text as a block of code."""
    text = cut(visible(str(text)).strip("\n"), limit) or EMPTY
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def prose(text: str, limit: int = 1000) -> str:
    """Returns the text as one line of Markdown. Words that could mean something to a forge become code."""
    parts: list[str] = []
    opened = ""
    pieces = re.split(r"`([^`]+)`", cut(one_line(text), limit))
    for at, piece in enumerate(pieces):
        if at % 2:
            parts.append(opened + code(piece))
            continue
        # Punctuation after code belongs to it.
        after = PUNCTUATION.match(piece) if parts else None
        if after:
            parts[-1] += after.group()
            piece = piece[after.end() :]
        # A bracket before code belongs to it, too.
        opened = "(" if piece.endswith(" (") and at + 1 < len(pieces) else ""
        piece = piece[: len(piece) - len(opened)]
        odd: list[str] = []
        for word in piece.split():
            is_list = not parts and not odd and BEGINS_LIST.fullmatch(word)
            if is_plain(word) and not is_list:
                parts += odd_words(odd) + [word]
                odd = []
            else:
                odd.append(word)
                if word[-1] in ".,;:":
                    parts += odd_words(odd)
                    odd = []
        parts += odd_words(odd)
    return " ".join(parts) or code("")


def odd_words(words: list[str]) -> list[str]:
    """Returns words as code; brackets and punctuation around them stay text. Returns nothing if there is no word."""
    if not words:
        return []
    found = AROUND.fullmatch(" ".join(words))
    if not found:
        return [code(" ".join(words))]
    before, inner, after = found.groups()[:3] if found.group(2) else found.groups()[3:]
    return [before + code(inner) + after]


def is_plain(word: str) -> bool:
    """Returns true if no forge gives the word a meaning."""
    bare = word.strip("()\"'“”‘’.,;:!?…")
    return SAFE.fullmatch(word) is not None and not COMMIT.fullmatch(bare)


def link(label: str, url: str) -> str:
    """Returns a link. The label is code, so that it cannot look like another link."""
    return f"[{code(label)}]({url})"


def url_path(path: str) -> str:
    """Returns a path for an address: brackets and spaces cannot end a link."""
    return quote(path, safe="/")


def indent(text: str, by: int) -> str:
    """Returns the text with its lines moved to the right, as a part of a list item."""
    return "\n".join(" " * by + line if line else line for line in text.split("\n"))

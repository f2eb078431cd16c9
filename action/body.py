"""Composes the text of the comment: a hidden marker, the sections, older results in folds. It never exceeds a limit."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# The first line of the comment. `key` tells the comments of several steps apart; `head` is the commit of the result.
MARKER = re.compile(r"<!-- discussions-action key=([a-z0-9+._-]+) head=([0-9a-f]{40,64}) -->")
HISTORY = "<!-- discussions-action history -->"
FOLD_END = "<!-- discussions-action fold -->"
# Kept free for the lines that say what was cut.
RESERVE = 400


@dataclass
class Section:
    """The part of a comment about one mode."""

    title: str
    # Text that is always there.
    lead: list[str] = field(default_factory=list)
    # Parts that are left out, from the end, if the comment would be too long.
    items: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)
    # False if a reader does not miss the section.
    is_news: bool = True
    # True if the job fails.
    has_failed: bool = False


def is_own(key: str, body: str) -> bool:
    """Returns true if a text begins with the marker of this key."""
    found = MARKER.match(body)
    return found is not None and found.group(1) == key


def compose(key: str, head: str, sections: list[Section], footer: str, old: str, limit: int) -> str:
    """Returns the text of the comment. `old` is its text until now; empty if there is none."""
    marker = f"<!-- discussions-action key={key} head={head} -->"
    folds = older_results(old, head)
    current = render(sections, footer, limit - len(marker) - len(HISTORY) - RESERVE)
    parts = [marker, current]
    if folds:
        parts.append(HISTORY)
        length = sum(map(len, parts)) + 2 * len(parts)
        for at, fold in enumerate(folds):
            if length + len(fold) + 2 > limit - RESERVE:
                count = len(folds) - at
                parts.append(
                    f"_{plural(count, 'older result')} removed: the comment would exceed {limit:,} characters._"
                )
                break
            parts.append(fold)
            length += len(fold) + 2
    return "\n\n".join(parts) + "\n"


def older_results(old: str, head: str) -> list[str]:
    """Returns the folds of an old comment, newest first; its result is one of them if it is about another commit."""
    old = old.replace("\r\n", "\n")
    marker = MARKER.match(old)
    if not marker:
        return []
    current, _, history = old[marker.end() :].partition(HISTORY)
    folds = [fold.strip() + f"\n{FOLD_END}" for fold in history.split(FOLD_END) if "<details>" in fold]
    if marker.group(2) != head and current.strip():
        summary = f"<summary>Result for commit {marker.group(2)[:12]}</summary>"
        folds.insert(0, f"<details>\n{summary}\n\n{current.strip()}\n\n</details>\n{FOLD_END}")
    return folds


def render(sections: list[Section], footer: str, limit: int) -> str:
    """Returns the sections as Markdown. Items that do not fit are counted instead."""
    fixed = [[f"### {one.title}", *one.lead, *one.tail] for one in sections]
    left = limit - sum(len(part) + 2 for parts in fixed for part in parts) - len(footer) - 2
    blocks = []
    for at, one in enumerate(sections):
        # Each section may use its share and what the ones before left.
        share = left // (len(sections) - at)
        shown = []
        for item in one.items:
            if len(item) + 2 > share:
                break
            share -= len(item) + 2
            left -= len(item) + 2
            shown.append(item)
        blocks += [f"### {one.title}", *one.lead, *tight(shown)]
        if len(shown) < len(one.items):
            count = len(one.items) - len(shown)
            blocks.append(
                f"_{plural(count, 'entry', 'entries')} not shown: the comment would exceed the limit of the forge._"
            )
        blocks += one.tail
    if footer:
        blocks.append(footer)
    whole = "\n\n".join(blocks)
    if len(whole) <= limit + RESERVE // 2:
        return whole
    return "\n\n".join([f"### {one.title}" for one in sections] + ["_The report is too long for a comment._"])


def tight(items: list[str]) -> list[str]:
    """Returns list items as blocks; items of a few lines stand together."""
    blocks: list[str] = []
    for item in items:
        if blocks and "\n\n" not in item and "\n\n" not in blocks[-1]:
            blocks[-1] += f"\n{item}"
        else:
            blocks.append(item)
    return blocks


def plural(count: int, one: str, many: str = "") -> str:
    """Returns a number with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"

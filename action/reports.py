"""Turns the program's documents into sections of the comment. All texts in them are foreign."""

from __future__ import annotations

import re
from typing import Any, Callable

from body import Section, plural
from text import block, code, indent, link, prose

# Returns the address of a place in a file; empty if the commit has no such file.
Locate = Callable[[str, "int | None"], str]

# More entries tell a reader nothing new.
MOST = 100
# Dissent is never cut from a comment, so it has limits of its own.
MOST_DISSENT, SHORT = 20, 300
SEVERITIES = ("error", "warning", "note")
# Why reviewers did not see a file.
UNSHOWN = {"not_text": "not UTF-8 text", "too_large": "too large", "submodule": "a submodule", "lfs": "in Git LFS"}
MOST_UNSHOWN = 20
VERDICTS = {"consensus_reached": "passed", "consensus_blocked": "blocked"}
DAY = re.compile(r"\d{4}-\d\d-\d\d")


def place(file: Any, line: Any, locate: Locate) -> str:
    """Returns a file and a line, as a link if the file exists; empty if there is no file."""
    if not isinstance(file, str) or not file:
        return ""
    number = line if isinstance(line, int) and line > 0 else None
    label = f"{file}:{number}" if number else file
    url = locate(file, number)
    return link(label, url) if url else code(label)


def entries(document: Any, key: str) -> list[dict[str, Any]]:
    """Returns the objects in a list of a document."""
    found = document.get(key) if isinstance(document, dict) else None
    return [one for one in found if isinstance(one, dict)][:MOST] if isinstance(found, list) else []


def failed_section(title: str, why: str) -> Section:
    """Returns the section of a mode that gave no result."""
    return Section(title, lead=[f"**Not done.** {prose(why)}"], has_failed=True)


def check_section(document: Any, code_of_exit: int, locate: Locate) -> Section:
    """Returns the section about a check, from `check --json`."""
    files = [one for one in document if isinstance(one, dict)] if isinstance(document, list) else []
    found = [(one, problem) for one in files for problem in one.get("problems", [])]
    counts = {severity: sum(problem.get("severity") == severity for _, problem in found) for severity in SEVERITIES}
    found.sort(key=lambda pair: SEVERITIES.index(pair[1].get("severity", "note")))
    items = []
    for one, problem in found[:MOST]:
        at = place(one.get("file"), problem.get("line"), locate)
        code_word = code(problem.get("code", ""))
        items.append(f"- {problem.get('severity')}: {at} {prose(problem.get('message', ''))} ({code_word})")
    sums = ", ".join(plural(count, severity) for severity, count in counts.items())
    has_failed = code_of_exit != 0
    verdict = "**The check fails.**" if has_failed else "The check passes."
    more = [f"_{plural(len(found) - MOST, 'more finding')}: `discussions check --git` lists all._"]
    return Section(
        "Check of the discussions",
        lead=[f"{verdict} {sums}."],
        items=items,
        tail=more if len(found) > MOST else [],
        is_news=counts["error"] + counts["warning"] > 0 or has_failed,
        has_failed=has_failed,
    )


def decisions_section(document: Any, locate: Locate) -> Section:
    """Returns the section about decisions on touched files, from `decisions --diff --json`."""
    title = "Decisions about the files of this change"
    found = [one for one in document if isinstance(one, dict)] if isinstance(document, list) else []
    if not found:
        return Section(title, lead=["No decision in force is about a file of this change."], is_news=False)
    items = [decision(one, locate) for one in found[:MOST]]
    count = plural(len(found), "discussion")
    more = [f"_{plural(len(found) - MOST, 'more discussion')}: `discussions decisions --diff` lists all._"]
    lead = [f"{count} decided about files that this change touches."]
    return Section(title, lead=lead, items=items, tail=more if len(found) > MOST else [])


def decision(one: dict[str, Any], locate: Locate) -> str:
    """Returns one discussion with its decisions in force."""
    file = str(one.get("file", ""))
    # Decision records of other tools are listed without their ending.
    url = locate(file, None)
    title = link(str(one.get("title", file)), url) if url else code(str(one.get("title", file)))
    lines = [f"- {title}"]
    stated = [it for it in entries(one, "decisions") if it.get("state", "live") == "live"]
    for it in stated:
        by = f" ({code(it['author'])})" if it.get("author") else ""
        lines.append(f"  - D{int(it.get('number', 0))}: {prose(it.get('text', ''))}{by}")
    outcome = one.get("decision") or one.get("outcome")
    if not stated and outcome:
        lines.append(f"  - Decided: {prose(outcome)}")
    if one.get("affects"):
        lines.append("  - About " + ", ".join(code(pattern) for pattern in one["affects"][:20]))
    for it in entries(one, "reviews"):
        day = str(it.get("reviewBy", ""))
        if DAY.fullmatch(day):
            over = "; that day is over" if it.get("overdue") else ""
            lines.append(f"  - Review by {day}{over}")
    for it in entries(one, "hindsight"):
        lines.append(
            f"  - In hindsight {code(it.get('result', ''))}: {prose(it.get('text', ''))} ({code(it.get('by', ''))})"
        )
    for it in entries(one, "dissent"):
        lines.append(f"  - Dissent of {code(it.get('participant', ''))}: {prose(it.get('text', ''))}")
    return "\n".join(lines)


def review_section(document: dict[str, Any], locate: Locate, artifact: str) -> Section:
    """Returns the section about a review, from `review --json`."""
    verdict = document.get("verdict")
    word = VERDICTS.get(str(verdict), "no verdict")
    facts = [f"**Verdict: {word}**"]
    if document.get("severity"):
        facts.append(f"severity {code(document['severity'])}")
    if document.get("recommendation"):
        facts.append(f"recommendation {code(document['recommendation'])}")
    if isinstance(document.get("averageRating"), (int, float)):
        facts.append(f"average rating {document['averageRating']:.1f} of 5")
    lead = [", ".join(facts) + "."]
    error = document.get("error")
    if isinstance(error, dict):
        lead.append(f"Why: {prose(error.get('message', ''))} ({code(error.get('code', ''))})")
    unshown = not_shown(document)
    if unshown:
        lead.append(unshown)
    if document.get("failed"):
        lead.append("No readable answer from " + ", ".join(code(who) for who in document["failed"]) + ".")
    if document.get("ratings"):
        lead.append(
            "Ratings: " + ", ".join(f"{code(who)} {code(rating)}" for who, rating in document["ratings"].items()) + "."
        )
    items = [finding(one, locate) for one in entries(document, "findings")]
    items += [point("Missing", one, "", locate) for one in entries(document, "missingRequirements")]
    items += [point("Weakness", one, "severity", locate) for one in entries(document, "weaknesses")]
    items += [point("Suggestion", one, "priority", locate) for one in entries(document, "actions")]
    if not items and (verdict or unshown):
        lead.append("No findings in the rest." if unshown else "No findings.")
    # Long lists of findings are cut; dissent never is.
    tail = [*dissent(document), cost(document.get("costSummary") or {})]
    if artifact:
        tail.append(f"The whole record is the artefact {code(artifact)} of this run.")
    return Section("Review by models", lead=lead, items=items, tail=tail)


def not_shown(document: dict[str, Any]) -> str:
    """Returns the files that the reviewers did not see; empty if they saw all. It is never cut from a comment."""
    found = document.get("notShown")
    files = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    if not files:
        return ""
    names = [
        f"{code(one.get('file', ''))} ({UNSHOWN.get(str(one.get('reason')), 'not shown')})" for one in files[:MOST_UNSHOWN]
    ]
    more = len(files) - len(names)
    names += [f"and {plural(more, 'more file')}"] if more else []
    return f"**Not shown to the reviewers:** {', '.join(names)}. Look at them yourself."


def finding(one: dict[str, Any], locate: Locate) -> str:
    """Returns a finding with its quote, proof and new wording."""
    at = place(one.get("file"), one.get("atLine"), locate) or "without a place"
    state = "" if one.get("state") == "open" else f", {code(one.get('state', ''))}"
    lines = [f"- Finding {int(one.get('number', 0))}: {at} (by {code(one.get('name', ''))}{state})"]
    lines.append(indent(block(one.get("quote", "")), 2))
    lines.append(f"  Proof: {prose(one.get('proof', ''))}")
    instead = str(one.get("instead", ""))
    if not instead:
        lines.append("  Instead: remove it.")
    elif "\n" in instead:
        lines.append("  Instead:\n" + indent(block(instead), 2))
    else:
        lines.append(f"  Instead: {prose(instead)}")
    return "\n\n".join(lines)


def point(kind: str, one: dict[str, Any], level: str, locate: Locate) -> str:
    """Returns a finding of one sentence."""
    grade = f", {code(one[level])}" if level and one.get(level) else ""
    at = place(one.get("file"), one.get("atLine"), locate)
    words = str(one.get("text", ""))
    if at:
        words = words.removeprefix(f"{one['file']}:{one.get('atLine')}").lstrip(" :,-–—") or words
    where = f"{at} " if at else ""
    return f"- {kind}: {where}{prose(words)} (by {code(one.get('perspective', ''))}{grade})"


def dissent(document: dict[str, Any]) -> list[str]:
    """Returns what participants object to, and what they contradict each other about."""
    lines = []
    for one in entries(document.get("outcome"), "dissent"):
        lines.append(
            f"- {code(one.get('participant', ''))} ({code(one.get('vote', ''))}): {prose(one.get('text', ''), SHORT)}"
        )
    for one in entries(document, "opposed"):
        by = [str(who) for who in one.get("by", [])] + ["", ""]
        first, second = prose(one.get("one", ""), SHORT), prose(one.get("other", ""), SHORT)
        lines.append(f"- {code(by[0])}: {first}; but {code(by[1])}: {second}")
    for one in entries(document, "divergences"):
        who = ", ".join(code(name) for name in one.get("by", []))
        lines.append(
            f"- {code(one.get('severity', ''))} {code(one.get('rule', ''))}: {prose(one.get('detail', ''), SHORT)} ({who})"
        )
    if len(lines) > MOST_DISSENT:
        more = plural(len(lines) - MOST_DISSENT, "more objection")
        lines = [*lines[:MOST_DISSENT], f"- _{more}: see the record._"]
    return ["**Dissent**", "\n".join(lines)] if lines else ["No dissent."]


def cost(summary: dict[str, Any]) -> str:
    """Returns the cost of a review in one line."""
    calls, tokens = int(summary.get("totalCalls") or 0), int(summary.get("totalTokens") or 0)
    usd = summary.get("estimatedCostUsd")
    money = f"${usd:.2f}" if isinstance(usd, (int, float)) else "an unknown amount"
    if isinstance(usd, (int, float)) and 0 < usd < 0.01:
        money = "less than $0.01"
    about = "about " if summary.get("estimated") and money.startswith("$") else ""
    providers = summary.get("byProvider")
    names = ", ".join(code(name) for name in providers) if isinstance(providers, dict) else ""
    through = f", by {names}" if names else ""
    return f"Cost: {about}{money} for {plural(calls, 'call')} and {plural(tokens, 'token')}{through}."

"""Reports on a pull request: checks its discussions, shows what was decided, or has it reviewed.

The same script serves GitHub, Forgejo and GitLab. It needs Python 3.9 and git, and no package. Only this script talks to
the forge; the program `discussions` posts nothing and gets no token of the job.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

# Python's isolated mode leaves out the folder of the script, and the working folder, which holds the foreign change.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import body
import output
import reports
from body import Section, compose
from change import Change, Stop, read_change
from comments import Comments
from http_client import Clock, Refused, Unreachable
from install import install
from program import GRACE, Program, Ran
from repository import Repository
from settings import Settings, read_settings
from text import code

TITLES = {
    "check": "Check of the discussions",
    "decisions": "Decisions about the files of this change",
    "review": "Review by models",
}

FORK = (
    "The review is skipped: this change comes from a fork, and its jobs get no keys of this repository. "
    "A maintainer can push the branch here to have it reviewed."
)


class Job:
    """One run of the action."""

    def __init__(self, settings: Settings, change: Change, program: Program, repository: Repository) -> None:
        self.settings = settings
        self.change = change
        self.program = program
        self.repository = repository
        # Configuration, templates and personas come from here.
        self.base = self.project(repository.work_tree("base", change.base))
        self.head_tree: Path | None = None
        self.range = f"{change.base}...{change.head}"

    def project(self, tree: Path) -> Path:
        """Returns the folder of the project in a work tree. A link could lead out of it."""
        folder = (tree / self.settings["directory"]).resolve()
        if not folder.is_dir() or tree.resolve() not in (folder, *folder.parents):
            raise Stop(f"`directory`: the commit has no folder {self.settings['directory']}.")
        return folder

    def head(self) -> Path:
        """Returns the folder of the project in the head, which several modes read."""
        if self.head_tree is None:
            self.head_tree = self.repository.work_tree("head", self.change.head)
        return self.project(self.head_tree)

    def locate(self, commit: str) -> reports.Locate:
        """Returns a function that finds the addresses of files in a commit."""
        prefix = "" if self.settings["directory"] == "." else self.settings["directory"].rstrip("/") + "/"

        def address(path: str, line: int | None) -> str:
            # A diff names files from the root, the program from the folder of the project.
            for candidate in dict.fromkeys((prefix + path, path)):
                for file in (candidate, candidate + ".md"):
                    if self.repository.has_file(commit, file):
                        return self.change.url_of(file, commit, line)
            return ""

        return address

    def section(self, mode: str) -> Section:
        """Runs one mode. A failure is a section, too."""
        try:
            return {"check": self.check, "decisions": self.decisions, "review": self.review}[mode]()
        except Stop as stop:
            return reports.failed_section(TITLES[mode], str(stop))

    def check(self) -> Section:
        """Checks the discussions of the change against the base."""
        head = self.head()
        words = ["check", "--git", "--since", self.change.base]
        if self.settings.is_set("strict"):
            words.append("--strict")
        form = "gitlab" if self.change.forge == "gitlab" else "github"
        shown = self.program.run(head, *words, "--format", form)
        if shown.code > 1:
            return reports.failed_section(TITLES["check"], shown.failure())
        if form == "gitlab":
            output.write_file("gl-code-quality-report.json", shown.out)
        else:
            output.annotate(shown.out)
        ran = self.program.run(head, "--quiet", *words, "--json")
        if ran.code > 1 or ran.document() is None:
            return reports.failed_section(TITLES["check"], ran.failure())
        return reports.check_section(ran.document(), ran.code, self.locate(self.change.head))

    def decisions(self) -> Section:
        """Finds the decisions of the base about files that the change touches, and those that it ends."""
        ran = self.program.run(self.base, "decisions", "--diff", self.range, "--json")
        if ran.code != 0 or ran.document() is None:
            return reports.failed_section(TITLES["decisions"], ran.failure())
        head = self.head()
        # The check evaluates both versions; its other findings belong to the mode `check`.
        checked = self.program.run(head, "--quiet", "check", "--git", "--since", self.change.base, "--json")
        if checked.code > 1 or checked.document() is None:
            return reports.failed_section(TITLES["decisions"], checked.failure())
        ended = reports.ended_decisions(checked.document(), self.locate(self.change.head))
        return reports.decisions_section(ran.document(), self.locate(self.change.base), ended)

    def review(self) -> Section:
        """Has models review the change, with the configuration of the base."""
        settings = self.settings
        if settings.is_set("trust-base"):
            trusted = self.program.run(self.base, "trust", "--yes")
            if trusted.code != 0:
                return reports.failed_section(
                    TITLES["review"], f"`discussions trust` failed with exit code {trusted.code}"
                )
        record = f"pull-request-{self.change.number}-{self.change.head[:12]}.md"
        words = ["review", "--diff", self.range, "--pattern", settings["pattern"], "--max-usd", settings["max-usd"]]
        words += ["--timeout", settings["timeout"], "--out", record, "--json"]
        for name in ("perspectives", "provider"):
            if settings[name]:
                words += [f"--{name}", settings[name]]
        if settings.is_set("blocking"):
            words += ["--fail-on", "medium"]
        ran = self.program.run(self.base, *words, timeout=settings.seconds + GRACE)
        has_record = self.keep_record(self.base / record)
        why = ran.failure()
        if why:
            return reports.failed_section(TITLES["review"], why)
        return self.verdict(ran, has_record)

    def verdict(self, ran: Ran, has_record: bool) -> Section:
        """Returns the section of a finished review and sets the outputs."""
        document = ran.document()
        verdict = str(document.get("verdict") or "none")
        output.set_output("verdict", verdict)
        artifact = self.settings["artifact"] if has_record else ""
        section = reports.review_section(document, self.locate(self.change.head), artifact)
        is_blocked = ran.code != 0 and self.settings.is_set("blocking")
        error = document.get("error")
        # A change with a picture is reviewed, but never passes.
        is_partial = isinstance(error, dict) and error.get("code") == "DISCUSSION_NOT_SHOWN"
        # Without another reason, a review without a verdict did not do what was paid for.
        section.has_failed = is_blocked or (verdict == "none" and not is_partial)
        return section

    def keep_record(self, made: Path) -> bool:
        """Copies the record to a place that outlives the job's work trees. Returns true if there is one."""
        if not made.is_file() or made.is_symlink():
            return False
        temporary = os.environ.get("RUNNER_TEMP")
        if temporary and self.change.forge == "github":
            folder = Path(tempfile.mkdtemp(prefix="discussions-record-", dir=temporary))
            kept = folder / made.name
            shutil.copyfile(made, kept)
        else:
            # Other forges keep only files in the clone.
            kept = Path("discussions-review.md").absolute()
            output.write_file(str(kept), made.read_text(encoding="utf-8"))
        output.set_output("record", str(kept))
        return True


def footer_of(program: Program, change: Change) -> str:
    """Returns the last line of the comment."""
    log = f", [log]({change.run_url})" if change.run_url else ""
    return f"<sub>{code(program.version)}, commit {code(change.head[:12])}{log}</sub>"


def publish(
    settings: Settings, change: Change, sections: list[Section], footer: str, token: str, clock: Clock | None
) -> None:
    """Updates the comment, or writes the job summary if that is not possible."""

    def in_summary(why: str) -> None:
        report = compose(settings.key, change.head, sections, footer, "", 500_000)
        output.notice(f"{why} The report is in {output.summarize(report)}.")

    if not settings.is_set("comment"):
        return in_summary("No comment was wanted.")
    if not token:
        return in_summary("There is no token for a comment.")
    comments = Comments(change, token, settings["author"], clock)

    def is_own(text: str) -> bool:
        return body.is_own(settings.key, text)

    try:
        old = comments.find(is_own)
        if not old and not any(section.is_news for section in sections):
            return output.say("there is nothing to report, so there is no comment")
        text = compose(settings.key, change.head, sections, footer, old.body if old else "", comments.limit)
        made = comments.publish(text, old, is_own)
    except Refused as refusal:
        return in_summary(f"The forge refused the comment ({refusal.status}: {refusal}).")
    except (Unreachable, KeyError, TypeError, ValueError) as failure:
        return in_summary(f"The comment was not possible ({failure}).")
    output.say(f"{'updated' if old else 'created'} comment {made.number} as {made.author}")
    output.set_output("comment", str(made.number))
    if made.author and made.author != comments.author:
        output.notice(
            f"The author of the comment is {made.author}. Set `author` to it, or the next run creates another comment."
        )


def report(words: Sequence[str], env: Mapping[str, str], scratch: Path, clock: Clock | None) -> int:
    """Runs all modes and publishes the report. Returns the exit code."""
    settings = read_settings(words, env)
    change = read_change(env, settings["forge"])
    modes = [mode for mode in settings.modes if not (mode == "review" and change.is_fork)]
    if len(modes) < len(settings.modes):
        output.notice(FORK)
    if not modes:
        output.summarize(f"### {TITLES['review']}\n\n{FORK}")
        return 0
    repository = Repository(Path.cwd(), scratch, env)
    try:
        program = install(scratch, env, settings["install"], settings["version"], settings["program"])
        job = Job(settings, change, program, repository)
        sections = [job.section(mode) for mode in modes]
    finally:
        repository.remove_work_trees()
    if len(modes) < len(settings.modes):
        sections.append(Section(TITLES["review"], lead=[FORK], is_news=False))
    publish(settings, change, sections, footer_of(program, change), env.get("FORGE_TOKEN", ""), clock)
    return 1 if any(section.has_failed for section in sections) else 0


def main(words: Sequence[str], env: Mapping[str, str], clock: Clock | None = None) -> int:
    """Runs the action. Returns the exit code."""
    scratch = Path(tempfile.mkdtemp(prefix="discussions-", dir=env.get("RUNNER_TEMP") or None))
    try:
        return report(words, env, scratch, clock)
    except Stop as stop:
        output.error(str(stop))
        return stop.code
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], dict(os.environ)))

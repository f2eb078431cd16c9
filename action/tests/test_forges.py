"""The same script on Forgejo and GitLab."""

from __future__ import annotations

import json
import subprocess

from change import Change, Stop, read_change
from sandbox import Sandbox


class Forgejo(Sandbox):
    """A job of Forgejo, which sets the variables of GitHub."""

    forge_kind = "forgejo"

    def test_comment_is_created_and_updated(self) -> None:
        self.change_config()
        self.forge.author = "forgejo-actions"
        for at in range(60):
            self.forge.add("mira", f"Comment {at}.")
        job = {"FORGEJO_ACTIONS": "true", "GITHUB_SERVER_URL": "https://git.example.org"}
        for _ in range(2):
            code, log = self.act("--mode", "decisions", **job)
            self.assertEqual(code, 0, log)
        (own,) = self.forge.own()
        self.assertIn(
            f"https://git.example.org/octo/shop/src/commit/{self.base}/discussions/where-do-sessions-live.md", own
        )
        self.assertEqual(self.forge.methods(), ["GET", "POST", "GET", "PATCH"])
        self.assertEqual(self.forge.requests[0][3]["Authorization"], "token secret-token")

    def test_change_pushed_without_a_branch_counts_as_a_fork(self) -> None:
        self.change_config()
        repository = {"id": 1, "full_name": "octo/shop"}
        for more in (
            {"head": {"sha": self.head, "repo": repository, "ref": "refs/pull/7/head"}},
            {"flow": 1},
        ):
            words = ("--mode", "review", "--max-usd", "1", "--trust-base", "true")
            code, log = self.act(*words, event=self.event(**more), FORGEJO_ACTIONS="true")
            self.assertEqual((code, self.calls()), (0, []), log)
            self.assertIn("this change comes from a fork", log)
        code, log = self.act(*words, event=self.event(flow=0), FORGEJO_ACTIONS="true")
        self.assertEqual(self.calls(), ["reviewer token= trust="], log)

    def test_report_is_a_file_if_there_is_no_summary(self) -> None:
        self.change_config()
        code, log = self.act("--mode", "decisions", FORGEJO_ACTIONS="true", GITHUB_STEP_SUMMARY="", FORGE_TOKEN="")
        self.assertEqual(code, 0)
        self.assertIn("The report is in the file discussions-report.md.", log)
        self.assertIn("sessions live in Redis", (self.work / "discussions-report.md").read_text())


class GitLab(Sandbox):
    """A merge request pipeline."""

    forge_kind = "gitlab"

    def job(self, **more: str) -> dict[str, str]:
        """Returns the variables of the pipeline."""
        unset = dict.fromkeys(
            ("GITHUB_ACTIONS", "GITHUB_EVENT_NAME", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "RUNNER_TEMP"), ""
        )
        return {
            **unset,
            "GITLAB_CI": "true",
            "CI_PIPELINE_SOURCE": "merge_request_event",
            "CI_MERGE_REQUEST_IID": "7",
            "CI_MERGE_REQUEST_PROJECT_ID": "42",
            "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "42",
            "CI_MERGE_REQUEST_PROJECT_URL": "https://gitlab.example.org/octo/shop",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": self.base,
            "CI_COMMIT_SHA": self.head,
            "CI_API_V4_URL": self.forge.url,
            "CI_JOB_URL": "https://gitlab.example.org/octo/shop/-/jobs/9",
            "CI_JOB_TOKEN": "job-token",
            **more,
        }

    def test_note_is_created_and_updated(self) -> None:
        self.change_config()
        self.forge.author = "project_42_bot"
        for at in range(120):
            self.forge.add("mira", f"Note {at}.")
        copied = self.forge.add("mallory", f"<!-- discussions-action key=decisions head={self.base} -->\n\nMine.")
        for _ in range(2):
            code, log = self.act("--mode", "decisions", **self.job())
            self.assertEqual(code, 0, log)
        (own,) = self.forge.own()
        self.assertIn(
            f"https://gitlab.example.org/octo/shop/-/blob/{self.base}/discussions/where-do-sessions-live.md", own
        )
        self.assertTrue(copied["body"].endswith("Mine."))
        self.assertEqual(self.forge.methods(), ["GET", "GET", "GET", "POST", "GET", "GET", "GET", "PUT"])
        self.assertEqual(self.forge.requests[0][3]["Private-Token"], "secret-token")

    def test_check_writes_a_code_quality_report(self) -> None:
        self.author("Mallory")
        path = self.work / "discussions" / "where-do-sessions-live.md"
        path.write_text(path.read_text() + "---\n\nName: Mira\n\nVOTE: READY\n\n---\n")
        self.commit("Agree")
        code, log = self.act("--mode", "check", **self.job())
        self.assertEqual(code, 1, log)
        report = json.loads((self.work / "gl-code-quality-report.json").read_text())
        self.assertIn("major", [one["severity"] for one in report])
        self.assertEqual(report[0]["location"]["path"], "discussions/where-do-sessions-live.md")
        for one in report:
            self.assertEqual(sorted(one), ["check_name", "description", "fingerprint", "location", "severity"])
        self.assertNotIn("::", log)

    def test_review_keeps_the_record_in_the_clone(self) -> None:
        self.change_config()
        words = ("--mode", "review", "--max-usd", "1", "--trust-base", "true")
        code, log = self.act(*words, **self.job())
        self.assertEqual(code, 0, log)
        self.assertIn("redis-cluster", (self.work / "discussions-review.md").read_text())
        self.assertEqual(self.calls(), ["reviewer token= trust="])

    def test_folders_in_place_of_reports_are_replaced(self) -> None:
        self.author("Mallory")
        for name in ("gl-code-quality-report.json", "discussions-report.md", "discussions-review.md"):
            self.write(f"{name}/deep/file", "1")
        path = self.work / "discussions" / "where-do-sessions-live.md"
        path.write_text(path.read_text() + "---\n\nName: Mira\n\nVOTE: READY\n\n---\n")
        self.commit("Agree")
        code, log = self.act("--mode", "check", **self.job())
        self.assertEqual(code, 1, log)
        self.assertIn("**The check fails.**", self.forge.own()[0])
        self.assertTrue(json.loads((self.work / "gl-code-quality-report.json").read_text()))
        words = ("--mode", "review", "--max-usd", "1", "--trust-base", "true", "--comment", "false")
        code, log = self.act(*words, **self.job(GITHUB_STEP_SUMMARY=""))
        self.assertEqual(code, 0, log)
        for name in ("discussions-report.md", "discussions-review.md"):
            self.assertTrue((self.work / name).is_file(), name)

    def test_review_of_a_fork_is_skipped(self) -> None:
        self.change_config()
        job = self.job(CI_MERGE_REQUEST_SOURCE_PROJECT_ID="43")
        code, log = self.act("--mode", "review", "--max-usd", "1", **job)
        self.assertEqual((code, self.calls()), (0, []))
        self.assertIn("this change comes from a fork", log)

    def test_quick_actions_in_findings_are_code(self) -> None:
        self.change_config()
        answer = "### Finding 1\\n\\n> store: redis-cluster\\n\\nProof: no\\n\\nInstead: /merge\\n/close\\n"
        self.act("--mode", "review", "--max-usd", "1", "--trust-base", "true", **self.job(ANSWER=answer))
        (own,) = self.forge.own()
        fenced = False
        for line in own.splitlines():
            fenced ^= line.strip().startswith("```")
            self.assertFalse(line.strip().startswith("/") and not fenced, line)

    def test_other_pipelines_are_refused(self) -> None:
        self.change_config()
        code, log = self.act(**self.job(CI_PIPELINE_SOURCE="push"))
        self.assertEqual(code, 1)
        self.assertIn("needs a merge request pipeline", log)
        self.assertEqual(self.forge.requests, [])

    def test_source_branch_counts_in_a_pipeline_of_merged_results(self) -> None:
        other = "c" * 40
        job = self.job(
            CI_MERGE_REQUEST_SOURCE_BRANCH_SHA="d" * 40,
            CI_MERGE_REQUEST_TARGET_BRANCH_SHA=other,
            CI_COMMIT_SHA="e" * 40,
        )
        change = read_change(job)
        self.assertEqual((change.head, change.base), ("d" * 40, other))
        with self.assertRaises(Stop):
            read_change({**job, "CI_MERGE_REQUEST_IID": "x"})

    def test_address_of_a_line(self) -> None:
        change = Change("github", "", "octo/shop", 7, "a" * 40, "b" * 40, False, "https://h/blob", "")
        self.assertEqual(change.url_of("a b.md", "c", 3), "https://h/blob/c/a%20b.md?plain=1#L3")
        self.assertEqual(change.url_of("a.rs", "c", 3), "https://h/blob/c/a.rs#L3")
        self.assertEqual(change.url_of("a.md", "c"), "https://h/blob/c/a.md")


class Program(Sandbox):
    """The program itself."""

    def test_program_posts_nothing(self) -> None:
        self.change_config()
        env = self.environment(DISCUSSIONS_TRUST="", ANSWER="No findings.")
        for words in (
            ["check", "--git", "--since", self.base, "--format", "github"],
            ["decisions", "--diff", f"{self.base}...{self.head}"],
            ["review", "--diff", f"{self.base}...{self.head}", "--pattern", "second-look", "--provider", "mock"],
        ):
            subprocess.run([self.program, *words], cwd=self.work, env=env, capture_output=True, check=False)
        self.assertEqual(self.forge.requests, [])

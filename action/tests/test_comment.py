"""The one comment: found, created, updated, folded, cut, refused."""

from __future__ import annotations

import unittest

import body
import reports
from body import Section, compose
from change import Change
from comments import Comments
from fake_forge import BOT, FakeForge
from http_client import Client, Refused, Unreachable
from sandbox import FakeClock, Sandbox

HEAD, LATER = "a" * 40, "b" * 40


class OneComment(Sandbox):
    """A comment through all runs of one change."""

    def test_comment_is_created_once_and_updated_in_place(self) -> None:
        self.change_config()
        self.forge.add("mira", "Looks good.")
        code, log = self.act("--mode", "decisions")
        self.assertEqual(code, 0, log)
        self.assertIn("created comment 1001 as github-actions[bot]", log)
        code, log = self.act("--mode", "decisions")
        self.assertIn("updated comment 1001", log)
        (own,) = self.forge.own()
        self.assertIn("D1: sessions live in Redis", own)
        self.assertIn(f"https://github.com/octo/shop/blob/{self.base}/discussions/where-do-sessions-live.md", own)
        self.assertNotIn("<details>", own, "the commit is the same")
        self.assertEqual(self.forge.methods(), ["GET", "POST", "GET", "PATCH"])
        self.assertIn("comment<<", self.outputs())

    def test_older_result_is_folded_when_the_head_changes(self) -> None:
        first = self.change_config()
        self.act("--mode", "decisions")
        self.write("src/session/config.yaml", "store: postgres\n")
        second = self.commit("Use PostgreSQL")
        self.act("--mode", "decisions")
        self.write("src/session/config.yaml", "store: sqlite\n")
        self.commit("Use SQLite")
        code, _ = self.act("--mode", "decisions")
        self.assertEqual(code, 0)
        (own,) = self.forge.own()
        self.assertEqual(own.count("<details>"), 2)
        self.assertEqual(own.count("</details>"), 2)
        self.assertLess(own.index(f"commit {second[:12]}</summary>"), own.index(f"commit {first[:12]}</summary>"))
        self.assertTrue(own.startswith(f"<!-- discussions-action key=decisions head={self.head} -->\n"))

    def test_copy_by_a_person_is_left_alone(self) -> None:
        self.change_config()
        self.act("--mode", "decisions")
        copied = self.forge.comments.pop()["body"]
        # The marker in a quote, by this action's author, is no comment of its own either.
        self.forge.add("mallory", copied)
        self.forge.add(None, copied)
        self.forge.add(BOT, "> " + copied)
        self.forge.add(BOT, copied.replace("key=decisions", "key=other"))
        self.act("--mode", "decisions")
        self.assertEqual(self.forge.methods()[-1], "POST")
        self.assertEqual([one["body"] for one in self.forge.comments[:2]], [copied, copied])

    def test_comment_on_a_later_page_is_found(self) -> None:
        self.change_config()
        for at in range(230):
            self.forge.add("mira", f"Comment {at}.")
        self.act("--mode", "decisions")
        self.act("--mode", "decisions")
        self.assertEqual(len(self.forge.own()), 1)
        self.assertEqual(self.forge.methods(), ["GET"] * 3 + ["POST"] + ["GET"] * 3 + ["PATCH"])

    def test_nothing_to_report_creates_no_comment_and_updates_an_old_one(self) -> None:
        self.write("README.md", "# Shop\n")
        self.commit("Add a page")
        code, log = self.act("--mode", "check,decisions")
        self.assertEqual((code, self.forge.methods()), (0, ["GET"]), log)
        self.assertIn("there is nothing to report", log)
        old = f"<!-- discussions-action key=check+decisions head={self.base} -->\n\nOld result."
        self.forge.add(BOT, old)
        self.act("--mode", "check,decisions")
        (own,) = self.forge.own()
        self.assertIn("The check passes.", own)
        self.assertIn("Old result.", own)

    def test_read_only_token_writes_the_summary(self) -> None:
        self.change_config()
        self.forge.plan(
            "POST",
            403,
            {},
            {"message": "Resource not accessible by integration", "documentation_url": "https://docs.github.com"},
        )
        code, log = self.act("--mode", "decisions")
        self.assertEqual(code, 0)
        self.assertIn("::notice::The forge refused the comment (403: Resource not accessible by integration).", log)
        self.assertIn("D1: sessions live in Redis", self.summary())
        self.assertEqual(self.clock.pauses, [], "waiting changes nothing")

    def test_refused_comment_writes_the_summary(self) -> None:
        self.change_config()
        self.forge.plan(
            "POST", 422, {}, {"message": "Validation Failed", "documentation_url": "https://docs.github.com"}
        )
        code, log = self.act("--mode", "decisions")
        self.assertEqual(code, 0)
        self.assertIn("(422: Validation Failed)", log)
        self.assertIn("sessions live in Redis", self.summary())

    def test_wanted_summary_makes_no_request(self) -> None:
        self.change_config()
        self.act("--mode", "decisions", "--comment", "false")
        self.act("--mode", "decisions", FORGE_TOKEN="")
        self.assertEqual(self.forge.requests, [])
        self.assertEqual(self.summary().count("D1: sessions live in Redis"), 2)

    def test_deleted_comment_is_created_again(self) -> None:
        self.change_config()
        self.forge.add(BOT, f"<!-- discussions-action key=decisions head={HEAD} -->\n\nOld.")
        self.forge.plan("PATCH", 404)
        self.act("--mode", "decisions")
        self.assertEqual(self.forge.methods(), ["GET", "PATCH", "POST"])

    def test_lost_answer_creates_no_second_comment(self) -> None:
        self.change_config()
        self.forge.loses_answers = 1
        code, log = self.act("--mode", "decisions")
        self.assertEqual(code, 0, log)
        self.assertEqual(len(self.forge.own()), 1)
        self.assertEqual(self.forge.methods(), ["GET", "POST", "GET"])

    def test_failed_creation_is_tried_again_after_a_look(self) -> None:
        self.change_config()
        self.forge.plan("POST", 502)
        code, log = self.act("--mode", "decisions")
        self.assertEqual((code, len(self.forge.own())), (0, 1), log)
        self.assertEqual(self.forge.methods(), ["GET", "POST", "GET", "POST"])

    def test_other_author_is_named(self) -> None:
        self.change_config()
        self.forge.author = "acme-bot"
        _, log = self.act("--mode", "decisions")
        self.assertIn("The author of the comment is acme-bot. Set `author` to it", log)
        self.act("--mode", "decisions", "--author", "acme-bot")
        self.assertEqual(len(self.forge.own()), 1)

    def test_rate_limits_are_waited_for(self) -> None:
        self.change_config()
        limited = {"message": "API rate limit exceeded", "documentation_url": "https://docs.github.com"}
        reset = str(int(self.clock.now()) + 20)
        self.forge.plan("GET", 429, {"Retry-After": "7"}, limited)
        self.forge.plan("GET", 403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}, limited)
        self.forge.plan("POST", 403, {}, {**limited, "message": "You have exceeded a secondary rate limit"})
        code, log = self.act("--mode", "decisions")
        self.assertEqual(code, 0, log)
        self.assertEqual(self.clock.pauses, [7.0, 14.0, 60.0])
        self.assertEqual(len(self.forge.own()), 1)

    def test_long_rate_limit_writes_the_summary(self) -> None:
        self.change_config()
        self.forge.plan("GET", 429, {"Retry-After": "3600"})
        code, log = self.act("--mode", "decisions")
        self.assertEqual((code, self.clock.pauses), (0, []))
        self.assertIn("the forge asks to wait 3600 s; the limit is 180 s in total", log)
        self.assertIn("sessions live in Redis", self.summary())

    def test_failing_forge_is_tried_again_and_given_up(self) -> None:
        self.change_config()
        for _ in range(5):
            self.forge.plan("GET", 502)
        code, log = self.act("--mode", "decisions")
        self.assertEqual((code, self.clock.pauses), (0, [1.0, 2.0, 4.0, 8.0]))
        self.assertIn("no answer after 5 tries: status 502", log)


class Calls(unittest.TestCase):
    """Calls of a forge without a change."""

    def setUp(self) -> None:
        self.forge = FakeForge()
        self.addCleanup(self.forge.close)
        self.clock = FakeClock()
        self.client = Client(self.forge.url, {"Authorization": "Bearer secret-token"}, self.clock)

    def test_next_page_at_another_address_is_refused(self) -> None:
        other = FakeForge()
        self.addCleanup(other.close)
        self.forge.plan("GET", 200, {"Link": f'<{other.url}/x>; rel="next"'}, [{}])
        with self.assertRaisesRegex(Refused, "another address"):
            list(self.client.pages("/list"))
        self.assertEqual(other.requests, [])

    def test_redirect_is_refused(self) -> None:
        other = FakeForge()
        self.addCleanup(other.close)
        self.forge.plan("GET", 302, {"Location": f"{other.url}/x"})
        with self.assertRaises(Refused):
            self.client.get("/list")
        self.assertEqual(other.requests, [])

    def test_date_in_retry_after_is_understood(self) -> None:
        self.clock.time = 1_800_000_000.0
        self.forge.plan("GET", 429, {"Retry-After": "Fri, 15 Jan 2027 08:00:09 GMT"})
        self.forge.plan("GET", 200, {}, [{}])
        self.client.get("/list")
        self.assertEqual(self.clock.pauses, [9.0])

    def test_unreachable_forge_is_given_up(self) -> None:
        client = Client("http://127.0.0.1:1", {}, self.clock)
        with self.assertRaises(Unreachable):
            client.get("/list")
        self.assertEqual(self.clock.pauses, [1.0, 2.0, 4.0, 8.0])

    def test_answer_without_a_list_is_refused(self) -> None:
        self.forge.plan("GET", 200, {}, {"id": 1})
        with self.assertRaisesRegex(Refused, "no list"):
            list(self.client.pages("/list"))

    def test_endless_pages_are_refused(self) -> None:
        for _ in range(101):
            self.forge.plan("GET", 200, {"Link": f'<{self.forge.url}/list?page=2>; rel="next"'}, [{}])
        with self.assertRaisesRegex(Refused, "more than 100 pages"):
            list(self.client.pages("/list"))


class Text(unittest.TestCase):
    """The text of the comment."""

    def sections(self, count: int = 1, length: int = 100) -> list[Section]:
        items = [f"- {at} " + "x" * length for at in range(count)]
        return [Section("Check", lead=["**The check fails.**"], items=items, tail=["Cost: $1."])]

    def test_long_comment_is_cut_and_says_so(self) -> None:
        text = compose("check", HEAD, self.sections(900), "footer", "", 65_536)
        self.assertLessEqual(len(text), 65_536)
        self.assertGreater(len(text), 60_000)
        self.assertRegex(text, r"_\d+ entries not shown: the comment would exceed the limit of the forge\._")
        self.assertIn("Cost: $1.", text)
        self.assertIn("footer", text)

    def test_each_section_has_a_share(self) -> None:
        text = compose("check", HEAD, self.sections(900) + self.sections(900), "", "", 65_536)
        first, second = text.split("### Check")[1:]
        self.assertGreater(len(second), 20_000)
        self.assertGreater(len(first), 20_000)

    def test_many_older_results_are_removed_from_the_end(self) -> None:
        text = ""
        for at in range(60):
            text = compose("check", f"{at:040x}", self.sections(10, 150), "", text, 65_536)
            self.assertLessEqual(len(text), 65_536)
            self.assertEqual(text.count("<details>"), text.count("</details>"))
        self.assertRegex(text, r"_\d+ older results? removed: the comment would exceed 65,536 characters\._")
        self.assertIn(f"commit {58:040x}"[:19], text)

    def test_result_of_the_current_commit_replaces_itself(self) -> None:
        first = compose("check", HEAD, self.sections(), "", "", 65_536)
        second = compose("check", LATER, self.sections(), "", first, 65_536)
        again = compose("check", LATER, self.sections(2), "", second.replace("\n", "\r\n"), 65_536)
        self.assertEqual(again.count("<details>"), 1)
        self.assertEqual(compose("check", LATER, self.sections(2), "", again, 65_536), again)

    def test_marker_must_begin_the_comment(self) -> None:
        text = compose("check", HEAD, self.sections(), "", "", 65_536)
        self.assertTrue(body.is_own("check", text))
        for other in ("\n" + text, "> " + text, "", "Text\n" + text):
            self.assertFalse(body.is_own("check", other))
        self.assertFalse(body.is_own("review", text))

    def test_long_dissent_is_counted(self) -> None:
        dissent = [{"participant": "p", "vote": "REJECT", "text": "word " * 500}] * 90
        section = reports.review_section(
            {"verdict": "consensus_blocked", "outcome": {"dissent": dissent}}, lambda *_: "", ""
        )
        text = compose("review", HEAD, [section], "", "", 65_536)
        self.assertIn("70 more objections: see the record.", text)
        self.assertLess(len(text), 10_000)

    def test_limits_are_those_of_the_forge(self) -> None:
        for forge, limit in (("github", 65_536), ("gitlab", 200_000)):
            change = Change(forge, "http://x", "octo/shop", 7, HEAD, LATER, False, "", "")
            self.assertEqual(Comments(change, "").limit, limit)

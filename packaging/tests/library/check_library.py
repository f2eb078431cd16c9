"""Checks the package `discussions` as it is installed: its calls, texts, errors, cancelled and killed runs.

It needs no other package, so it also runs with the oldest Python.
"""

import asyncio
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import typing
import unittest
from pathlib import Path

import discussions
from discussions import Cancelled, Discussion, DiscussionsError, InvalidInputError, Participant, Runner, aio, options

MODEL = Path(__file__).with_name("model.py")

# Odd texts of all kinds. None of them may be taken for a flag, changed, or seen by a shell.
TEXTS = {
    "line ends": "one\r\ntwo\rthree\nfour",
    "a dash": "-",
    "a flag": "--json",
    "a list": "- item\n-- item",
    "words of a shell": "$(touch pwned) `touch pwned` $HOME; touch pwned & 'x' \"y\" %PATH% ^ | > pwned",
    "another script": "Zażółć gęślą jaźń, 漢字, العربية, 👩‍👩‍👧, e\u0301",
    "half a megabyte": "é" * 250_000,
}


class InProject(unittest.TestCase):
    """A test in a folder of its own, with a configuration of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        config = self.folder / "config"
        config.mkdir()
        os.environ["DISCUSSIONS_CONFIG_DIR"] = str(config)
        command = " ".join(shlex.quote(word) for word in (sys.executable, str(MODEL), str(self.folder)))
        (config / "providers.yaml").write_text(f"providers: [{{name: held, command: {command!r}}}]\n")
        (config / "config.yaml").write_text("author: Rob\n")
        (self.folder / "hold").touch()

    def calls(self) -> int:
        """Returns the number of calls of the model."""
        return len((self.folder / "calls").read_text().split())

    def text(self, discussion: typing.Any) -> str:
        """Returns the text of a discussion's file."""
        return Path(discussion.path).read_bytes().decode("utf-8")


class Calls(InProject):
    def test_calls_of_a_program_that_takes_part(self) -> None:
        Discussion.create(title="Feature X", template="feature", context="We need it.")
        discussion = Discussion.load("feature-x.md")
        self.assertEqual(discussion.title, "Feature X")
        self.assertEqual(discussion.phase, "initial_feedback")
        self.assertEqual(discussion.status, "OPEN")
        self.assertEqual(discussion.participants, ["architect", "security", "pragmatist"])
        self.assertEqual((discussion.votes, discussion.questions, discussion.decisions), ({}, [], []))
        runner = Runner(provider="mock")
        responses = runner.run_turn(
            discussion=discussion, participants=["architect", "security"], callout="Please review it."
        )
        self.assertEqual(sorted(str(response.participant) for response in responses), ["architect", "security"])
        self.assertTrue(all(response.text for response in responses))
        self.assertEqual(discussion.turn, 1)
        discussion.add_comment(author="Rob", text="I see.\n\nQ: Who pays?\nDECISION: Later", vote="CHANGES")
        self.assertEqual(discussion.votes, {"Rob": "CHANGES"})
        question = discussion.questions[0]
        self.assertEqual((question["text"], question["author"], question["status"]), ("Who pays?", "Rob", "open"))
        self.assertEqual(discussion.decisions[0]["supporters"], [])
        self.assertIsInstance(discussion.details.participants[0], Participant)
        self.assertIsNone(discussion.consensus_result)
        runner.run(discussion)
        discussion.add_comment(author="Rob", vote="READY")
        self.assertTrue(discussion.has_consensus())
        self.assertEqual(discussion.consensus_result, "READY")
        discussion.save()

    def test_functions_of_a_project(self) -> None:
        answer = discussions.ask("How do we begin?", provider="mock")
        self.assertTrue(answer.success and answer.outcome.text)
        voted = discussions.discuss("Which?", pattern="voting", options=["A", "B"], parameters={}, provider="mock")
        self.assertEqual(voted.pattern, "voting")
        Path("plan.md").write_text("# Plan\n\nWe do it.\n")
        review = discussions.review("plan.md", provider="mock", perspectives=["product", "risk"])
        self.assertTrue(Path(review.record).exists())
        self.assertIn("Which?", [one.title for one in discussions.list_discussions()])
        self.assertTrue(discussions.decisions() and discussions.recall("how do we begin"))
        self.assertEqual(discussions.search("nowhere-to-be-found"), [])
        self.assertEqual(discussions.stats().all.discussions, 3)
        self.assertTrue(all(isinstance(one.problems, list) for one in discussions.check()))

    def test_other_folder(self) -> None:
        (self.folder / "other").mkdir()
        discussion = Discussion.create("Elsewhere", folder="other")
        os.chdir("other")
        self.assertTrue(Path(discussion.path).is_relative_to(self.folder / "other"))
        discussion.run(provider="mock", max_turns=1)
        self.assertEqual(discussion.turn, 1)

    def test_events(self) -> None:
        seen = []
        with discussions.start_ask("How?", provider="mock") as run:
            for event in run:
                seen.append(event.event)
                if event.event == "answer.end":
                    self.assertEqual(event.outcome, "answered")
            self.assertTrue(run.result().success)
        self.assertEqual((seen[0], seen[-1]), ("discussion.start", "discussion.end"))

    def test_program_is_that_of_the_package(self) -> None:
        program = Path(discussions.find_program())
        self.assertTrue(program.is_relative_to(Path(sys.prefix).resolve()) or str(program).startswith(sys.prefix))
        module = subprocess.run([sys.executable, "-m", "discussions", "--version"], capture_output=True, check=True)
        self.assertTrue(module.stdout.startswith(b"discussions "))

    def test_every_option_is_a_flag_of_the_program(self) -> None:
        commands = {
            "ask": options.AskOptions,
            "check": options.CheckOptions,
            "decisions": options.DecisionsOptions,
            "discuss": options.DiscussOptions,
            "list": options.ListOptions,
            "new": options.NewOptions,
            "recall": options.RecallOptions,
            "review": options.ReviewOptions,
            "run": options.RunOptions,
            "search": options.SearchOptions,
            "turn": options.TurnOptions,
        }
        spelt = {"files": "file", "parameters": "set"}
        for command, known in commands.items():
            page = subprocess.run([discussions.find_program(), command, "--help"], capture_output=True, check=True)
            names: frozenset[str] = typing.cast(typing.Any, known).__optional_keys__
            for name in names - {"folder"}:
                flag = "--" + spelt.get(name, name).replace("_", "-")
                self.assertRegex(page.stdout.decode(), re.escape(flag) + r"\b", command)


class Texts(InProject):
    def test_texts_arrive_as_they_are(self) -> None:
        discussion = Discussion.create("Texts", context="-c $(touch pwned)\r\n\"x\"")
        self.assertIn("-c $(touch pwned)", self.text(discussion))
        for name, text in TEXTS.items():
            with self.subTest(name):
                discussion.add_comment("Rob", text)
                kept = [getattr(entry, "body", "") for entry in discussion.entries().entries][-1]
                self.assertEqual(kept.split(), text.split())
        self.assertFalse(Path("pwned").exists())

    def test_same_text_in_every_locale(self) -> None:
        program = "import discussions as d; d.Discussion.create('Zażółć').add_comment('Rób', '漢字')"
        Path("program.py").write_bytes(program.encode("utf-8"))
        for locale in ("C", "C.UTF-8", "pl_PL.ISO-8859-2"):
            for name in Path("discussions").glob("*.md"):
                name.unlink()
            env = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
            subprocess.run([sys.executable, "program.py"], env=env, check=True)
            (path,) = Path("discussions").glob("*.md")
            text = path.read_bytes().decode("utf-8")
            self.assertTrue("# Zażółć" in text and "Name: Rób" in text and "漢字" in text, locale)

    def test_texts_that_cannot_be_kept(self) -> None:
        discussion = Discussion.create("Texts")
        discussion.add_comment("Rob", "before\0after")
        self.assertNotIn("\0", self.text(discussion))
        with self.assertRaises(InvalidInputError) as caught:
            discussion.add_comment("Rob", "x" * 5_000_000)
        self.assertIn("5000000 bytes", str(caught.exception))
        with self.assertRaisesRegex(ValueError, "not valid Unicode"):
            discussion.add_comment("Rob", "half \ud83d")
        with self.assertRaises(TypeError):
            discussion.add_comment("Rob", typing.cast(str, "ü".encode("latin-1")))


class Errors(InProject):
    def test_errors_have_code_help_and_exit_code(self) -> None:
        with self.assertRaises(InvalidInputError) as caught:
            discussions.ask("How?", provider="nobody")
        error = caught.exception
        self.assertEqual((error.code, error.exit_code), ("DISCUSSION_INVALID_INPUT", 3))
        self.assertTrue(error.help and error.help in str(error))
        with self.assertRaises(discussions.InvalidUsageError):
            discussions.ask("How?", timeout="soon")
        with self.assertRaises(discussions.NoAnswerError) as none:
            discussions.ask("How?", provider="claude")
        self.assertEqual(none.exception.exit_code, 4)
        with self.assertRaisesRegex(TypeError, "did you mean 'max_usd'"):
            discussions.ask("How?", max_used=1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

    def test_limit_is_a_result(self) -> None:
        discussion = Discussion.create("Limited", template="round-robin")
        ran = discussion.run(provider="mock", max_turns=1)
        self.assertEqual(ran.stopped, "max_turns")


class Runs(InProject):
    def test_cancelled_run_keeps_answers_and_resumes(self) -> None:
        discussion = Discussion.create("Cancel", template="round-robin", participants="architect,security")
        run = discussion.start_run(provider="held")
        for event in run:
            if event.event == "answer.end":
                run.cancel()
        with self.assertRaises(Cancelled) as caught:
            run.result()
        self.assertEqual((caught.exception.exit_code, caught.exception.result.stopped), (130, "aborted"))
        self.resumes(discussion)

    def test_cancelled_task_ends_the_run(self) -> None:
        async def cancel() -> None:
            discussion = await aio.Discussion.create("Task", template="round-robin", participants=["architect", "security"])
            answered = asyncio.Event()

            async def work() -> None:
                async for event in discussion.run(provider="held"):
                    if event.event == "answer.end":
                        answered.set()

            task = asyncio.create_task(work())
            await answered.wait()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        asyncio.run(cancel())
        self.resumes(Discussion.load("task"))

    def test_many_runs_at_the_same_time(self) -> None:
        async def ask() -> list[str]:
            runs = [aio.ask(f"Question {number}?", provider="mock") for number in range(12)]
            return [result.file for result in await asyncio.gather(*runs)]

        self.assertEqual(len(set(asyncio.run(ask()))), 12)

    def test_run_of_a_killed_program_resumes(self) -> None:
        child = self.start_held("Kill")
        child.kill()
        child.communicate()
        self.resumes(Discussion.load("kill"))

    def test_ctrl_c_ends_the_run_first(self) -> None:
        child = self.start_held("Interrupt")
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate()
        self.assertIn(b"KeyboardInterrupt", errors)
        self.resumes(Discussion.load("interrupt"))

    def start_held(self, title: str) -> "subprocess.Popen[bytes]":
        """Starts a program whose run hangs in its second call."""
        program = (
            "from discussions import Discussion\n"
            f"discussion = Discussion.create({title!r}, template='round-robin', participants='architect,security')\n"
            "for event in discussion.start_run(provider='held'):\n"
            "    if event.event == 'answer.end': print('answered', flush=True)\n"
        )
        pipe = subprocess.PIPE
        child = subprocess.Popen([sys.executable, "-c", program], stdout=pipe, stderr=pipe)
        assert child.stdout is not None
        self.assertEqual(child.stdout.readline(), b"answered\n")
        return child

    def resumes(self, discussion: Discussion) -> None:
        """Checks that the first answer is kept, and that its participant is not asked for it again."""
        first = [answer for answer in discussion.entries().entries if getattr(answer, "body", "") == "Answer 1."]
        self.assertEqual(len(first), 1)
        (self.folder / "hold").unlink()
        before = self.calls()
        while True:
            try:
                ran = discussion.run(provider="held")
                break
            except DiscussionsError as error:
                # The run of a killed program ends a moment later.
                if not error.retryable:
                    raise
        self.assertEqual(ran.stopped, "finished")
        self.assertEqual(ran.calls[0].turn, 1)
        self.assertNotEqual(ran.calls[0].participant, getattr(discussion.entries().entries[1], "author", ""))
        self.assertEqual(self.calls() - before, len(ran.calls))
        self.assertEqual(self.text(discussion).count("Answer 1."), 1)


class Notebook(InProject):
    def test_table_and_outcome(self) -> None:
        discussion = Discussion.create("Show *it*", template="round-robin")
        self.assertIn("No outcome yet", discussion._repr_markdown_())
        discussion.run(provider="mock")
        table = repr(discussion)
        self.assertRegex(table, r"^title +Show \*it\*\nstatus ")
        self.assertTrue(all(len(line) < 130 for line in table.splitlines()) and table.isascii())
        shown = discussion._repr_markdown_()
        self.assertIn(r"Show \*it\*", shown)
        outcome = discussion.details.outcome
        self.assertTrue(outcome is not None and outcome.text in shown)

    def test_no_control_character_reaches_the_terminal(self) -> None:
        discussion = Discussion.create("Harmless")
        discussion.add_comment("Rob", "DECISION: \x1b[31mred\x07 \u202egnirts")
        self.assertTrue(all(line.isprintable() for line in repr(discussion).splitlines()))
        self.assertTrue(repr(discussion.decisions).isprintable())


unittest.main(verbosity=1)

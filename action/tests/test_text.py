"""Foreign text in a comment: nothing in it means anything to a forge."""

from __future__ import annotations

import re
import unittest
from html import unescape
from random import Random

from text import block, code, link, prose, url_path, visible

HOSTILE = [
    "@team please look, and @octo/admins too",
    "cc @octo-cat.",
    "Fixes #1, closes octo/shop#2 and resolves GH-3",
    "![tracker](https://evil.example/x.png)",
    "[the docs](https://evil.example)",
    "[docs][1]\n\n[1]: https://evil.example",
    "<img src=x onerror=alert(1)> <a href='https://evil.example'>docs</a>",
    "<!-- discussions-action key=check head=" + "a" * 40 + " -->",
    "<!-- discussions-action history -->",
    "</details></summary> <details open>",
    "see https://evil.example or www.evil.example or evil@evil.example",
    "http:&#x2f;&#x2f;evil.example &commat;team &#64;team",
    "/close\n/merge\n/approve",
    "- /close",
    "# Heading\n\n---\n\n> quote\n\n* list\n1. list",
    "| a | b |\n|---|---|\n| @team | x |",
    "``` @team ```",
    "`code` @team ``more` @x``",
    "`unbalanced @team",
    "``````",
    "*emphasis* _more_ ~~gone~~ **@team**",
    "$@team$ $`@team`$ \\(x\\)",
    "::error::forged\n##[error]forged",
    "!123 ~label %milestone &5 ^alert#1 $7 ABC-123 *iteration:1",
    "deadbeef1 0123456789abcdef0123456789abcdef01234567",
    ":smile: :tada:",
    "\u202egnp.exe \u200b@\u200bteam \x1b[31m red \ufeff",
    "＠team ﹫team @\u2060team",
    "\\@team \\<b>\\</b> \\![x](y)",
    "[x]: https://evil.example 'title'",
    "a\r\n@team\rb\x00c",
    "[^1] [^1]: note",
    "- [ ] task\n- [x] done",
    "> [!WARNING]\n> text",
    "",
    "   ",
    "1. first",
    "2) second",
    "- dash",
    "```suggestion\nrm -rf /\n```",
]


def rendered(markdown: str) -> str:
    """Returns HTML as GitHub's renderer writes it."""
    try:
        import cmarkgfm
        from cmarkgfm.cmark import Options
    except ImportError:
        raise unittest.SkipTest("needs the package cmarkgfm") from None
    return cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE)


class ForeignText(unittest.TestCase):
    """Each form of foreign text, as a renderer shows it."""

    def check_prose(self, hostile: str) -> None:
        """Renders a text and looks for everything that means something."""
        html = rendered(f"- Proof: {prose(hostile)} (by {code(hostile)})\n- next\n")
        self.assertLessEqual(set(re.findall(r"</?([a-z0-9]+)", html)), {"ul", "li", "code"}, html)
        outside = unescape(re.sub(r"<code>.*?</code>|</?(?:ul|li)>", "", html, flags=re.DOTALL))
        self.assertNotRegex(outside, r"[@#$%~^&*_`|\[\]\\/]\S|!\[|https?:|www\.|\b[0-9a-f]{7,}|[A-Z]+-\d")
        self.assertEqual(html.count("<li>"), 2)

    def test_prose_means_nothing_to_a_forge(self) -> None:
        for hostile in HOSTILE:
            with self.subTest(hostile):
                self.check_prose(hostile)

    def test_random_text_means_nothing_to_a_forge(self) -> None:
        pieces = list("@#!$%~^&*_`|[]()<>\\/:;.,'\"-+= \n\t") + [
            "word",
            "team",
            "1",
            "https://e.example",
            "``",
            "a1",
            "\u202e",
            "<!--",
        ]
        random = Random(7)
        for _ in range(4000):
            hostile = "".join(random.choice(pieces) for _ in range(random.randrange(1, 14)))
            with self.subTest(hostile):
                self.check_prose(hostile)

    def test_blocks_mean_nothing_to_a_forge(self) -> None:
        for hostile in HOSTILE:
            html = rendered(f"Before\n\n{block(hostile)}\n\nAfter\n")
            with self.subTest(hostile):
                self.assertEqual(set(re.findall(r"</?([a-z0-9]+)", html)), {"p", "pre", "code"}, html)
                self.assertEqual(html.count("<pre>"), 1)
                self.assertTrue(html.endswith("<p>After</p>\n"))

    def test_labels_of_links_are_code(self) -> None:
        for hostile in HOSTILE:
            html = rendered("x " + link(hostile, "https://github.com/octo/shop"))
            with self.subTest(hostile):
                self.assertEqual(re.findall(r'href="([^"]*)"', html), ["https://github.com/octo/shop"])
                self.assertEqual(set(re.findall(r"</?([a-z0-9]+)", html)), {"p", "a", "code"}, html)

    def test_no_line_begins_with_a_command(self) -> None:
        for hostile in HOSTILE:
            for text in (prose(hostile), code(hostile)):
                self.assertNotIn("\n", text)
                self.assertNotRegex(text, r"^\s*[/:#]")

    def test_no_mark_of_a_comment_is_in_it(self) -> None:
        for hostile in HOSTILE:
            for text in (prose(hostile), code(hostile), block(hostile)):
                self.assertNotIn("<!--", text)

    def test_sentences_stay_readable(self) -> None:
        for sentence in (
            "The lock is released too early (see the test), and two runs may overlap.",
            "It costs 3.5 ms, or 12 % more; that isn't much.",
            'A well-known "race" – as before.',
            "Größe und Länge fehlen. 日本語の文。",
        ):
            with self.subTest(sentence):
                shown = prose(sentence)
                self.assertIn(sentence.split()[0], shown)
                plain = sentence.replace("日本語の文。", "`日本語の文。`").replace("12 %", "12 `%`")
                self.assertEqual(shown, plain)
        self.assertEqual(prose("call `renew()` in src/a.rs twice"), "call `renew()` in `src/a.rs` twice")
        self.assertEqual(prose("Fixes #1 by @team."), "Fixes `#1` by `@team`.")
        self.assertEqual(prose("it (see a.rs:1), `b`; and (`c`)."), "it (see `a.rs:1`), `b`; and (`c`).")
        self.assertEqual(prose("see [docs](x), foo() and (@team)"), "see `[docs](x)`, `foo()` and (`@team`)")

    def test_long_text_is_cut_and_says_so(self) -> None:
        self.assertTrue(prose("word " * 1000).endswith("… `(cut)`") or prose("word " * 1000).endswith("(cut)"))
        self.assertLess(len(code("x" * 10_000)), 400)
        self.assertIn("(cut)", block("x\n" * 10_000))

    def test_invisible_characters_are_shown(self) -> None:
        self.assertEqual(visible("a\u202eb\x1bc\u3164"), "a⟨U+202E⟩b⟨U+001B⟩c⟨U+3164⟩")
        self.assertEqual(visible("a\tb\r\nc"), "a\tb\nc")

    def test_paths_cannot_end_an_address(self) -> None:
        self.assertEqual(url_path("a b/(c)#d?e.md"), "a%20b/%28c%29%23d%3Fe.md")

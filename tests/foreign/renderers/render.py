"""Renders JSON lines: `python render.py NAME` reads texts and writes, line for line, {"html": ...} or {"error": ...}.

Nothing is configured away that a reader's renderer does: raw HTML stays raw.
"""

import json
import sys


def cmark_gfm():
    import cmarkgfm
    from cmarkgfm.cmark import Options

    # GitHub's own, footnotes and all; its filter for dangerous tags comes later and is no part of what is judged here.
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    extensions = ["table", "autolink", "strikethrough", "tasklist"]
    return lambda text: cmarkgfm.cmark.markdown_to_html_with_extensions(text, options, extensions)


def mistune():
    import mistune

    plugins = ["strikethrough", "footnotes", "table", "url", "task_lists", "def_list", "abbr"]
    return mistune.create_markdown(escape=False, plugins=plugins)


def python_markdown(extensions, configs=None):
    import markdown

    converter = markdown.Markdown(extensions=extensions, extension_configs=configs or {})
    return lambda text: converter.reset().convert(text)


# What MkDocs switches on by itself.
MKDOCS = ["toc", "tables", "fenced_code"]
# What its usual themes recommend.
PYMDOWNX = [
    "toc", "tables", "admonition", "attr_list", "md_in_html", "def_list", "footnotes", "abbr",
    "pymdownx.superfences", "pymdownx.details", "pymdownx.highlight", "pymdownx.inlinehilite",
    "pymdownx.tasklist", "pymdownx.betterem", "pymdownx.caret", "pymdownx.mark", "pymdownx.tilde",
    "pymdownx.arithmatex", "pymdownx.magiclink",
]

RENDERERS = {
    "cmark-gfm": cmark_gfm,
    "mistune": mistune,
    "python-markdown": lambda: python_markdown(MKDOCS),
    "python-markdown-extra": lambda: python_markdown(["extra", "toc", "admonition"]),
    "pymdownx": lambda: python_markdown(
        PYMDOWNX, {"pymdownx.arithmatex": {"generic": True}, "pymdownx.highlight": {"use_pygments": False}}
    ),
}


def main():
    render = RENDERERS[sys.argv[1]]()
    sys.setrecursionlimit(20_000)
    for line in sys.stdin:
        text = json.loads(line)
        try:
            answer = {"html": render(text)}
        except Exception as error:  # a page that cannot be made at all is a finding too
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()

"""The README for registries that do not resolve relative links."""

import json
import re

from .project import ROOT, Project

# A picture or the end of a link's text, which may hold a picture itself; then a relative address.
MARKDOWN = re.compile(r"(!\[[^\[\]]*\]|\])\((?!https?://|#|mailto:)([^()\s]+)\)")
HTML = re.compile(r"(\b(href|src|srcset)=\")(?!https?://|#|mailto:)([^\"]+\")")


def absolute_readme(project: Project) -> str:
    """Returns README.md with links to the files of this version in the repository, and the name of the MCP server.

    The MCP registry looks for the name in a comment on the package's page, to see that both have one owner.
    """
    version = f"{project.repository}/{{}}/v{project.version}"
    pages, files = version.format("blob"), version.format("raw")

    def markdown(match: re.Match) -> str:
        return f"{match[1]}({files if match[1].startswith('!') else pages}/{match[2]})"

    def html(match: re.Match) -> str:
        return f"{match[1]}{pages if match[2] == 'href' else files}/{match[3]}"

    text = (ROOT / "README.md").read_text()
    name = json.loads((ROOT / "npm/package.json").read_text())["mcpName"]
    return HTML.sub(html, MARKDOWN.sub(markdown, text)) + f"\n<!-- mcp-name: {name} -->\n"

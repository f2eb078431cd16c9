// Renders JSON lines: `node render.mjs NAME` reads texts and writes, line for line, {"html": ...} or {"error": ...}.
//
// Packages are looked for in the folder RENDERERS. Nothing is configured away that a reader's renderer does: raw HTML
// stays raw.

import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.env.RENDERERS);
const require = createRequire(join(folder, "package.json"));
// Some packages can only be imported, some only required.
const load = async (name, file) =>
  file ? import(pathToFileURL(join(folder, "node_modules", name, file))) : require(name);

// GFM without the filter for dangerous tags, which is GitHub's and no part of what is judged here.
function unfiltered(html) {
  delete html.exit.htmlFlowData;
  delete html.exit.htmlTextData;
  return html;
}

const renderers = {
  // VS Code's preview.
  async "markdown-it"() {
    const katex = require("@vscode/markdown-it-katex").default;
    const formulas = { enableBareBlocks: true, enableFencedBlocks: true, output: "html" };
    const md = require("markdown-it")({ html: true, linkify: true }).use(katex, formulas);
    return (text) => md.render(text);
  },

  // Site builders' boxes: `::: name title`; those called `details` are folded.
  async "markdown-it-container"() {
    const md = require("markdown-it")({ html: true, linkify: true });
    md.use(require("markdown-it-container"), "any", {
      validate: () => true,
      render(tokens, index) {
        const { nesting, info } = tokens[index];
        const [name, ...title] = info.trim().split(/\s+/);
        const tag = name === "details" ? "details" : "div";
        if (nesting !== 1) return `</${tag}>\n`;
        const shown = md.utils.escapeHtml(title.join(" ") || name);
        return `<${tag}>${tag === "details" ? `<summary>${shown}</summary>` : `<p>${shown}</p>`}\n`;
      },
    });
    return (text) => md.render(text);
  },

  // remark with GFM, math and directives, as Docusaurus uses it; a bare `:name` is text there.
  async micromark() {
    const { micromark } = await load("micromark", "index.js");
    const { gfm, gfmHtml } = await load("micromark-extension-gfm", "index.js");
    const { math, mathHtml } = await load("micromark-extension-math", "index.js");
    const { directive, directiveHtml } = await load("micromark-extension-directive", "index.js");
    const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    function shown({ type, name, label, attributes, content }) {
      if (type === "textDirective") {
        const bare = !label && Object.keys(attributes ?? {}).length === 0;
        this.raw(bare ? escape(`:${name}`) : `<span>${label ?? ""}</span>`);
      } else {
        const tag = name === "details" ? "details" : "div";
        this.raw(`<${tag}>${label === undefined ? "" : `<p>${label}</p>`}${content ?? ""}</${tag}>`);
      }
    }
    const options = {
      allowDangerousHtml: true,
      extensions: [gfm(), math(), directive()],
      htmlExtensions: [
        unfiltered(gfmHtml()),
        mathHtml({ output: "html", throwOnError: false }),
        directiveHtml({ "*": shown }),
      ],
    };
    return (text) => micromark(text, options);
  },

  async "micromark-gfm"() {
    const { micromark } = await load("micromark", "index.js");
    const { gfm, gfmHtml } = await load("micromark-extension-gfm", "index.js");
    const options = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [unfiltered(gfmHtml())] };
    return (text) => micromark(text, options);
  },

  async marked() {
    const { marked } = await load("marked", "lib/marked.esm.js");
    return (text) => marked.parse(text, { gfm: true });
  },
};

// KaTeX warns about formulas that it shows all the same.
console.warn = () => {};
const render = await renderers[process.argv[2]]();
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let answer;
  try {
    answer = { html: render(JSON.parse(line)) };
  } catch (error) {
    answer = { error: String(error) };
  }
  // A line separator of Unicode must not end a line for whoever reads this.
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

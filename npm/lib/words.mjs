// Turns options into words of the command line. No shell sees them, and no word is mistaken for a flag.

const sight = ["look", "web"];
const limits = ["timeout", "maxUsd", "unpriced", "maxCalls"];
const calls = [...limits, "maxTokens", "providerTimeout"];
const material = ["files", "diff", "allowSecrets"];
const question = [
  ...material,
  ...calls,
  ...sight,
  "participants",
  "parameters",
  "context",
  "recall",
  "provider",
  "temperature",
  "noWait",
  "out",
];
const pattern = [
  "pattern",
  "rounds",
  "consensus",
  "options",
  "roles",
  "threshold",
  "synthesizer",
  "minProviders",
  "noEarlyExit",
];

/** The options of each command, beside `folder`. */
export const OPTIONS = {
  ask: question,
  discuss: [...question, ...pattern],
  review: [
    ...calls,
    ...sight,
    ...material,
    "pattern",
    "perspectives",
    "round",
    "contextFile",
    "provider",
    "out",
    "dir",
    "minProviders",
  ],
  new: [...material, "template", "context", "participants", "parameters", "dir", "recall", "decideBy"],
  turn: [...limits, ...sight, "provider", "allowSecrets", "ask", "as"],
  run: [...limits, ...sight, "provider", "maxTurns", "noWait", "takeIn"],
  check: ["strict", "git", "since", "allowShallow", "due", "staged"],
  list: ["status", "waiting", "sort"],
  decisions: ["due", "within", "diff", "at", "for"],
  recall: ["since", "limit"],
  search: ["since", "limit", "kind", "by", "status"],
  stats: [],
  comment: ["as", "vote", "reviewBy"],
  answer: ["as"],
  serve: ["provider", "maxUsd"],
};

// The flags that are not spelt like their options.
const FLAGS = { files: "file", parameters: "set" };

// The flags that are repeated for each item of a list. Other lists are one word with commas.
const REPEATED = new Set(["files", "parameters", "for"]);

// The options whose numbers are milliseconds.
const DURATIONS = new Set(["timeout", "providerTimeout"]);

/** Returns the flags for the options of a command. Undefined, null and false are like no option. */
export function flags(command, options) {
  const known = OPTIONS[command];
  const words = [];
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) throw new TypeError(`${command}: there is no option \`${name}\``);
    words.push(...flag(name, value));
  }
  return words;
}

function flag(name, value) {
  if (value === undefined || value === null || value === false) return [];
  const spelt = (FLAGS[name] ?? name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (value === true) return [`--${spelt}`];
  if (REPEATED.has(name)) return items(value).map((item) => `--${spelt}=${item}`);
  if (typeof value === "object") {
    const all = items(value);
    const split = all.find((item) => item.includes(","));
    if (split !== undefined) throw new TypeError(`${name}: an item cannot contain a comma: ${split}`);
    return all.length === 0 ? [] : [`--${spelt}=${all.join(",")}`];
  }
  const isDuration = DURATIONS.has(name) && typeof value === "number";
  return [`--${spelt}=${isDuration ? `${plain(value)}ms` : text(value)}`];
}

function items(value) {
  if (typeof value !== "object") return [text(value)];
  if (Array.isArray(value)) return value.map(text);
  return Object.entries(value).map(([key, one]) => `${key}=${Array.isArray(one) ? one.map(text).join() : text(one)}`);
}

/** Returns the text of a value. */
export function text(value) {
  if (typeof value === "number") return plain(value);
  if (value instanceof URL) throw new TypeError("a path is a text; use fileURLToPath");
  return String(value);
}

/** Returns a number without an exponent. */
function plain(number) {
  return Number.isInteger(number) ? BigInt(number).toString() : number.toFixed(9).replace(/\.?0+$/, "");
}

/** Returns a word that stands for exactly this text. A lone `-` would be standard input. */
export function textWord(word) {
  if (typeof word !== "string") throw new TypeError(`the text must be a string, not ${typeof word}`);
  return word === "-" ? "-\n" : word;
}

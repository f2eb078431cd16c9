// Live updates of a discussion's page. Without this file, pages show the same contents after a reload.
"use strict";
const at = (id) => document.getElementById(id);
const record = at("record"), live = at("live"), form = at("say"), text = at("text"), sent = at("sent");
const draft = "draft " + location.pathname, begun = document.title;
let seen = Number(record.dataset.offset), unread = 0, retry = 1000, lost = false;

// A growing answer is plain text; the server renders recorded blocks.
function answer({ who, name, provider, text, colour }) {
  over({ who });
  const box = document.createElement("article");
  box.className = "said growing a" + colour;
  box.dataset.who = who;
  box.dataset.name = name;
  const head = box.appendChild(document.createElement("header"));
  head.appendChild(document.createElement("b")).textContent = name;
  head.appendChild(document.createElement("small")).textContent = provider + " is writing";
  box.appendChild(document.createElement("pre")).textContent = text;
  live.appendChild(box);
}
const growing = (who) => [...live.children].find((box) => box.dataset.who === who);
function over({ who, recorded }) {
  const box = growing(who);
  // A recorded answer arrives as a block, which replaces the box; the timeout covers the time until then.
  if (box) recorded ? setTimeout(() => box.remove(), 2000) : box.remove();
}
function block({ id, html }) {
  const low = innerHeight + scrollY > document.body.scrollHeight - 200;
  const made = document.createElement("template");
  made.innerHTML = html;
  const now = made.content.firstElementChild, old = at(id);
  if (!now) return;
  old ? old.replaceWith(now) : record.appendChild(now);
  if (now.dataset.author) [...live.children].filter((box) => box.dataset.name === now.dataset.author).forEach((box) => box.remove());
  if (!old) {
    at("news").textContent = now.dataset.author ? now.dataset.author + " commented" : now.textContent;
    if (document.hidden) document.title = "(" + ++unread + ") " + begun;
    if (low && !text.matches(":focus")) now.scrollIntoView({ block: "nearest" });
  }
}
// Replaces an element's contents only if they changed, so that the user's focus in it is kept.
const drawn = {};
function draw(id, html) {
  if (drawn[id] !== html) at(id).innerHTML = drawn[id] = html;
}
function beside({ heading, panel, outcome, options }) {
  const open = [...document.querySelectorAll("#panel details")].map((one) => one.open);
  draw("title", heading);
  if (lost) sent.textContent = "";
  lost = false;
  draw("panel", panel);
  document.querySelectorAll("#panel details").forEach((one, i) => (one.open = !!open[i]));
  draw("outcome", outcome);
  const chosen = at("vote").value;
  draw("vote", options);
  // If no vote counts, there is nothing to choose.
  at("vote").parentElement.hidden = !options;
  at("vote").value = chosen;
  if (at("vote").selectedIndex < 0) at("vote").selectedIndex = 0;
}
async function anew() {
  const page = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
  for (const id of ["record", "context", "outcome", "panel"]) at(id).innerHTML = page.getElementById(id).innerHTML;
  Object.keys(drawn).forEach((id) => delete drawn[id]);
  seen = Number(page.getElementById("record").dataset.offset);
}
function listen() {
  const source = new EventSource(record.dataset.events + "?from=" + seen);
  const on = (name, then) => source.addEventListener(name, (event) => {
    if (event.lastEventId) seen = Number(event.lastEventId);
    retry = 1000;
    then(JSON.parse(event.data));
  });
  on("answer", answer);
  on("chunk", ({ who, text }) => growing(who)?.lastElementChild.append(text));
  on("over", over);
  on("block", block);
  on("panel", beside);
  on("rewritten", anew);
  on("gone", (why) => (sent.textContent = "The file cannot be read: " + why, lost = true));
  source.onerror = () => {
    // A restarted server has another key. After the user opens it in another tab, this page continues where it was.
    source.close();
    live.replaceChildren();
    setTimeout(listen, (retry = Math.min(retry * 2, 15000)));
  };
}
async function send(of, agreed) {
  const body = new URLSearchParams(new FormData(of));
  if (agreed) body.set("agreed", "yes");
  const answer = await fetch(of.action, { method: "POST", body, headers: { Accept: "application/json" } });
  const told = await answer.json();
  // A run of many calls starts only after the user confirms it; the server asks once for each discussion.
  if (told.agree) return confirm(told.agree + ".\n\nStart this run?") ? send(of, true) : told;
  if (told.error) throw new Error([told.error.message, told.error.hint].filter(Boolean).join(". "));
  return told;
}
document.addEventListener("submit", async (event) => {
  const of = event.target, own = of === form;
  event.preventDefault();
  const buttons = of.querySelectorAll("button");
  buttons.forEach((one) => (one.disabled = true));
  try {
    const told = await send(of);
    sent.textContent = [...(told.notes || []), ...(told.uncounted || [])].join(" ");
    if (own) { text.value = ""; at("vote").value = ""; sessionStorage.removeItem(draft); }
  } catch (error) {
    sent.textContent = "Not done: " + error.message;
    sent.scrollIntoView({ block: "nearest" });
  }
  buttons.forEach((one) => (one.disabled = false));
});
const names = at("names");
function complete() {
  const word = /(?:^|\s)@([\w-]*)$/.exec(text.value.slice(0, text.selectionStart));
  let some = false;
  for (const one of names.children) some = !(one.hidden = !word || !one.dataset.alias.startsWith(word[1])) || some;
  names.hidden = !some;
}
function take(one) {
  const before = text.value.slice(0, text.selectionStart).replace(/@[\w-]*$/, "@" + one.dataset.alias + " ");
  text.value = before + text.value.slice(text.selectionStart);
  text.selectionStart = text.selectionEnd = before.length;
  names.hidden = true;
  text.focus();
}
names.addEventListener("mousedown", (event) => { event.preventDefault(); take(event.target.closest("li")); });
text.addEventListener("input", () => { sessionStorage.setItem(draft, text.value); complete(); });
text.value = text.value || sessionStorage.getItem(draft) || "";
document.addEventListener("visibilitychange", () => { unread = 0; document.title = begun; });
document.addEventListener("keydown", (event) => {
  if (event.target === text) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    if (names.hidden || (event.key !== "Tab" && event.key !== "Enter")) return;
    event.preventDefault();
    return take([...names.children].find((one) => !one.hidden));
  }
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const all = [...document.querySelectorAll("article.said")], top = (one) => Math.round(one.getBoundingClientRect().top);
  const go = { j: () => all.find((one) => top(one) > 20), k: () => all.filter((one) => top(one) < -5).pop() }[event.key];
  if (go) go()?.scrollIntoView();
  if (event.key !== "n") return;
  const open = [...new Set([...document.querySelectorAll('[data-item="Q"]')].map((one) => one.hash))];
  location.hash = open[(open.indexOf(location.hash) + 1) % open.length] || location.hash;
});
// Loaded separately, because the list of all discussions takes longer to read than this discussion.
const others = at("others");
fetch("/list?here=" + encodeURIComponent(others.dataset.here)).then((list) => list.ok ? list.text() : "").then((html) => (others.innerHTML = html));
listen();

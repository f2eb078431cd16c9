// What only a browser can show: node look.mjs ADDRESS. Prints `ok` at the end; whatever else it prints is wrong.
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const [address] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const wrong = [];
const holds = (is, what) => is || wrong.push(what);
const at = (path) => new URL(path, address).href;

// Two tabs of one browser.
const context = await browser.newContext();
const [one, two] = [await context.newPage(), await context.newPage()];
for (const page of [one, two]) page.on("pageerror", (error) => wrong.push(error.message));
await one.goto(address);
holds(one.url() === at("/"), "the key stays in the address");
for (const page of [one, two]) await page.goto(at("/d/caching"));
await one.fill("#text", "Let us ask @ar");
holds(await one.isVisible("#names li[data-alias=architect]"), "no name is offered");
await one.press("#text", "Tab");
holds((await one.inputValue("#text")) === "Let us ask @architect ", "the name is not taken");
await one.fill("#text", "Measure first.\n\nQ: Who pays?");
await one.selectOption("#vote", "READY");
const begun = Date.now();
await one.press("#text", "Control+Enter");
await two.waitForSelector("article.said:has-text('Measure first.') .vote.good", { timeout: 5000 });
holds(Date.now() - begun < 1000, "the other tab sees it after more than a second");
await one.waitForFunction(() => document.getElementById("text").value === "");

// What somebody wrote does nothing.
await one.fill("#text", "<img src=x onerror='hacked=1'> <script>hacked=1</script> [go](javascript:hacked=1) ![i](https://evil.example/i.png)");
await one.press("#text", "Control+Enter");
await two.waitForSelector("article.said:has-text('hacked')");
for (const page of [one, two]) {
  await page.click("article.said a:has-text('go')");
  holds(await page.evaluate(() => typeof hacked === "undefined"), "a script of somebody's runs");
  holds((await page.locator("article img").count()) === 0, "an image is loaded");
}

// Keys: n goes to the open question, k up, j down.
await two.goto(at("/d/caching"));
await two.keyboard.press("n");
holds(/#c\d+$/.test(two.url()), "n goes to no question");
await two.setViewportSize({ width: 800, height: 200 });
const place = () => two.evaluate(() => scrollY);
await two.evaluate(() => scrollTo(0, 0));
await two.keyboard.press("j");
const first = await place();
await two.keyboard.press("j");
const second = await place();
holds(0 < first && first < second, `j goes to ${first}, then to ${second}`);
await two.keyboard.press("k");
holds((await place()) === first, "k does not go back");
await two.focus("#text");
await two.keyboard.type("jk");
holds((await two.inputValue("#text")) === "jk", "the keys are lost to whoever writes");
await two.fill("#text", "");
await two.setViewportSize({ width: 1280, height: 720 });

// Who cannot see is told who spoke; on paper stands what was said, and nothing to press.
holds((await one.getAttribute("#news", "aria-live")) === "polite", "nobody is told");
await one.fill("#text", "Read aloud.");
await one.press("#text", "Control+Enter");
await two.waitForFunction(() => document.getElementById("news").textContent.endsWith(" commented"));
await two.emulateMedia({ media: "print" });
holds(await two.isVisible("article.said:has-text('Read aloud.')"), "paper loses what was said");
for (const id of ["#say", "#panel form"]) holds(!(await two.isVisible(id)), `${id} is printed`);
await two.emulateMedia({ media: "screen" });

// A draft outlives the page.
await two.fill("#text", "Half a thought");
await two.reload();
holds((await two.inputValue("#text")) === "Half a thought", "the draft is lost");
await two.fill("#text", "");

// A run is seen in both tabs, and ends where a person is needed.
await one.evaluate(() => document.querySelector('#panel form[action$="/run"] button, #panel form[action$="/turn"] button').click());
await two.waitForSelector("article[data-author=AI-Security]", { timeout: 20000 });

// Another site has no way in, from another port of this machine neither.
const foreign = createServer((_, answer) => {
  answer.setHeader("Content-Type", "text/html");
  answer.end(`<form method="post" action="${at("/d/caching/comments")}"><input name="text" value="forged"></form><script>
    new EventSource("${at("/d/caching/events")}", { withCredentials: true }).onmessage = () => (document.title = "leaked");
    fetch("${at("/api/discussions")}", { credentials: "include" }).then((r) => r.text()).then(() => (document.title = "leaked"), () => {});
    document.forms[0].submit();</script>`);
});
await new Promise((ready) => foreign.listen(0, "127.0.0.1", ready));
const evil = await context.newPage();
await evil.goto(`http://127.0.0.1:${foreign.address().port}/`);
await evil.waitForURL(at("/d/caching/comments"));
holds((await evil.textContent("body")).includes("another site"), "another site's form is taken");
holds((await evil.title()) !== "leaked", "another site reads");
foreign.close();
await one.goto(at("/d/caching"));
holds(!(await one.textContent("#record")).includes("forged"), "another site writes");

// Without a script everything works too.
const bare = await browser.newContext({ javaScriptEnabled: false });
const page = await bare.newPage();
await page.goto(address);
await page.goto(at("/d/caching"));
await page.fill("#text", "Without a script.");
await page.click("#say button");
holds((await page.textContent("#record")).includes("Without a script."), "a form does nothing without a script");
holds(/#c\d+$/.test(page.url()), "a form leads elsewhere");

await browser.close();
console.log(wrong.length ? wrong.join("\n") : "ok");

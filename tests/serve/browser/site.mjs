// A static site in three widths, light and dark, from a folder and under a path prefix: node site.mjs FOLDER PAGE...
// Prints what is wrong.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const [folder, ...pages] = process.argv.slice(2);
const kinds = { css: "text/css", svg: "image/svg+xml", html: "text/html; charset=utf-8" };
const prefix = "/team/site/";
const server = createServer(async (request, answer) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  try {
    if (!path.startsWith(prefix)) throw new Error("outside of the prefix");
    const text = await readFile(`${folder}/${path.slice(prefix.length)}`);
    answer.setHeader("Content-Type", kinds[path.split(".").pop()]);
    answer.end(text);
  } catch {
    answer.writeHead(404);
    answer.end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
for (const base of [`file://${folder}/`, `http://127.0.0.1:${server.address().port}${prefix}`]) {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ colorScheme, javaScriptEnabled: true });
    const page = await context.newPage();
    page.on("console", (message) => console.log(base, message.text()));
    page.on("requestfailed", (request) => console.log("failed:", request.url()));
    page.on("response", (response) => response.status() < 400 || console.log(response.status(), response.url()));
    for (const name of pages) {
      for (const width of [400, 800, 1400]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(base + name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > width) console.log(`${name} at ${width}: the page is ${wide} wide`);
        const margin = await page.evaluate(() => getComputedStyle(document.body).margin);
        if (margin !== "0px") console.log(`${base}${name} has no style`);
      }
    }
    await page.goto(`${base}index.html`);
    for (const link of await page.$$eval("main ul > li > a", (all) => all.map((one) => one.href))) {
      await page.goto(link);
      const home = await page.$eval("nav a", (one) => one.href);
      if (home !== `${base}index.html`) console.log(`${link} leads back to ${home}`);
    }
    await context.close();
  }
}
await browser.close();
server.close();

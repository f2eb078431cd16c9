// Pictures of a discussion's page, in three widths, light and dark: node pictures.mjs ADDRESS PATH FOLDER
import { chromium } from "playwright-core";

const [address, path, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
for (const colorScheme of ["light", "dark"]) {
  const context = await browser.newContext({ colorScheme });
  const page = await context.newPage();
  await page.goto(address);
  for (const [width, height] of [[360, 800], [800, 800], [1400, 560]]) {
    await page.setViewportSize({ width, height });
    await page.goto(new URL(path, address).href);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) console.log(`${width}: the page is ${wide} wide`);
    await page.screenshot({ path: `${folder}/${width}-${colorScheme}.png` });
  }
  await context.close();
}
await browser.close();

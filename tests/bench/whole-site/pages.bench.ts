import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright";
import { findBrowser } from "../../../ops/browser.mjs";
import type { Bench, Row } from "../bench.ts";
import { importGenerated } from "../data/generated-catalog.ts";
import { median } from "../measuring/median.ts";
import { startSite } from "../measuring/servers.ts";

/** Goals: the largest contentful paint within 2.0 s, and at most 150 ms of blocking time. */
const bench: Bench = {
  title:
    "Pages: first visit with an empty cache, Chromium slowed down four times, 21,000 titles, median of 5",
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "engawa-bench-pages-"));
    const site = await startSite({ DATA_DIR: folder });
    const executablePath = await findBrowser();
    if (!executablePath) throw new Error("No browser was found. Run: npx playwright install chromium");
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    await importGenerated(folder, 21_000);
    const rows: Row[] = [];
    for (const [name, path] of pages) rows.push(...(await visits(browser, name, `${site.origin}${path}`)));
    await browser.close();
    rows.push(await renders(`${site.origin}/browse?genre=action&type=tv`));
    await site.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    return rows;
  },
};
export default bench;

const pages = [
  ["Home", "/"],
  ["Browse", "/browse"],
  ["Title", "/anime/900000001/engawa"],
] as const;

const rounds = 5;
const slowdown = 4;

async function visits(browser: Browser, name: string, url: string): Promise<Row[]> {
  const visited: Visit[] = [];
  // The first visit makes the server load its code and convert the pictures.
  for (let round = 0; round <= rounds; round++) visited.push(await visit(browser, url));
  const taken = (figure: keyof Visit) => median(visited.slice(1).map((one) => one[figure]));
  return [
    { label: `${name}: largest contentful paint`, value: taken("paintMs"), unit: "ms" },
    { label: `${name}: blocking time`, value: taken("blockingMs"), unit: "ms" },
  ];
}

type Visit = { paintMs: number; blockingMs: number };

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript(observe);
  await page.goto(url, { waitUntil: "networkidle" });
  const measured = await page.evaluate(() => (globalThis as unknown as { measured: Visit }).measured);
  await context.close();
  return measured;
}

/** Runs in the page before its own scripts. The part of a task beyond 50 ms counts as blocking time. */
function observe() {
  const measured = { paintMs: 0, blockingMs: 0 };
  Object.assign(globalThis, { measured });
  new PerformanceObserver((list) => {
    measured.paintMs = list.getEntries().at(-1)?.startTime ?? measured.paintMs;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.blockingMs += Math.max(0, duration - 50);
  }).observe({ type: "longtask", buffered: true });
}

const measuredMs = 5000;
const clients = 8;

async function renders(url: string): Promise<Row> {
  await renderFor(url, 1000);
  const perSecond = (await renderFor(url, measuredMs)) / (measuredMs / 1000);
  return { label: "Browse rendered by the server", value: perSecond, unit: "pages/s" };
}

async function renderFor(url: string, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds;
  let rendered = 0;
  const client = async () => {
    while (performance.now() < until) {
      await (await fetch(url)).arrayBuffer();
      rendered++;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return rendered;
}

import type { Browser, BrowserContext } from "playwright";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { importGenerated } from "#tests/bench/data/generated-catalog.ts";
import { median } from "#tests/bench/measuring/median.ts";
import { startSite } from "#tests/bench/measuring/servers.ts";
import { launchChromium } from "#tests/support/browser/launched-browsers.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Goals: the largest contentful paint within 2.0 s, and at most 150 ms of blocking time. */
const bench: Bench = {
  title:
    "Pages: first visit with an empty cache, Chromium slowed down four times, 21,000 titles, median of 5",
  async run() {
    const folder = temporaryFolder("bench-pages");
    const site = await startSite({ DATA_DIR: folder });
    const browser = await launchChromium();
    await importGenerated(folder, 21_000);
    const rows: Row[] = [];
    for (const [name, path] of pages) rows.push(...(await visits(browser, name, `${site.origin}${path}`)));
    rows.push(...(await longList(browser, site.origin)));
    await browser.close();
    rows.push(await renders(`${site.origin}/browse?genre=action&type=tv`));
    await site.stop();
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

async function visits(browser: Browser, name: string, url: string, cookies?: Cookies): Promise<Row[]> {
  const visited: Visit[] = [];
  // The first visit makes the server load its code and convert the pictures.
  for (let round = 0; round <= rounds; round++) visited.push(await visit(browser, url, cookies));
  const taken = (figure: keyof Visit) => median(visited.slice(1).map((one) => one[figure]));
  return [
    { label: `${name}: largest contentful paint`, value: taken("paintMs"), unit: "ms" },
    { label: `${name}: blocking time`, value: taken("blockingMs"), unit: "ms" },
  ];
}

type Cookies = Awaited<ReturnType<BrowserContext["storageState"]>>;
type Visit = { paintMs: number; blockingMs: number };

async function visit(browser: Browser, url: string, cookies?: Cookies): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    ...(cookies && { storageState: cookies }),
  });
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

/** The list has the first titles that `importGenerated` makes. */
const listEntries = 10_000;
const listPages = [
  ["My list of 10,000", "/list"],
  ["My list of 10,000, by title", "/list?sort=title"],
  ["My list of 10,000, a search", "/list?q=no+mono"],
] as const;

/** Measures a member's first visit to a long list, and the time until the server has answered. */
async function longList(browser: Browser, origin: string): Promise<Row[]> {
  const context = await browser.newContext();
  const send = async (path: string, data: object) => {
    const answer = await context.request.post(`${origin}${path}`, { data });
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  };
  await send("/api/auth/signup", { username: "Patience", email: "list@example.org", password: "Abcdef1!" });
  const entries = Array.from({ length: listEntries }, (_, index) => ({
    mal_id: index + 1,
    type: index % 3 === 0 ? "Completed" : "Watching",
    progress: index % 12,
    score: index % 5 === 0 ? null : 1 + (index % 10),
  }));
  await send("/api/user/watchList/import", { format: "engawa-list", version: 1, entries });
  const rows: Row[] = [];
  for (const [name, path] of listPages) {
    rows.push(...(await visits(browser, name, `${origin}${path}`, await context.storageState())));
    const answersMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      await (await context.request.get(`${origin}${path}`)).body();
      answersMs.push(performance.now() - startedAt);
    }
    rows.push({ label: `${name}: answer of the server`, value: median(answersMs), unit: "ms" });
  }
  await context.close();
  return rows;
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

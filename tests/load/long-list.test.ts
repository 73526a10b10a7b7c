import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated } from "#tests/support/browser/pages.ts";
import { generatedTitles } from "#tests/support/data/generated-titles.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A list of two thousand entries, in a browser whose processor is slowed down four times. */

const entries = 2000;
const firstId = 700_000_000;
const slowness = 4;
/** The list is loaded several times and the fastest loading counts, because a page that is really slow is slow every time. */
const loadings = 3;
/** A title that wraps to two lines makes its row a little higher than the estimate that the browser uses for undrawn rows. */
const maxShift = 0.1;

const [browser, site] = await Promise.all([openBrowser(), startSite()]);
const titles = generatedTitles(entries, firstId);
const file = join(temporaryFolder("long-list"), "titles.ndjson");
writeFileSync(file, titles.map((title) => JSON.stringify(title)).join("\n"));
runTool(site, "catalog-import", [file]);

test("a list of 2,000 entries loads, scrolls and is edited", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const account = { username: "Patience", email: "patience@example.org", password: "Abcdef1!" };
  expect((await context.request.post(`${site.origin}/api/auth/signup`, { data: account })).status()).toBe(
    201,
  );
  const list = {
    format: "engawa-list",
    version: 1,
    entries: titles.map(({ mal_id, title }) => ({ mal_id, title, type: "Watching", progress: 1 })),
  };
  const imported = await context.request.post(`${site.origin}/api/user/watchList/import`, { data: list });
  const { data } = (await imported.json()) as { data: { added: unknown[] } };
  expect(data.added.length).toBe(entries);

  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: slowness });
  await page.addInitScript(() => {
    const loading = { longestMs: 0, shift: 0 };
    Object.assign(window, { loading });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) loading.longestMs = Math.max(loading.longestMs, duration);
    }).observe({ type: "longtask", buffered: true });
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
        loading.shift += value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  const longestOfLoading: number[] = [];
  const loadMs: number[] = [];
  for (let loading = 0; loading < loadings; loading++) {
    const startedAt = performance.now();
    await page.goto(`${site.origin}/list`);
    await hydrated(page);
    loadMs.push(performance.now() - startedAt);
    expect(await page.getByRole("link", { name: "All 2000" }).count()).toBe(1);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const { longestMs, shift } = await page.evaluate(
      () => (window as unknown as { loading: { longestMs: number; shift: number } }).loading,
    );
    longestOfLoading.push(longestMs);
    expect(shift).toBeLessThan(maxShift);
    // Without this, the next loading would begin at the scroll position where this one ended.
    await page.evaluate(() => scrollTo(0, 0));
  }
  figure("long-list", "fastest load of 2,000 entries", Math.min(...loadMs), "ms");
  figure("long-list", "longest task while it loads", Math.min(...longestOfLoading), "ms");

  await page.evaluate(() => {
    const seen = { tasks: [] as number[], answers: [] as number[] };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      seen.tasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: "longtask" });
    new PerformanceObserver((list) => {
      seen.answers.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  const longest = (kind: "tasks" | "answers") =>
    page.evaluate((name) => {
      const { seen } = window as unknown as { seen: Record<string, number[]> };
      return Math.max(0, ...(seen[name] ?? []).splice(0));
    }, kind);

  await page.mouse.move(190, 400);
  const isAtBottom = () => page.evaluate(() => scrollY + innerHeight >= document.body.scrollHeight - 2);
  while (!(await isAtBottom())) await page.mouse.wheel(0, 1200);
  figure("long-list", "longest task while it scrolls", await longest("tasks"), "ms");
  await longest("answers");

  const name = String(titles[0]?.title);
  const row = page
    .getByRole("listitem")
    .filter({ has: page.locator("form") })
    .nth(60);
  const first = await row.getByRole("form").getAttribute("aria-label");
  expect(first).not.toBe("");
  const form = page.getByRole("form", { name: first ?? name, exact: true }).first();
  await form.getByRole("button", { name: "One episode more" }).click();
  await page.getByText(`Saved ${first}`).waitFor();
  expect(await form.getByRole("spinbutton").inputValue()).toBe("2");
  // The edited row keeps its position, although it is now the entry that was changed last.
  expect(await row.getByRole("form").getAttribute("aria-label")).toBe(first);
  await form.getByLabel("My score").selectOption("7");
  await expect.poll(() => form.getByLabel("My score").inputValue()).toBe("7");
  figure("long-list", "longest answer to an edit", await longest("answers"), "ms");
  figure("long-list", "longest task of an edit", await longest("tasks"), "ms");

  await page.getByRole("link", { name: "Next page" }).click();
  await page.waitForURL("**/list?page=2");
  figure("long-list", "longest task on the way to the next page", await longest("tasks"), "ms");
});

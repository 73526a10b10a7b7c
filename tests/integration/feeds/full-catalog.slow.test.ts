import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { lockTables } from "#tests/support/database/lock-tables.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The operators' button that fetches the full catalog. */

let answer: RequestListener;
const server = await startUpstream((request, response) => answer(request, response));
const address = `${server.origin}/full.json`;
process.env.FULL_CATALOG_URL = address;
process.env.MEDIA_DIR = temporaryFolder("full-catalog-films");

const { days, minutes, seconds } = await import("#app/platform/units.ts");
const { db } = await import("#db/client.server.ts");
const { feeds } = await import("#db/schema/feeds.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { readDueFeeds } = await import("#app/domain/feeds/feeds.server.ts");
const { findScanRequest } = await import("#app/domain/films/films.server.ts");
const { newMember, newOperator } = await import("#tests/support/requests/visitor.ts");

const entry = (malId: number) => ({
  sources: [`https://myanimelist.net/anime/${malId}`],
  title: `Title ${malId}`,
  type: "TV",
  episodes: 12,
  status: "FINISHED",
  animeSeason: { season: "SPRING", year: 2020 },
  tags: [],
});
const catalogOf = (count: number) =>
  JSON.stringify({ data: Array.from({ length: count }, (_, at) => entry(at + 1)) });

const serve =
  (count: number): RequestListener =>
  ({ headers }, response) =>
    headers["if-none-match"] === '"a"'
      ? void response.writeHead(304).end()
      : void response.writeHead(200, { ETag: '"a"' }).end(catalogOf(count));
/** Sends the beginning of the file and then stops. */
const stall: RequestListener = (_, response) =>
  void response.writeHead(200, { "Content-Length": 50_000, ETag: '"a"' }).write("{".repeat(20_000));

const operator = await newOperator();
beforeEach(async () => {
  await db.delete(titles);
  await db.delete(feeds);
  server.requests.length = 0;
  answer = serve(2);
});
async function page(path = "/admin/feeds") {
  const response = await operator.request(path);
  expect(response.status).toBe(200);
  // React puts comments between text and values.
  return htmlOf(response);
}
async function press(form: Record<string, string>) {
  const response = await operator.request("/admin/feeds", { form });
  expect(response.status).toBe(200);
}
const start = (more = {}) => press({ intent: "full-catalog", ...more });
const stop = () => press({ intent: "give-up" });
const waitsToWrite = async () =>
  (await db.execute(sql`select from pg_locks where not granted and relation = 'title_records'::regclass`))
    .length > 0;
const countTitles = () => db.$count(titles);
const keptFiles = () => {
  const folder = join(process.env.DATA_DIR ?? "", "feeds");
  return existsSync(folder) ? readdirSync(folder) : [];
};
const offer = "Get the full catalog";
const progress = "Look again";

test("before the button is pressed, the pages say which data leaves the machine, and none does", async () => {
  for (const path of ["/admin", "/admin/feeds", "/admin/setup?step=catalog"]) {
    const html = await page(path);
    expect(html).toContain(offer);
    expect(html).toContain(`One file from ${new URL(address).host}:`);
    expect(html).not.toContain(progress);
  }
  await readDueFeeds();
  expect(server.requests).toEqual([]);
});

test("pressing the button fetches the catalog once, looks for its titles in the media folder, and the pages stop offering it", async () => {
  await start();
  expect(await page()).toContain(progress);
  expect(await findScanRequest()).toBeNull();
  await readDueFeeds();
  expect(await findScanRequest()).toEqual({ folder: "", reason: "schedule" });
  expect(await countTitles()).toBe(2);
  const html = await page();
  for (const text of ["2 new, 0 changed, 0 unchanged", "<td>once</td>", "<td>–</td>"])
    expect(html).toContain(text);
  for (const text of [offer, progress]) expect(html).not.toContain(text);
  expect(await page("/admin")).not.toContain(offer);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days(300) });
  await readDueFeeds();
  expect(server.requests).toHaveLength(1);
});

test("the setup fetches the catalog too, and says on its own page how far it is", async () => {
  const setup = "/admin/setup?step=catalog";
  const pressed = await operator.request(setup, { form: { intent: "full-catalog" } });
  expect(await pressed.text()).toContain("The full catalog is fetched next.");
  const waiting = await page(setup);
  expect(waiting).toContain("The full catalog is fetched within half a minute.");
  expect(waiting).toContain(progress);
  await readDueFeeds();
  const html = await page(setup);
  expect(html).toContain("2 new, 0 changed, 0 unchanged");
  expect(html).not.toContain(progress);
  expect(html).not.toContain(offer);
});

test("with the weekly renewal ticked, the file is requested every week", async () => {
  await start({ weekly: "1" });
  for (const week of [0, 1, 2]) {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + week * (days(7) + minutes(1)) });
    await readDueFeeds();
    await readDueFeeds();
    expect(server.requests).toHaveLength(week + 1);
    vi.useRealTimers();
  }
  expect(await page()).toContain("<td>7 days</td>");
});

test("a catalog fetched once can be renewed every week from then on", async () => {
  await start();
  await readDueFeeds();
  expect(await page()).toContain("Renew every week");
  await start({ weekly: "1" });
  await readDueFeeds();
  const html = await page();
  for (const text of ["<td>7 days</td>", "Nothing new", "in 7 days"]) expect(html).toContain(text);
  expect(server.requests).toHaveLength(2);
});

test("a second press while the file is being fetched changes nothing", async () => {
  let isAsked = false;
  let release = () => {};
  answer = (request, response) => {
    isAsked = true;
    release = () => serve(2)(request, response);
  };
  await start();
  const reading = readDueFeeds();
  await until(() => isAsked);
  await start();
  await readDueFeeds();
  release();
  await reading;
  expect(server.requests).toHaveLength(1);
  expect(await countTitles()).toBe(2);
});

test("two instances fetch the file once", async () => {
  await start();
  await Promise.all([readDueFeeds(), readDueFeeds()]);
  expect(server.requests).toHaveLength(1);
});

test("stopping the download deletes the partial file, and the catalog is offered again", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let closed: Promise<unknown> | undefined;
  answer = (request, response) => {
    closed = once(response, "close");
    stall(request, response);
  };
  await start();
  const reading = readDueFeeds();
  await expect.poll(page, { interval: 20 }).toContain("Fetching: ");
  await stop();
  await vi.advanceTimersByTimeAsync(seconds(3));
  await reading;
  await closed;
  expect(keptFiles()).toEqual([]);
  expect(await page()).toContain(offer);
  answer = serve(2);
  await start();
  expect(await page()).toContain("An operator stopped it");
  await readDueFeeds();
  expect(await countTitles()).toBe(2);
});

test("stopping the import keeps the titles read so far", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  answer = serve(3001);
  await start();
  const unlock = await lockTables("title_records");
  const reading = readDueFeeds();
  await expect.poll(waitsToWrite, { interval: 20 }).toBe(true);
  await stop();
  const abort = vi.spyOn(AbortController.prototype, "abort");
  await vi.advanceTimersByTimeAsync(seconds(3));
  // Until the database has answered the reader, the import would go on.
  await expect.poll(() => abort.mock.calls.length).toBeGreaterThan(0);
  abort.mockRestore();
  await unlock();
  await reading;
  // One batch of 500 waited for the table, and the next one was read meanwhile.
  expect(await countTitles()).toBe(1000);
});

test("an unreachable host gives a reason on the page, and the download can be abandoned", async () => {
  answer = (_, response) => void response.destroy();
  await start();
  await readDueFeeds();
  const html = await page();
  for (const text of ["closed the connection too early", "in 1 minute"]) expect(html).toContain(text);
  await stop();
  expect(await page()).not.toContain("closed the connection");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days(1) });
  await readDueFeeds();
  expect(server.requests).toHaveLength(1);
});

test("a member who is no operator cannot press the button", async () => {
  const member = await newMember();
  const response = await member.request("/admin/feeds", { form: { intent: "full-catalog" } });
  expect(response.status).toBe(403);
  expect(await db.select().from(feeds)).toEqual([]);
});

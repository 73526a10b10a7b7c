import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { asc, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { storedAsZstd, zstdBomb } from "#tests/support/data/zstd-bytes.ts";
import { sendBytes, startUpstream } from "#tests/support/servers/upstream.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** A feed of the offline database from a server that may be hostile, and a feed from a file. */

let answer: RequestListener;
const asked: IncomingMessage["headers"][] = [];
const server = await startUpstream((request, response) => {
  asked.push(request.headers);
  answer(request, response);
});
const folder = temporaryFolder("feeds");
const [url, path] = [`${server.origin}/catalog.json.zst`, join(folder, "catalog.jsonl")];
process.env.CATALOG_FEEDS = `offline-database 7d ${url}, offline-database 1d ${path}`;
const [fromServer, fromFile] = [`offline-database ${url}`, `offline-database ${path}`];

const { db } = await import("#db/client.server.ts");
const { feeds } = await import("#db/schema/feeds.ts");
const { titles, titleRecords } = await import("#db/schema/catalog.ts");
const { listFeeds, makeAllDue, readDueFeeds } = await import("#app/domain/feeds/feeds.server.ts");
const { tool: catalogFeeds } = await import("#app/cli/catalog-feeds.ts");
const { runToolInProcess } = await import("#tests/support/site/tools-in-process.ts");
const { newOperator } = await import("#tests/support/requests/visitor.ts");

const entry = (malId: number, title = `Title ${malId}`, more = {}) => ({
  sources: [`https://myanimelist.net/anime/${malId}`],
  title,
  type: "TV",
  episodes: 12,
  status: "FINISHED",
  animeSeason: { season: "SPRING", year: 2020 },
  tags: [],
  synonyms: [],
  ...more,
});
const catalogText = (entries: readonly object[]) =>
  JSON.stringify({ license: {}, repository: "", data: entries });
const lines = (entries: readonly object[]) => entries.map((one) => `${JSON.stringify(one)}\n`).join("");
const packed = (entries: readonly object[]) => storedAsZstd(Buffer.from(catalogText(entries)));

const refuse =
  (status: number, headers = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, headers).end();

const names = async () =>
  (await db.select({ title: titles.title }).from(titles).orderBy(asc(titles.malId))).map(
    ({ title }) => title,
  );
/** In whole days, so that a slow machine makes no difference. */
const daysUntil = (at: Date) => Math.abs(Math.round((at.getTime() - Date.now()) / 86_400_000));

async function feedOf(name = fromServer) {
  const feed = (await listFeeds()).find((one) => one.name === name);
  if (!feed) throw new Error("the feed is not listed");
  return { ...feed, run: feed.runs[0] };
}
async function read(settings = {}) {
  await makeAllDue();
  await readDueFeeds(settings);
  return feedOf();
}
const feedFolder = join(process.env.DATA_DIR ?? "", "feeds");
const keptFiles = () => (existsSync(feedFolder) ? readdirSync(feedFolder) : []);

beforeEach(async () => {
  await db.delete(titles);
  await db.delete(feeds);
  rmSync(feedFolder, { recursive: true, force: true });
  asked.length = 0;
  rmSync(path, { force: true });
  answer = refuse(304);
});

test("a compressed feed is imported, and fetched again only after its interval", async () => {
  answer = sendBytes(packed([entry(1), entry(2)]));
  const { run, failures, nextAt } = await read();
  expect(run).toMatchObject({ outcome: "imported", report: { titles: { added: 2 }, rejectedCount: 0 } });
  expect(failures).toBe(0);
  expect(daysUntil(nextAt)).toBe(7);
  expect(await names()).toEqual(["Title 1", "Title 2"]);
  expect((await db.select().from(titleRecords)).map(({ source }) => source)).toContain("offline-database");
  expect(keptFiles()).toEqual([]);
  await readDueFeeds();
  expect(asked).toHaveLength(1);
});

test("every form of the file gives the same titles", async () => {
  const entries = [entry(1), entry(2), entry(3)];
  const json = Buffer.from(catalogText(entries));
  for (const bytes of [json, Buffer.from(lines(entries)), gzipSync(json), storedAsZstd(json)]) {
    await db.delete(titles);
    answer = sendBytes(bytes);
    expect((await read()).run?.report?.titles).toEqual({ added: 3, changed: 0, unchanged: 0 });
  }
  answer = sendBytes(gzipSync(packed(entries)), { "Content-Encoding": "gzip" });
  expect((await read()).run?.report?.titles.unchanged).toBe(3);
});

test("an unchanged file is requested with its validators and not sent again", async () => {
  answer = sendBytes(packed([entry(1)]), { ETag: '"a"', "Last-Modified": "Sat, 14 Nov 2026 10:00:00 GMT" });
  await read();
  answer = refuse(304);
  const { run, failures } = await read();
  expect(asked[1]?.["if-none-match"]).toBe('"a"');
  expect([run?.outcome, failures]).toEqual(["unchanged", 0]);
});

test("a feed can be a file, which is read again when it changes, even if another feed fails", async () => {
  answer = refuse(500);
  expect((await read()).run?.outcome).toBe("failed");
  expect((await feedOf(fromFile)).run?.message).toBe("The file cannot be read (ENOENT)");
  writeFileSync(path, lines([entry(900)]));
  for (const outcome of ["imported", "unchanged"]) {
    await read();
    expect((await feedOf(fromFile)).run?.outcome).toBe(outcome);
  }
});

test("a feed's changes are reported, and a title that it drops stays", async () => {
  answer = sendBytes(packed([entry(1), entry(2)]));
  await read();
  answer = sendBytes(packed([entry(2, "Renamed"), entry(3)]));
  expect((await read()).run?.report?.titles).toEqual({ added: 1, changed: 1, unchanged: 0 });
  expect(await names()).toEqual(["Title 1", "Renamed", "Title 3"]);
});

test("an entry with the number of a local title is refused, and so is one that is related to it", async () => {
  const relatedAnime = ["https://myanimelist.net/anime/900100000"];
  answer = sendBytes(packed([entry(1, "One", { relatedAnime }), entry(900_100_000), entry(2_147_483_647)]));
  const { run } = await read();
  expect(run?.report?.rejected.map(({ reason }) => reason)).toEqual(
    Array(3).fill("has no number of MyAnimeList"),
  );
  expect(await names()).toEqual(["One"]);
});

const chunk = Buffer.alloc(65_536, "[");
const hostile: [string, () => RequestListener, RegExp][] = [
  [
    "endless",
    () => (_, response) => {
      response.on("error", () => {});
      const write = () => {
        while (!response.destroyed && response.write(chunk));
        response.once("drain", write);
      };
      write();
    },
    /^The file is larger than 1 MB$/,
  ],
  [
    "announced as huge",
    () => sendBytes("", { "Content-Length": 2_000_000_000 }),
    /^The file is larger than 1 MB$/,
  ],
  [
    "shorter than it says",
    () => (_, response) => {
      response.writeHead(200, { "Content-Length": 5000 });
      response.write(packed([entry(1, "Half")]), () => response.destroy());
    },
    /closed the connection too early$/,
  ],
  [
    "packed as nobody asked",
    () => sendBytes("x", { "Content-Encoding": "br" }),
    /^The server packs the file as br/,
  ],
  ["a web page", () => sendBytes("\n<!DOCTYPE html><html><p>Moved</p></html>"), /web page and not a catalog/],
  ["away", () => refuse(500), /^The server answered 500$/],
  [
    "a bomb of one line",
    () => sendBytes(Buffer.concat([packed([]), zstdBomb(300)])),
    /no entry that can be used$/,
  ],
  [
    "asking for much memory",
    () => sendBytes(storedAsZstd(Buffer.from("{}"), { windowExponent: 30 })),
    /window of more than 128 MB/,
  ],
  ["cut off", () => sendBytes(packed([entry(1, "Half")]).subarray(0, -30)), /incomplete or damaged/],
  [
    "in another encoding",
    () => sendBytes(Buffer.from(catalogText([entry(1)]), "utf16le")),
    /no entry that can be used$/,
  ],
  ["empty", () => sendBytes(""), /no entry that can be used$/],
  [
    "a catalog of our own format with sources",
    () =>
      sendBytes(
        lines([
          { mal_id: 1, title: "Taken" },
          { kind: "source", mal_id: 900, number: 1, url: "https://a.b/c.mp4", type: "mp4" },
        ]),
      ),
    /no entry that can be used$/,
  ],
  [
    "redirected into the network",
    () => refuse(302, { Location: `${server.origin}/private` }),
    /private network/,
  ],
];

test.each(hostile)(
  "a feed that is %s changes nothing, and the page says why",
  async (_, listener, message) => {
    await db.insert(titles).values({ malId: 1, title: "Kept", titleKey: "kept" });
    answer = listener();
    const { run, failures, nextAt } = await read({ maxBytes: 1_100_000 });
    expect(run?.outcome).toBe("failed");
    expect(run?.message).toMatch(message);
    expect(failures).toBe(1);
    expect(daysUntil(nextAt)).toBe(0);
    expect(await names()).toEqual(["Kept"]);
  },
);

test("a server is not asked before the time that it names", async () => {
  answer = refuse(503, { "Retry-After": "86400" });
  const { nextAt, run } = await read();
  expect(daysUntil(nextAt)).toBe(1);
  expect(run?.message).toBe("The server answered 503");
  answer = sendBytes(packed([entry(1)]));
  expect(await read()).toMatchObject({ failures: 0, run: { outcome: "imported" } });
});

test("colliding ids, repeated entries and entries without an id are refused one by one", async () => {
  const ids = (...urls: string[]) => ({ sources: urls });
  answer = sendBytes(
    packed([
      entry(1, "One", ids("https://myanimelist.net/anime/1", "https://anidb.net/anime/5")),
      entry(2, "Two", ids("https://myanimelist.net/anime/2", "https://anidb.net/anime/5")),
      entry(1, "Again"),
      entry(3, "None", ids("https://anidb.net/anime/6")),
      entry(4, "\u200b"),
    ]),
  );
  const { run } = await read();
  expect(run?.outcome).toBe("imported");
  expect(run?.report?.rejected.map(({ reason }) => reason).sort()).toEqual([
    "anidb:5 is the id of title 1",
    "has no MyAnimeList id",
    "is a second entry of title 1",
    "title: has no visible characters",
  ]);
  expect(await names()).toEqual(["One", "Two"]);
});

const whenStored = (length: number) =>
  expect
    .poll(() => keptFiles().map((name) => statSync(join(feedFolder, name)).size), { interval: 10 })
    .toContain(length);

/** Sends byte ranges, and breaks off after `until` bytes of a request for the whole file. */
const rangesOf =
  (bytes: Buffer, until: number, etag: string): RequestListener =>
  (request, response) => {
    const begin = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const isPart = begin > 0 && request.headers["if-range"] === etag;
    response.writeHead(isPart ? 206 : 200, {
      ETag: etag,
      "Content-Length": isPart ? bytes.length - begin : bytes.length,
      ...(isPart && { "Content-Range": `bytes ${begin}-${bytes.length - 1}/${bytes.length}` }),
    });
    if (isPart) response.end(bytes.subarray(begin));
    else {
      response.write(bytes.subarray(0, until));
      void whenStored(until).then(() => response.destroy());
    }
  };

test("a broken download resumes where it stopped, unless the file has changed", async () => {
  const bytes = packed([entry(1), entry(2)]);
  answer = rangesOf(bytes, 400, '"a"');
  expect((await read()).run?.outcome).toBe("failed");
  expect(await names()).toEqual([]);
  answer = refuse(503);
  await read();
  answer = rangesOf(bytes, 400, '"a"');
  expect((await read()).run).toMatchObject({ outcome: "imported", message: null });
  expect(asked).toHaveLength(3);
  expect(asked[2]).toMatchObject({ range: "bytes=400-", "if-range": '"a"' });
  expect(await names()).toEqual(["Title 1", "Title 2"]);
  answer = rangesOf(bytes, 400, '"b"');
  await read();
  answer = sendBytes(packed([entry(5)]), { ETag: '"c"' });
  expect((await read()).run?.outcome).toBe("imported");
  expect(await names()).toContain("Title 5");
});

test("a part of another version, from a server that ignores If-Range, is not appended", async () => {
  answer = rangesOf(packed([entry(1), entry(2)]), 400, '"a"');
  await read();
  const bytes = packed([entry(5), entry(6)]);
  answer = (request, response) => {
    if (request.headers.range) request.headers["if-range"] = '"b"';
    rangesOf(bytes, bytes.length, '"b"')(request, response);
  };
  expect((await read()).run).toMatchObject({ outcome: "imported", message: null });
  expect(await names()).toEqual(["Title 5", "Title 6"]);
});

test("two instances fetch a feed only once", async () => {
  answer = (request, response) => setTimeout(() => sendBytes(packed([entry(1)]))(request, response), 200);
  await makeAllDue();
  await Promise.all([readDueFeeds(), readDueFeeds(), readDueFeeds()]);
  expect(asked).toHaveLength(1);
  expect((await feedOf()).runs).toHaveLength(1);
});

const advisoryLocks = sql`
  select from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where datname = current_database() and locktype = 'advisory'`;

test("a killed reader leaves the catalog intact, and the next run continues and says so", async () => {
  const bytes = packed(Array.from({ length: 40 }, (_, at) => entry(at + 1)));
  answer = (request, response) => {
    if (request.headers.range) return rangesOf(bytes, 0, '"a"')(request, response);
    response.writeHead(200, { ETag: '"a"', "Content-Length": bytes.length });
    response.write(bytes.subarray(0, 5000));
  };
  await makeAllDue();
  const reader = spawn(process.execPath, [resolve("build/server/catalog-feeds.js")], { stdio: "ignore" });
  await expect.poll(async () => (await feedOf()).run?.outcome, { interval: 20 }).toBe(null);
  await whenStored(5000);
  reader.kill("SIGKILL");
  await once(reader, "close");
  // The database releases the locks of a killed process a moment after its end.
  await expect.poll(() => db.execute(advisoryLocks)).toHaveLength(0);
  const { runs } = await read();
  expect(asked[1]?.range).toBe("bytes=5000-");
  expect(runs.map(({ outcome }) => outcome)).toEqual(["imported", "interrupted"]);
  expect(await names()).toHaveLength(40);
});

test("catalog-feeds reads feeds without a site, prints the results, and exits with 1 if a feed failed", async () => {
  answer = sendBytes(packed([entry(1)]));
  writeFileSync(path, lines([entry(900)]));
  const good = await runToolInProcess(catalogFeeds, ["--now"]);
  expect(good.stdout).toContain(`${fromServer}\n  1 new, 0 changed, 0 unchanged\n`);
  expect(good.code).toBe(0);
  answer = refuse(404);
  expect(await runToolInProcess(catalogFeeds, ["--now"])).toMatchObject({ code: 1 });
});

test("operators see imported and refused records, and can read a feed at once", async () => {
  const operator = await newOperator();
  const html = async () => (await operator.request("/admin/feeds")).text();
  expect(await html()).toContain("Not read yet");
  answer = sendBytes(packed([entry(1), entry(1, "<b>Again</b>")]));
  await read();
  const page = await html();
  for (const text of [
    url,
    "7 days",
    "1 new, 0 changed, 0 unchanged, 1 refused",
    "is a second entry of title 1",
  ])
    expect(page).toContain(text);
  const due = await operator.request("/admin/feeds", { form: { intent: "read", name: fromServer } });
  expect(due.status).toBe(200);
  expect(daysUntil((await feedOf()).nextAt)).toBe(0);
  const unknown = await operator.request("/admin/feeds", {
    form: { intent: "read", name: "offline-database /x" },
  });
  expect(unknown.status).toBe(404);
  answer = refuse(500);
  await read();
  expect(await html()).toContain("The server answered 500");
});

import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listStatuses } from "#db/schema/enumerations.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";

const path = "/api/user/watchList/import";
type Report = {
  added: { mal_id: number; type: string }[];
  changed: { mal_id: number; fields: string[] }[];
  unchanged: unknown[];
  unmatched: { mal_id: number | null; title: string | null; why: string }[];
  undo: string | null;
};
type Entry = { mal_id: number; type: string; progress: number; id: string } & Record<string, unknown>;

const send = (member: Visitor, body: BodyInit, query = "") =>
  member.request(path + query, { method: "POST", body });
const bring = (member: Visitor, body: BodyInit, query = "") => dataOf<Report>(send(member, body, query));
const undo = (member: Visitor, id: unknown) => member.request(`${path}/undo`, { json: { undo: id } });
const add = (member: Visitor, json: unknown) => dataOf(member.request("/api/user/watchList", { json }));
const listOf = (member: Visitor) => dataOf<Entry[]>(member.request("/api/user/watchList"));
const exported = async (member: Visitor, format = "json") => {
  const response = await member.request(`/api/user/watchList/export?format=${format}`);
  expect(response.status).toBe(200);
  return response.text();
};

const anime = (id: number | string, status: string, more = "") =>
  `<anime><series_animedb_id>${id}</series_animedb_id><series_title><![CDATA[T ${id}]]></series_title>
   <my_status>${status}</my_status>${more}</anime>`;
const xml = (...entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8" ?>\n<!-- made elsewhere -->\n<myanimelist><myinfo><user_name>x</user_name></myinfo>${entries.join("")}</myanimelist>`;
const own = (...entries: object[]) => JSON.stringify({ format: "engawa-list", version: 1, entries });

const [titleA, titleB] = [await someTitle({ episodes: 12 }), await someTitle()];
/** Whose files are refused: nothing of theirs may change. */
const nobody = await newMember();
await add(nobody, { animeId: titleA, type: "watching", progress: 3 });
const untouched = await listOf(nobody);

test("MyAnimeList's XML: said first, done, and taken back as one", async () => {
  const member = await newMember();
  await add(member, { animeId: titleA, type: "Watching", progress: 5 });
  const before = await listOf(member);
  const file = xml(
    anime(titleA, "Completed", "<my_watched_episodes>3</my_watched_episodes><my_score>8</my_score>"),
    anime(titleB, "On-Hold"),
    anime(2_000_000_001, "Watching"),
    anime(titleB + 1_000_000, "Dropped"),
  );
  const preview = await bring(member, file, "?preview=1");
  expect(preview).toEqual({
    added: [{ mal_id: titleB, title: `Title ${titleB}`, type: "Watching", progress: 0, score: null }],
    changed: [
      {
        mal_id: titleA,
        title: `Title ${titleA}`,
        fields: ["type", "score"],
        before: { type: "Watching", progress: 5, score: null },
        after: { type: "Completed", progress: 5, score: 8 },
      },
    ],
    unchanged: [],
    unmatched: [
      {
        mal_id: titleB + 1_000_000,
        title: `T ${titleB + 1_000_000}`,
        why: expect.stringContaining("dropped"),
      },
      { mal_id: 2_000_000_001, title: "T 2000000001", why: "is not in this catalog" },
    ],
    undo: null,
  });
  expect(await listOf(member)).toEqual(before);
  const done = await bring(member, file);
  expect({ ...done, undo: null }).toEqual(preview);
  expect((await listOf(member)).map(({ mal_id, type }) => [mal_id, type]).sort()).toEqual([
    [titleA, "Completed"],
    [titleB, "Watching"],
  ]);
  expect(await dataOf(undo(member, done.undo))).toMatchObject({ restored: 1, removed: 1 });
  expect(await listOf(member)).toEqual(before);
  expect((await refusalOf(undo(member, done.undo))).status).toBe(404);
});

test("an import twice is an import once", async () => {
  const member = await newMember();
  const file = own({ mal_id: titleA, type: "Completed", progress: 12, score: 9.5, notes: "Fin" });
  await bring(member, file);
  const once = await listOf(member);
  expect(await bring(member, file)).toMatchObject({ added: [], changed: [], undo: null });
  expect(await listOf(member)).toEqual(once);
});

test("of two types the later wins, progress stays up, a score fills or replaces", async () => {
  const member = await newMember();
  await add(member, { animeId: titleA, type: "Completed", progress: 10, score: 6, notes: "mine" });
  const file = own({ mal_id: titleA, type: "To Watch", progress: 2, score: 9, notes: "theirs" });
  expect(await bring(member, file)).toMatchObject({ changed: [], unchanged: [{ mal_id: titleA }] });
  expect(await bring(member, file, "?scores=replace")).toMatchObject({ changed: [{ fields: ["score"] }] });
  expect(await listOf(member)).toMatchObject([{ type: "Completed", progress: 10, score: 9, notes: "mine" }]);
});

test("dropped titles come in when asked for", async () => {
  const member = await newMember();
  const file = xml(anime(titleA, "Dropped"));
  expect((await bring(member, file)).added).toEqual([]);
  expect((await bring(member, file, "?dropped=1")).added).toMatchObject([{ type: "Collection" }]);
});

test("AniList's JSON, in a form, and gzipped", async () => {
  const member = await newMember();
  const entries = [
    { status: "PAUSED", progress: 4, score: 0, media: { idMal: titleA, title: { romaji: "A" } } },
  ];
  const file = JSON.stringify({ data: { MediaListCollection: { lists: [{ name: "Paused", entries }] } } });
  const form = new FormData();
  form.set("note", "beside it");
  form.set("file", new Blob([gzipSync(file)]), "list.json.gz");
  expect((await bring(member, form)).added).toMatchObject([
    { mal_id: titleA, type: "Watching", progress: 4, score: null },
  ]);
  const headers = { "Content-Type": "application/gzip" };
  const again = member.request(path, { method: "POST", body: gzipSync(file), headers });
  expect(await dataOf(again)).toMatchObject({ unchanged: [{ mal_id: titleA }] });
});

test("an undo leaves alone what was changed since, and brings nothing back that was removed", async () => {
  const [member, titleC] = [await newMember(), await someTitle()];
  await add(member, { animeId: titleA, type: "To Watch", progress: 1 });
  const file = own(
    { mal_id: titleA, type: "Watching", progress: 4, score: 7 },
    { mal_id: titleB, type: "Watching", progress: 2 },
    { mal_id: titleC, type: "Watching" },
  );
  const done = await bring(member, file);
  await add(member, { animeId: titleA, type: "Completed" });
  await add(member, { animeId: titleB, type: "Watching", progress: 3 });
  await member.request("/api/user/watchList", { method: "DELETE", json: { animeId: titleC } });
  await dataOf(undo(member, done.undo));
  expect((await listOf(member)).sort((one, other) => one.mal_id - other.mal_id)).toMatchObject([
    { mal_id: titleA, type: "Completed", progress: 1, score: null },
    { mal_id: titleB, type: "Watching", progress: 3 },
  ]);
});

test("nobody takes back another's import, and an undo that is none is refused", async () => {
  const member = await newMember();
  const done = await bring(member, own({ mal_id: titleA, type: "Watching" }));
  expect((await refusalOf(undo(nobody, done.undo))).status).toBe(404);
  expect(await listOf(member)).toHaveLength(1);
  for (const id of ["", "x", 7, null, undefined])
    expect((await refusalOf(undo(member, id))).status).toBe(400);
});

const anyEntry = fc.record({
  type: fc.constantFrom(...listStatuses),
  progress: fc.integer({ min: 0, max: 3000 }),
  score: fc.option(fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10)),
  notes: fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replaceAll("\0", "")),
  started_on: fc.option(fc.constantFrom("1999-12-31", "2024-02-29")),
  finished_on: fc.option(fc.constantFrom("2024-03-01")),
});
const unowned = (entries: Entry[]) => entries.map(({ id: _id, user_id: _user, ...entry }) => entry);

test("import(export(list)) into an empty account is the list, with its moments and its order", async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => someTitle()));
  await fc.assert(
    fc.asyncProperty(fc.array(anyEntry, { minLength: 1, maxLength: 6 }), async (entries) => {
      const [member, other] = [await newMember(), await newMember()];
      for (const [index, entry] of entries.entries()) await add(member, { animeId: ids[index], ...entry });
      await bring(other, await exported(member));
      expect(unowned(await listOf(other))).toEqual(unowned(await listOf(member)));
      expect(await exported(other)).toBe(await exported(member));
    }),
    { numRuns: 8 },
  );
});

test("as XML it comes back too, a collection by its tag and scores as whole numbers", async () => {
  const [member, other] = [await newMember(), await newMember()];
  await add(member, { animeId: titleA, type: "Collection", score: 7.6, notes: "<&>]]>\r\n ✓" });
  await add(member, { animeId: titleB, type: "To Watch" });
  await bring(other, await exported(member, "xml"));
  const byId = async (visitor: Visitor) => unowned(await listOf(visitor)).sort((a, b) => a.mal_id - b.mal_id);
  const plain = ({ mal_id, type, progress, notes }: Omit<Entry, "id">) => ({ mal_id, type, progress, notes });
  expect((await byId(other)).map(plain)).toEqual((await byId(member)).map(plain));
  expect((await byId(other))[0]).toMatchObject({ score: 8 });
});

test("exports are files, never kept by caches, and hold hidden titles too", async () => {
  const [member, hidden] = [await newMember(), await someTitle({ rating: "rx" })];
  await add(member, { animeId: hidden, type: "Watching" });
  for (const [format, type] of [
    ["json", "application/json"],
    ["xml", "application/xml; charset=utf-8"],
  ]) {
    const response = await member.request(`/api/user/watchList/export?format=${format}`);
    expect(response.headers.get("Content-Type")).toBe(type);
    expect(response.headers.get("Content-Disposition")).toBe(`attachment; filename="engawa-list.${format}"`);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(await response.text()).toContain(String(hidden));
  }
  expect(await listOf(member)).toEqual([]);
  expect((await refusalOf(member.request("/api/user/watchList/export?format=csv"))).status).toBe(400);
  expect(JSON.parse(await exported(await newMember()))).toMatchObject({ format: "engawa-list", entries: [] });
});

const entityBomb = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${"abcdefghij"[n + 1]} "${`&${"abcdefghij"[n]};`.repeat(10)}">`).join("")}]><myanimelist>${anime(1, "&j;")}</myanimelist>`;
const external = `<?xml version="1.0"?><!DOCTYPE l SYSTEM "http://169.254.169.254/"><myanimelist/>`;
const good = xml(anime(titleA, "Completed"));
const latin = Buffer.from(xml(anime(titleA, "Completed", "<my_comments>é</my_comments>")), "latin1");
test.each<[string, BodyInit, number]>([
  ["an entity bomb", entityBomb, 400],
  ["an external document type", external, 400],
  ["a parameter entity", `<!DOCTYPE l [<!ENTITY % x SYSTEM "file:///etc/passwd">%x;]><myanimelist/>`, 400],
  ["50 MB of nested XML", "<a>".repeat(17_000_000), 413],
  ["deep XML", "<a>".repeat(1_000_000), 400],
  ["XML inside a good list", good.replace("</anime>", `${"<b>".repeat(100)}</anime>`), 400],
  ["a cut list", good.slice(0, -20), 400],
  ["Latin-1", latin, 400],
  ["UTF-16", Buffer.from(good, "utf16le"), 400],
  ["another declared encoding", good.replace("UTF-8", "ISO-8859-1"), 400],
  ["a truncated archive", gzipSync(good).subarray(0, 60), 400],
  ["a broken archive", Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(100, 7)]), 400],
  ["an archive that unpacks to 100 MiB", gzipSync(Buffer.alloc(100 * 1024 * 1024)), 413],
  ["JSON that would fill the memory", `[${"{},".repeat(5_000_000)}{}]`, 413],
  ["nested JSON", "[".repeat(5_000_000), 413],
  ["cut JSON", '{"format":"engawa-list","entries":[{"mal_id":', 400],
  ["other JSON", '{"hello":"world"}', 400],
  ["an account that is none", '{"format":"engawa-accounts"}', 400],
  ["a picture", Buffer.from("iVBORw0KGgoAAAANSUhEUg==", "base64"), 400],
  ["HTML", "<!doctype html><html></html>", 400],
  ["nothing", "", 400],
])("refuses %s, changing nothing", async (_, body, status) => {
  const before = process.memoryUsage().rss;
  for (const query of ["", "?preview=1"])
    expect((await refusalOf(send(nobody, body, query))).status).toBe(status);
  expect(await listOf(nobody)).toEqual(untouched);
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(700);
});

test("refuses forms without a file, other types and unknown options", async () => {
  const empty = new FormData();
  empty.set("other", new Blob([good]), "list.xml");
  expect((await refusalOf(send(nobody, empty))).status).toBe(400);
  const headers = { "Content-Type": "multipart/form-data" };
  const noBoundary = nobody.request(path, { method: "POST", body: good, headers });
  expect((await refusalOf(noBoundary)).status).toBe(400);
  const cut = { "Content-Type": "multipart/form-data; boundary=x" };
  const unclosed = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n<myanime';
  expect(
    (await refusalOf(nobody.request(path, { method: "POST", body: unclosed, headers: cut }))).status,
  ).toBe(400);
  const large = new FormData();
  large.set("file", new Blob([Buffer.alloc(33 * 1024 * 1024, " ")]), "list.xml");
  expect((await refusalOf(send(nobody, large))).status).toBe(413);
  const picture = { "Content-Type": "image/png" };
  const refusal = await refusalOf(nobody.request(path, { method: "POST", body: good, headers: picture }));
  expect(refusal).toMatchObject({ status: 415, error: expect.stringContaining("multipart/form-data") });
  for (const query of ["?preview=maybe", "?scores=all", "?dropped=2"])
    expect((await refusalOf(send(nobody, good, query))).status).toBe(400);
  expect(await listOf(nobody)).toEqual(untouched);
});

test("an import and a player at once lose nothing to each other", async () => {
  const member = await newMember();
  const ids = await Promise.all(Array.from({ length: 20 }, () => someTitle({ episodes: 50 })));
  const file = own(...ids.map((mal_id) => ({ mal_id, type: "Watching", progress: 2 })));
  const watch = (mal_id: number, ep: number) =>
    member.request("/api/user/progress", {
      method: "PUT",
      json: { mal_id, ep, position: 95, duration: 100 },
    });
  const put = (animeId: number) =>
    member.request("/api/user/watchList", { json: { animeId, type: "watching", progress: 7 } });
  const all = [send(member, file), ...ids.map(put), ...ids.map((id) => watch(id, 9)), send(member, file)];
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
  await Promise.all([send(member, file), ...ids.map((id) => watch(id, 11))]);
  expect((await listOf(member)).map(({ progress }) => progress)).toEqual(ids.map(() => 11));
});

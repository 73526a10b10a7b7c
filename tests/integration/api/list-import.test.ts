import { gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { entryStates, listStatuses } from "#db/schema/enumerations.ts";
import { addTitles, someTitle } from "#tests/support/data/database-rows.ts";
import { inThrees } from "#tests/support/requests/in-threes.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newGrownUp, newMember, setParentalControl, type Visitor } from "#tests/support/requests/visitor.ts";

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
const importList = (member: Visitor, body: BodyInit, query = "") => dataOf<Report>(send(member, body, query));
const undo = (member: Visitor, id: unknown) => member.request(`${path}/undo`, { json: { undo: id } });
const add = (member: Visitor, json: unknown) => dataOf(member.request("/api/user/watchList", { json }));
const listOf = (member: Visitor) => dataOf<Entry[]>(member.request("/api/user/watchList"));
const exported = async (member: Visitor, format = "json") => {
  const response = await member.request(`/api/user/watchList/export?format=${format}`);
  expect(response.status).toBe(200);
  return response.text();
};

const malEntry = (id: number | string, status: string, more = "") =>
  `<anime><series_animedb_id>${id}</series_animedb_id><series_title><![CDATA[T ${id}]]></series_title>
   <my_status>${status}</my_status>${more}</anime>`;
const malFile = (...entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8" ?>\n<!-- made elsewhere -->\n<myanimelist><myinfo><user_name>x</user_name></myinfo>${entries.join("")}</myanimelist>`;
const engawaFile = (...entries: object[]) => JSON.stringify({ format: "engawa-list", version: 1, entries });

const [titleA, titleB] = [await someTitle({ episodes: 12 }), await someTitle()];
/** The member whose imports are refused. Their list must not change. */
const refusedMember = await newMember();
await add(refusedMember, { animeId: titleA, type: "watching", progress: 3 });
const untouched = await listOf(refusedMember);

test("a MyAnimeList file is previewed without a change, then imported as previewed, and undone as one", async () => {
  const member = await newMember();
  await add(member, { animeId: titleA, type: "Watching", progress: 5 });
  const before = await listOf(member);
  const file = malFile(
    malEntry(titleA, "Completed", "<my_watched_episodes>3</my_watched_episodes><my_score>8</my_score>"),
    malEntry(titleB, "On-Hold"),
    malEntry(2_000_000_001, "Watching"),
  );
  const preview = await importList(member, file, "?preview=1");
  expect(preview).toEqual({
    added: [
      {
        mal_id: titleB,
        title: `Title ${titleB}`,
        type: "Watching",
        state: "on_hold",
        progress: 0,
        score: null,
      },
    ],
    changed: [
      {
        mal_id: titleA,
        title: `Title ${titleA}`,
        fields: ["type", "score"],
        before: { type: "Watching", state: null, progress: 5, score: null },
        after: { type: "Completed", state: null, progress: 5, score: 8 },
      },
    ],
    unchanged: [],
    unmatched: [{ mal_id: 2_000_000_001, title: "T 2000000001", why: "is not in this catalog" }],
    clamped: [],
    hidden: 0,
    undo: null,
  });
  expect(await listOf(member)).toEqual(before);
  const done = await importList(member, file);
  expect({ ...done, undo: null }).toEqual(preview);
  expect((await listOf(member)).map(({ mal_id, type }) => [mal_id, type]).sort()).toEqual([
    [titleA, "Completed"],
    [titleB, "Watching"],
  ]);
  expect(await dataOf(undo(member, done.undo))).toMatchObject({ restored: 1, removed: 1 });
  expect(await listOf(member)).toEqual(before);
  expect((await refusalOf(undo(member, done.undo))).status).toBe(404);
});

test("repeating the same import changes nothing", async () => {
  const member = await newMember();
  const file = engawaFile({ mal_id: titleA, type: "Completed", progress: 12, score: 9.5, notes: "Fin" });
  await importList(member, file);
  const once = await listOf(member);
  expect(await importList(member, file)).toMatchObject({ added: [], changed: [], undo: null });
  expect(await listOf(member)).toEqual(once);
});

test("an entry in both keeps the later list status and higher progress, and its score unless scores=replace", async () => {
  const member = await newMember();
  await add(member, { animeId: titleA, type: "Completed", progress: 10, score: 6, notes: "mine" });
  const file = engawaFile({ mal_id: titleA, type: "To Watch", progress: 2, score: 9, notes: "theirs" });
  expect(await importList(member, file)).toMatchObject({ changed: [], unchanged: [{ mal_id: titleA }] });
  expect(await importList(member, file, "?scores=replace")).toMatchObject({
    changed: [{ fields: ["score"] }],
  });
  expect(await listOf(member)).toMatchObject([{ type: "Completed", progress: 10, score: 9, notes: "mine" }]);
});

test("dropped titles come in as dropped, with and without dropped=1", async () => {
  const file = malFile(malEntry(titleA, "Dropped"));
  for (const query of ["", "?dropped=1", "?dropped=0"])
    expect(await importList(await newMember(), file, query)).toMatchObject({
      added: [{ mal_id: titleA, type: "Collection", state: "dropped" }],
      unmatched: [],
    });
});

test("importing a file again from before states existed sets the states of entries not changed since", async () => {
  const [member, ids] = [await newMember(), await Promise.all(Array.from({ length: 5 }, () => someTitle()))];
  const [changed, onHold, dropped, rewatched, merged] = ids as [number, number, number, number, number];
  await add(member, { animeId: merged, type: "To Watch" });
  // Such an old import mapped On-Hold to Watching, Dropped to Collection, and a rewatch to Completed.
  const asBefore = {
    [changed]: "Watching",
    [onHold]: "Watching",
    [dropped]: "Collection",
    [rewatched]: "Completed",
  };
  const types = { ...asBefore, [merged]: "Watching" };
  await importList(
    member,
    engawaFile(...ids.map((mal_id) => ({ mal_id, type: types[mal_id], progress: 4 }))),
  );
  await add(member, { animeId: changed, type: "Watching", notes: "again" });
  const rewatch = "<my_rewatching>1</my_rewatching><my_rewatching_ep>2</my_rewatching_ep>";
  const four = "<my_watched_episodes>4</my_watched_episodes>";
  const file = malFile(
    malEntry(changed, "On-Hold", four),
    malEntry(onHold, "On-Hold", four),
    malEntry(dropped, "Dropped", four),
    malEntry(rewatched, "Completed", four + rewatch),
    malEntry(merged, "On-Hold", four),
  );
  const states = async () =>
    Object.fromEntries((await listOf(member)).map(({ mal_id, state }) => [mal_id, state]));
  const expected = {
    [changed]: null,
    [onHold]: "on_hold",
    [dropped]: "dropped",
    [rewatched]: "rewatching",
    [merged]: "on_hold",
  };
  const done = await importList(member, file);
  expect(await states()).toEqual(expected);
  expect(await importList(member, file)).toMatchObject({ changed: [], undo: null });
  await add(member, { animeId: onHold, type: "Watching", state: null });
  await importList(member, file);
  expect(await states()).toEqual({ ...expected, [onHold]: null });
  await dataOf(undo(member, done.undo));
  expect(await states()).toEqual(Object.fromEntries(ids.map((id) => [id, null])));
});

test("an import from before ticks existed can still be undone", async () => {
  const member = await newMember();
  const done = await importList(member, engawaFile({ mal_id: titleB, type: "Watching", progress: 4 }));
  const old = {
    malId: titleB,
    type: "Watching",
    progress: 4,
    score: null,
    notes: "",
    startedOn: null,
    finishedOn: null,
  };
  await db.execute(
    sql`update import_undos set before = ${JSON.stringify([{ before: null, after: old }])}::text::jsonb where id = ${done.undo}::uuid`,
  );
  expect(await dataOf(undo(member, done.undo))).toMatchObject({ removed: 1 });
});

test("AniList JSON is imported from a gzipped file in a form and from a gzipped body", async () => {
  const member = await newMember();
  const entries = [
    { status: "PAUSED", progress: 4, score: 0, media: { idMal: titleA, title: { romaji: "A" } } },
  ];
  const file = JSON.stringify({ data: { MediaListCollection: { lists: [{ name: "Paused", entries }] } } });
  const form = new FormData();
  form.set("note", "beside it");
  form.set("file", new Blob([gzipSync(file)]), "list.json.gz");
  expect((await importList(member, form)).added).toMatchObject([
    { mal_id: titleA, type: "Watching", state: "on_hold", progress: 4, score: null },
  ]);
  const headers = { "Content-Type": "application/gzip" };
  const again = member.request(path, { method: "POST", body: gzipSync(file), headers });
  expect(await dataOf(again)).toMatchObject({ unchanged: [{ mal_id: titleA }] });
});

test("a local title is matched only if the file gives it no other name", async () => {
  const [same, different, unnamed] = [900_100_501, 900_100_502, 900_100_503] as const;
  await addTitles([same, different, unnamed], { title: "Kitchen Films" });
  const member = await newMember();
  const entry = (mal_id: number, title?: string) => ({ mal_id, title, type: "Watching", progress: 0 });
  const file = engawaFile(
    entry(same, "KITCHEN films!"),
    entry(different, "Horror Night"),
    entry(unnamed),
    entry(titleA, "Not its name"),
  );
  for (const report of [await importList(member, file, "?preview=1"), await importList(member, file)]) {
    expect(report.added.map(({ mal_id }) => mal_id)).toEqual([same, unnamed, titleA]);
    expect(report.unmatched).toEqual([
      { mal_id: different, title: "Horror Night", why: "is not the local title with this number here" },
    ]);
  }
  const own = await listOf(member);
  expect(own).toHaveLength(3);
  for (const format of ["json", "xml", "anilist"]) {
    const report = await importList(await newMember(), await exported(member, format));
    expect(report, format).toMatchObject({ added: { length: 3 }, unmatched: [] });
  }
});

test("progress beyond the number of episodes is clamped, and the report names the entry", async () => {
  const member = await newMember();
  const file = malFile(malEntry(titleA, "Watching", "<my_watched_episodes>500</my_watched_episodes>"));
  expect(await importList(member, file)).toMatchObject({
    added: [{ mal_id: titleA, progress: 12 }],
    clamped: [{ mal_id: titleA, title: `Title ${titleA}`, progress: 500, episodes: 12 }],
  });
  expect(await listOf(member)).toMatchObject([{ progress: 12 }]);
});

test("the progress of a rewatch is clamped too, and the ticked episodes stay", async () => {
  const member = await newMember();
  const rewatch = { type: "Watching", state: "rewatching", rewatch_progress: 500 };
  const ticks = [
    [1, 3],
    [5, 5],
  ];
  const file = engawaFile({ mal_id: titleA, ...rewatch, progress: 5, ticks });
  expect(await importList(member, file)).toMatchObject({
    added: [{ mal_id: titleA, state: "rewatching", progress: 5 }],
    clamped: [{ mal_id: titleA, title: `Title ${titleA}`, progress: 500, episodes: 12 }],
  });
  expect(await listOf(member)).toMatchObject([{ progress: 5, rewatch_progress: 12 }]);
  expect(JSON.parse(await exported(member)).entries).toMatchObject([{ ticks }]);
});

test("a list with a control character in a comment is imported, and a manga list gets 400 that says so", async () => {
  const member = await newMember();
  const file = malFile(malEntry(titleA, "Watching", "<my_comments>good\u000b one</my_comments>"));
  expect((await importList(member, file)).added).toMatchObject([{ mal_id: titleA }]);
  expect(await listOf(member)).toMatchObject([{ notes: "good one" }]);
  const manga = "<myanimelist><manga><manga_mangadb_id>1</manga_mangadb_id></manga></myanimelist>";
  expect(await refusalOf(send(member, manga))).toMatchObject({
    status: 400,
    error: expect.stringContaining("manga list from MyAnimeList"),
  });
});

test("an invalid UTF-8 byte costs one character, and a declared encoding is respected", async () => {
  const member = await newMember();
  const comment = malEntry(titleA, "Watching", "<my_comments>caf\u00e9</my_comments>");
  await importList(member, Buffer.from(malFile(comment), "latin1"));
  expect(await listOf(member)).toMatchObject([{ notes: "caf\ufffd" }]);
  const declared = malFile(comment.replaceAll(String(titleA), String(titleB))).replace(
    "UTF-8",
    "windows-1252",
  );
  await importList(member, Buffer.from(declared, "latin1"));
  expect((await listOf(member)).map(({ notes }) => notes).sort()).toEqual(["caf\u00e9", "caf\ufffd"]);
});

test("an undo keeps later changes and does not restore a removed entry", async () => {
  const [member, titleC] = [await newMember(), await someTitle()];
  await add(member, { animeId: titleA, type: "To Watch", progress: 1 });
  const file = engawaFile(
    { mal_id: titleA, type: "Watching", progress: 4, score: 7 },
    { mal_id: titleB, type: "Watching", progress: 2 },
    { mal_id: titleC, type: "Watching" },
  );
  const done = await importList(member, file);
  await add(member, { animeId: titleA, type: "Completed" });
  await add(member, { animeId: titleB, type: "Watching", progress: 3 });
  await member.request("/api/user/watchList", { method: "DELETE", json: { animeId: titleC } });
  await dataOf(undo(member, done.undo));
  expect((await listOf(member)).sort((one, other) => one.mal_id - other.mal_id)).toMatchObject([
    { mal_id: titleA, type: "Completed", progress: 1, score: null },
    { mal_id: titleB, type: "Watching", progress: 3 },
  ]);
});

test("undoing another member's import gets 404, and an invalid undo id gets 400", async () => {
  const member = await newMember();
  const done = await importList(member, engawaFile({ mal_id: titleA, type: "Watching" }));
  expect((await refusalOf(undo(refusedMember, done.undo))).status).toBe(404);
  expect(await listOf(member)).toHaveLength(1);
  for (const id of ["", "x", 7, null, undefined])
    expect((await refusalOf(undo(member, id))).status).toBe(400);
});

const anyEntry = fc.record({
  type: fc.constantFrom(...listStatuses),
  state: fc.option(fc.constantFrom(...entryStates)),
  rewatch_count: fc.integer({ min: 0, max: 9 }),
  rewatch_progress: fc.integer({ min: 0, max: 9 }),
  tags: fc.uniqueArray(fc.constantFrom("a", "B b", "縁側", "<&>"), { maxLength: 3 }),
  progress: fc.integer({ min: 0, max: 3000 }),
  score: fc.option(fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10)),
  notes: fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replaceAll("\0", "")),
  started_on: fc.option(fc.constantFrom("1999-12-31", "2024-02-29")),
  finished_on: fc.option(fc.constantFrom("2024-03-01")),
});
const withoutIds = (entries: Entry[]) => entries.map(({ id: _id, user_id: _user, ...entry }) => entry);

test("a JSON export imported into an empty account gives the same list, times and order", async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => someTitle()));
  await fc.assert(
    fc.asyncProperty(fc.array(anyEntry, { minLength: 1, maxLength: 6 }), async (entries) => {
      const [member, other] = [await newMember(), await newMember()];
      for (const [index, entry] of entries.entries()) await add(member, { animeId: ids[index], ...entry });
      await importList(other, await exported(member));
      expect(withoutIds(await listOf(other))).toEqual(withoutIds(await listOf(member)));
      expect(await exported(other)).toBe(await exported(member));
    }),
    { numRuns: 8 },
  );
});

test("single ticked episodes stay ticked in a JSON export and its import", async () => {
  const [member, other] = [await newMember(), await newMember()];
  const ticks = [
    [1, 3],
    [5, 5],
  ];
  await importList(member, engawaFile({ mal_id: titleA, type: "Watching", progress: 5, ticks }));
  await importList(other, await exported(member));
  expect(JSON.parse(await exported(other)).entries).toMatchObject([{ progress: 5, ticks }]);
  for (const odd of [[[1, 3]], [[5]], [[0, 5]], [[5, 1]], "x", [[1, 2.5]]]) {
    const reader = await newMember();
    await importList(reader, engawaFile({ mal_id: titleA, type: "Watching", progress: 5, ticks: odd }));
    expect(JSON.parse(await exported(reader)).entries).toMatchObject([{ progress: 5, ticks: [[1, 5]] }]);
  }
});

test("an XML export imports again, with Collection kept in a tag and scores as whole numbers", async () => {
  const [member, other] = [await newMember(), await newMember()];
  await add(member, { animeId: titleA, type: "Collection", score: 7.6, notes: "<&>]]>\r\n ✓" });
  await add(member, { animeId: titleB, type: "To Watch" });
  await importList(other, await exported(member, "xml"));
  const byId = async (visitor: Visitor) =>
    withoutIds(await listOf(visitor)).sort((a, b) => a.mal_id - b.mal_id);
  const plain = ({ mal_id, type, progress, notes }: Omit<Entry, "id">) => ({ mal_id, type, progress, notes });
  expect((await byId(other)).map(plain)).toEqual((await byId(member)).map(plain));
  expect((await byId(other))[0]).toMatchObject({ score: 8 });
});

test("an export for AniList imports again as the same list", async () => {
  const [member, other] = [await newMember(), await newMember()];
  const ids = await Promise.all(Array.from({ length: 3 }, () => someTitle({ episodes: 12 })));
  const [held, again, kept] = ids;
  const dates = { started_on: "2024-01-02", finished_on: "2024-02-03" };
  await add(member, { animeId: held, type: "Watching", state: "on_hold", progress: 5, tags: ["a", "b"] });
  await add(member, {
    animeId: again,
    type: "Completed",
    progress: 12,
    score: 7.5,
    rewatch_count: 2,
    ...dates,
  });
  await add(member, { animeId: again, type: "Watching", state: "rewatching", rewatch_progress: 4 });
  await add(member, { animeId: kept, type: "Collection", notes: "Hm ✓" });
  await importList(other, await exported(member, "anilist"));
  const plain = async (visitor: Visitor) =>
    withoutIds(await listOf(visitor))
      .map(({ added_at: _added, updated_at: _updated, ...entry }) => entry)
      .sort((one, another) => one.mal_id - another.mal_id);
  expect(await plain(other)).toEqual(await plain(member));
});

test("an export is a file that no cache may store, and it holds mature titles too", async () => {
  const [member, hidden] = [await newGrownUp(), await someTitle({ rating: "rx" })];
  await add(member, { animeId: hidden, type: "Watching" });
  await setParentalControl(member, true);
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

const entityBomb = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${"abcdefghij"[n + 1]} "${`&${"abcdefghij"[n]};`.repeat(10)}">`).join("")}]><myanimelist>${malEntry(1, "&j;")}</myanimelist>`;
const external = `<?xml version="1.0"?><!DOCTYPE l SYSTEM "http://169.254.169.254/"><myanimelist/>`;
const good = malFile(malEntry(titleA, "Completed"));
test.each<[string, BodyInit, number]>([
  ["an entity bomb", entityBomb, 400],
  ["an external document type", external, 400],
  ["a parameter entity", `<!DOCTYPE l [<!ENTITY % x SYSTEM "file:///etc/passwd">%x;]><myanimelist/>`, 400],
  ["50 MB of nested XML", "<a>".repeat(17_000_000), 413],
  ["deep XML", "<a>".repeat(1_000_000), 400],
  ["a list with deep XML in an entry", good.replace("</anime>", `${"<b>".repeat(100)}</anime>`), 400],
  ["a cut list", good.slice(0, -20), 400],
  ["a list that declares an unknown encoding", good.replace("UTF-8", "klingon"), 400],
  ["a truncated archive", gzipSync(good).subarray(0, 60), 400],
  ["a broken archive", Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(100, 7)]), 400],
  ["an archive that unpacks to 100 MiB", gzipSync(Buffer.alloc(100 * 1024 * 1024)), 413],
  ["JSON that would fill the memory", `[${"{},".repeat(5_000_000)}{}]`, 413],
  ["deeply nested JSON", "[".repeat(5_000_000), 413],
  ["cut JSON", '{"format":"engawa-list","entries":[{"mal_id":', 400],
  ["other JSON", '{"hello":"world"}', 400],
  ["an unknown format", '{"format":"engawa-accounts"}', 400],
  ["a picture", Buffer.from("iVBORw0KGgoAAAANSUhEUg==", "base64"), 400],
  ["HTML", "<!doctype html><html></html>", 400],
  ["an empty file", "", 400],
])("%s is refused and changes nothing", async (_, body, status) => {
  for (const query of ["", "?preview=1"])
    expect((await refusalOf(send(refusedMember, body, query))).status).toBe(status);
  expect(await listOf(refusedMember)).toEqual(untouched);
});

test("a form without a file, another content type or an unknown option is refused and changes nothing", async () => {
  const empty = new FormData();
  empty.set("other", new Blob([good]), "list.xml");
  expect((await refusalOf(send(refusedMember, empty))).status).toBe(400);
  const headers = { "Content-Type": "multipart/form-data" };
  const noBoundary = refusedMember.request(path, { method: "POST", body: good, headers });
  expect((await refusalOf(noBoundary)).status).toBe(400);
  const cut = { "Content-Type": "multipart/form-data; boundary=x" };
  const unclosed = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n<myanime';
  expect(
    (await refusalOf(refusedMember.request(path, { method: "POST", body: unclosed, headers: cut }))).status,
  ).toBe(400);
  const large = new FormData();
  large.set("file", new Blob([Buffer.alloc(33 * 1024 * 1024, " ")]), "list.xml");
  expect((await refusalOf(send(refusedMember, large))).status).toBe(413);
  const picture = { "Content-Type": "image/png" };
  const refusal = await refusalOf(
    refusedMember.request(path, { method: "POST", body: good, headers: picture }),
  );
  expect(refusal).toMatchObject({ status: 415, error: expect.stringContaining("multipart/form-data") });
  for (const query of ["?preview=maybe", "?scores=all", "?dropped=2"])
    expect((await refusalOf(send(refusedMember, good, query))).status).toBe(400);
  expect(await listOf(refusedMember)).toEqual(untouched);
});

test("imports, list changes and progress reports at once all get 200, and the highest progress stays", async () => {
  const member = await newMember();
  const ids = await Promise.all(Array.from({ length: 20 }, () => someTitle({ episodes: 50 })));
  const file = engawaFile(...ids.map((mal_id) => ({ mal_id, type: "Watching", progress: 2 })));
  const watch = (mal_id: number, ep: number) =>
    member.request("/api/user/progress", {
      method: "PUT",
      json: { mal_id, ep, position: 95, duration: 100 },
    });
  const put = (animeId: number) =>
    member.request("/api/user/watchList", { json: { animeId, type: "watching", progress: 7 } });
  const importFile = () => send(member, file);
  const watchAll = (ep: number) => ids.map((id) => () => watch(id, ep));
  const all = [importFile, ...ids.map((id) => () => put(id)), ...watchAll(9), importFile];
  expect((await inThrees(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
  await inThrees([importFile, ...watchAll(11)]);
  expect((await listOf(member)).map(({ progress }) => progress)).toEqual(ids.map(() => 11));
});

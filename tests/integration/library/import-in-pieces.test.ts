import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type SQL, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { deleteOldest } from "#app/domain/library/history/watch-history.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { db } from "#db/client.server.ts";
import { watchProgress } from "#db/schema/library.ts";
import { addTitles } from "#tests/support/data/database-rows.ts";
import { whileRefused } from "#tests/support/database/refused-writes.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";

/** An uploaded file is on disk, and its import reads it in pieces of 128 KiB, in one transaction. */

const ids = Array.from({ length: 1500 }, (_, at) => 21_000_000 + at);
const entries = ids.map((mal_id) => ({
  mal_id,
  type: "Watching",
  progress: 1,
  notes: `${mal_id} ${"n".repeat(500)}`,
}));
const file = (list: object[]) => JSON.stringify({ format: "engawa-list", version: 1, entries: list });

beforeAll(() => addTitles(ids));

type Report = Record<"added" | "changed" | "unchanged" | "unmatched", { mal_id: number }[]> & {
  undo: string | null;
};
const send = (member: Visitor, body: string, query = "") =>
  member.request(`/api/user/watchList/import${query}`, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json" },
  });
const importFile = (member: Visitor, list: object[], query = "") =>
  dataOf<Report>(send(member, file(list), query));
const listOf = (member: Visitor) =>
  dataOf<{ mal_id: number; progress: number; notes: string }[]>(member.request("/api/user/watchList"));
const uploads = () => readdirSync(join(env.DATA_DIR, "uploads"));

/** Calls `work`, and returns these columns of the rows that each of the statements changed meanwhile. */
async function statementsOf(statements: string, columns: string, work: () => Promise<unknown>) {
  await db.execute(
    sql.raw(`
    create table noted (statement jsonb);
    create function note() returns trigger language plpgsql as 'begin
      insert into noted select to_jsonb(one) from (select ${columns} from changed) as one; return null; end';
    create trigger note after ${statements} table as changed for each statement execute function note()`),
  );
  try {
    await work();
    const rows = await db.execute<{ statement: Record<string, number> }>(sql`select statement from noted`);
    return rows.map(({ statement }) => statement);
  } finally {
    await db.execute("drop function note cascade; drop table noted");
  }
}

test("a list of many pieces is previewed, imported and undone as a whole", async () => {
  const member = await newMember();
  const changed = ids.slice(0, 3);
  await importFile(
    member,
    changed.map((mal_id) => ({ mal_id, type: "To Watch", notes: "mine" })),
  );
  const before = await listOf(member);
  const unknown = { mal_id: 29_999_999, type: "Watching", title: "Nowhere" };
  // The last entry is the first title once more, with a later episode.
  const list = [...entries, unknown, { mal_id: ids[0], type: "Watching", progress: 2 }];

  const preview = await importFile(member, list, "?preview=1");
  expect(preview.undo).toBeNull();
  expect(await listOf(member)).toEqual(before);

  const done = await importFile(member, list);
  expect({ ...done, undo: null }).toEqual(preview);
  expect(done.added).toHaveLength(ids.length - changed.length);
  expect(done.changed.map(({ mal_id }) => mal_id)).toEqual(changed);
  expect(done.unmatched).toMatchObject([{ mal_id: unknown.mal_id }]);
  const imported = new Map((await listOf(member)).map((entry) => [entry.mal_id, entry]));
  expect(imported.size).toBe(ids.length);
  expect(imported.get(ids[0]!)).toMatchObject({ progress: 2, notes: "mine" });
  expect(imported.get(ids.at(-1)!)).toMatchObject(entries.at(-1)!);

  const again = await importFile(member, list);
  expect(again).toMatchObject({ added: [], changed: [], undo: null });

  const undo = { undo: done.undo };
  expect(await dataOf(member.request("/api/user/watchList/import/undo", { json: undo }))).toMatchObject({
    restored: changed.length,
    removed: ids.length - changed.length,
  });
  expect(await listOf(member)).toEqual(before);
  expect((await member.request("/api/user/watchList/import/undo", { json: undo })).status).toBe(404);
});

test("an import that fails at its last piece changes nothing", async () => {
  const member = await newMember();
  await whileRefused("insert on watch_list", `new.mal_id = ${ids.at(-1)}`, async () =>
    expect((await refusalOf(send(member, file(entries)))).status).toBe(500),
  );
  expect(await listOf(member)).toEqual([]);
  expect(await db.execute(sql`select from import_undos where user_id = ${member.id}::uuid`)).toHaveLength(0);
});

test("the newest five imports can be undone, however many pieces they had", async () => {
  const member = await newMember();
  const undos: (string | null)[] = [];
  for (let times = 1; times <= 7; times++) {
    const list = entries.slice(0, 700).map((entry) => ({ ...entry, progress: times }));
    undos.push((await importFile(member, list)).undo);
  }
  const kept = await db.execute<{ imports: number }>(sql`
    select count(distinct created_at)::int as imports from import_undos where user_id = ${member.id}::uuid`);
  expect(kept).toMatchObject([{ imports: 5 }]);
  const newest = { undo: undos.at(-1) };
  expect(await dataOf(member.request("/api/user/watchList/import/undo", { json: newest }))).toMatchObject({
    restored: 700,
  });
  expect((await listOf(member))[0]?.progress).toBe(6);
});

test("two imports that began in the same millisecond are undone separately", async () => {
  const member = await newMember();
  const halves = [entries.slice(0, 700), entries.slice(700)];
  const first = await importFile(member, halves[0]!);
  await importFile(member, halves[1]!);
  await db.execute(sql`update import_undos set created_at = now() where user_id = ${member.id}::uuid`);
  expect(
    await dataOf(member.request("/api/user/watchList/import/undo", { json: { undo: first.undo } })),
  ).toMatchObject({ restored: 0, removed: halves[0]!.length });
  expect(await listOf(member)).toHaveLength(halves[1]!.length);
});

const unknown = Array.from({ length: 12_000 }, (_, at) => ({
  mal_id: 30_000_000 + at,
  type: "Watching",
  title: `A title of this name is in no catalog, "${at}"`,
}));
/** The uploaded files that this process holds open. None has a name. */
const openUploads = () =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(join("/proc/self/fd", fd)).startsWith(join(env.DATA_DIR, "uploads"));
    } catch {
      return false;
    }
  });

test.each([
  ["list", "/api/user/watchList/import?preview=1", { format: "engawa-list", entries: unknown }],
  ["account", "/api/user/import", { format: "engawa-account", watch_list: unknown, security_events: [] }],
])(
  "the report of a long %s is sent in parts, and its reader delays no other import",
  async (_, path, body) => {
    const member = await newMember();
    const headers = { "Content-Type": "application/json" };
    const response = await member.request(path, { method: "POST", body: JSON.stringify(body), headers });
    const reader = response.body!.getReader();
    const parts = [(await reader.read()).value!];
    expect(openUploads()).toHaveLength(1);
    expect(await importFile(member, entries.slice(0, 1))).toMatchObject({ added: [{ mal_id: ids[0] }] });
    for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);

    expect(Math.max(...parts.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(256 * 1024);
    const { data } = JSON.parse(Buffer.concat(parts).toString());
    const { unmatched, ...others } = path.includes("watchList") ? data : data.watch_list;
    expect(unmatched).toEqual(
      unknown.map(({ mal_id, title }) => ({ mal_id, title, why: "is not in this catalog" })),
    );
    expect(others).toEqual({ added: [], changed: [], unchanged: [], clamped: [], hidden: 0, undo: null });
    await expect.poll(openUploads).toEqual([]);
  },
);

test("a reader who leaves a long report leaves no open file", async () => {
  const member = await newMember();
  const response = await send(member, file(unknown), "?preview=1");
  await response.body!.cancel();
  await expect.poll(openUploads).toEqual([]);
});

test("no uploaded file has a name, and none is left over", async () => {
  const member = await newMember();
  const importing = importFile(member, entries);
  const refused = send(member, "no list");
  expect(uploads()).toEqual([]);
  await Promise.all([importing, refused]);
  expect(uploads()).toEqual([]);
});

test("an import of few bytes about entries with long notes is stored and undone in small parts", async () => {
  const member = await newMember();
  const few = ids.slice(0, 40);
  await importFile(
    member,
    few.map((mal_id) => ({ mal_id, type: "Watching", notes: "語".repeat(10_000) })),
  );
  await db.execute(sql`delete from import_undos where user_id = ${member.id}::uuid`);
  const before = await listOf(member);
  const change = few.map((mal_id) => ({ mal_id, type: "Watching", rewatch_count: 3 }));
  const { changed, undo } = await importFile(member, change);
  expect(changed).toHaveLength(few.length);
  const [stored] = await db.execute<{ bytes: number; entries: number }>(sql`
    select max(octet_length(before::text)) as bytes, sum(jsonb_array_length(before))::int as entries
    from import_undos where user_id = ${member.id}::uuid`);
  expect(stored?.entries).toBe(few.length);
  expect(stored?.bytes).toBeLessThan(512 * 1024);
  const undone = member.request("/api/user/watchList/import/undo", { json: { undo } });
  expect(await dataOf(undone)).toMatchObject({ restored: few.length, removed: 0 });
  expect(await listOf(member)).toEqual(before);
});

test("an undo writes entries that got long notes since in small parts", async () => {
  const member = await newMember();
  const few = ids.slice(0, 40);
  const entriesWith = (rewatch_count: number) =>
    few.map((mal_id) => ({ mal_id, type: "Watching", rewatch_count }));
  await importFile(member, entriesWith(0));
  const { undo } = await importFile(member, entriesWith(3));
  await db.execute(sql`update watch_list set notes = repeat('語', 10000) where user_id = ${member.id}::uuid`);
  const undone = () => member.request("/api/user/watchList/import/undo", { json: { undo } });
  const columns = "count(*) as entries, sum(octet_length(notes)) as bytes";
  const parts = await statementsOf("update on watch_list referencing new", columns, async () =>
    expect(await dataOf(undone())).toMatchObject({ restored: few.length, removed: 0 }),
  );
  // Four long notes are 120,000 bytes.
  expect(parts.filter((part) => part.entries !== 0)).toEqual(Array(10).fill({ entries: 4, bytes: 120_000 }));
});

test("the oldest searches are deleted after each piece of an account's file", async () => {
  const member = await newMember();
  const searches = Array.from({ length: 3000 }, (_, at) => ({
    query: `${at} ${"q".repeat(500)}`,
    timestamp: new Date(1_600_000_000_000 + at).toISOString(),
  }));
  const body = JSON.stringify({ format: "engawa-account", search_history: searches });
  const deleted = await statementsOf("delete on search_history referencing old", "count(*)", () =>
    dataOf(member.request("/api/user/import", { method: "POST", body })),
  );
  const counts = deleted.map(({ count = 0 }) => count);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2500);
  expect(Math.max(...counts)).toBeLessThan(500);
  const kept = await dataOf<{ query: string }[]>(member.request("/api/user/searchHistory?limit=1"));
  expect(kept).toMatchObject([{ query: searches.at(-1)!.query }]);
});

test("the oldest views are deleted once for many pieces of an account's file", async () => {
  const member = await newMember();
  // In parts, because a statement has a time limit.
  for (let first = 1; first < 100_000; first += 10_000)
    await db.execute(sql`
      insert into watch_history (user_id, mal_id, episode, watched_at)
      select ${member.id}::uuid, ${ids[0]!}::int, episode, timestamptz '2024-01-01' + episode * interval '1 second'
      from generate_series(${first}::int, ${first + 9999}::int) as episode`);
  const watch_history = Array.from({ length: 6000 }, (_, at) => ({
    mal_id: ids[1 + (at % 1000)],
    ep: 1 + Math.floor(at / 1000),
    watched_at: "2023-01-01T00:00:00.000Z",
  }));
  const body = JSON.stringify({ format: "engawa-account", watch_history });
  const deleted = await statementsOf("delete on watch_history referencing old", "count(*)", async () => {
    const imported = member.request("/api/user/import", { method: "POST", body });
    expect((await dataOf<{ skipped: object[] }>(imported)).skipped).toMatchObject([
      { why: "6,000 of the oldest removed: a profile keeps the newest 100,000" },
    ]);
  });
  expect(deleted).toEqual([{ count: 6000 }]);
});

test("the oldest resume points are looked for once, also of a profile that the database's statistics do not know", async () => {
  const [known, fresh] = [await newMember(), await newMember()];
  const add = ({ id }: { id: string }) =>
    db.execute(sql`
      insert into watch_progress (user_id, mal_id, episode, position, duration, at)
      select ${id}::uuid, ${ids[0]!}::int, episode, 60, 1400, timestamptz '2024-01-01' + episode * interval '1 second'
      from generate_series(1, 500) as episode`);
  await add(known);
  await db.execute(sql`analyze watch_progress`);
  await add(fresh);
  const plans: object[] = [];
  const explained = {
    async execute(query: SQL) {
      const rows = await db.execute(sql`explain (analyze, timing off, format json) ${query}`);
      plans.push(rows);
      return rows;
    },
  };
  await deleteOldest(watchProgress, fresh.id, explained as unknown as typeof db);
  const loops = [...JSON.stringify(plans).matchAll(/"Actual Loops":(\d+)/g)].map(([, count]) =>
    Number(count),
  );
  expect(loops.length).toBeGreaterThan(2);
  expect(Math.max(...loops)).toBe(1);
});

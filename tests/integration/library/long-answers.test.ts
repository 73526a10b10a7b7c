import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { promisify } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { countEntryTags, findTitleEntries, getTitleStates } from "#app/domain/library/library.server.ts";
import { anybody } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { securityEvents } from "#db/schema/events.ts";
import { watchList } from "#db/schema/library.ts";
import { settled, until } from "#tests/support/checks/wait-until.ts";
import { addTitles } from "#tests/support/data/database-rows.ts";
import { bytesReadBy } from "#tests/support/database/bytes-read.ts";
import { lockTables } from "#tests/support/database/lock-tables.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, openSession, Visitor } from "#tests/support/requests/visitor.ts";
import { listen, open } from "#tests/support/site/on-port.ts";

/** Exports and whole lists are produced page by page, as fast as their clients read. */

const firstId = 20_000_000;
const ids = Array.from({ length: 400 }, (_, at) => firstId + at);
/** Notes whose text triples in a file: JSON escapes the first half, XML the second. In total 11 MB or more. */
const note = "\u0001".repeat(4500) + "&".repeat(5500);
const maxPartBytes = 256 * 1024;

const { server, origin } = await listen();

beforeAll(() => addTitles(ids));

async function memberWithLongList() {
  const member = await newMember();
  await db.insert(watchList).values(
    ids.map((malId, at) => ({
      userId: member.id,
      malId,
      type: "Watching" as const,
      notes: note,
      addedAt: new Date(1_700_000_000_000 + at),
      updatedAt: new Date(1_700_000_000_000 + at),
    })),
  );
  return member;
}

const files = {
  "/api/user/export": (text: string) => idsIn(JSON.parse(text).watch_list),
  "/api/user/watchList/export?format=json": (text: string) => idsIn(JSON.parse(text).entries),
  "/api/user/watchList/export?format=anilist": (text: string) =>
    (
      JSON.parse(text).data.MediaListCollection.lists as { entries: { media: { idMal: number } }[] }[]
    ).flatMap(({ entries }) => entries.map(({ media }) => media.idMal)),
  "/api/user/watchList/export?format=xml": (text: string) =>
    [...text.matchAll(/<series_animedb_id>(\d+)</g)].map(([, id]) => Number(id)),
  "/api/user/watchList": (text: string) => idsIn(JSON.parse(text).data).reverse(),
};

const idsIn = (entries: { mal_id: number }[]) => entries.map(({ mal_id }) => mal_id);

async function startReading(member: Visitor, path: string) {
  const response = await member.request(path);
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  const parts: Uint8Array[] = [];
  const readPart = async () => {
    const { done, value } = await reader.read();
    if (value) parts.push(value);
    return !done;
  };
  return {
    parts,
    readPart,
    async readRest() {
      while (await readPart());
      return Buffer.concat(parts).toString();
    },
    leave: () => reader.cancel(),
  };
}

test.each(Object.entries(files))(
  "%s has each entry once, in parts of at most 256 KiB",
  async (path, read) => {
    const reading = await startReading(await memberWithLongList(), path);
    const text = await reading.readRest();
    expect(read(text)).toEqual(ids);
    expect(reading.parts.length).toBeGreaterThan(2);
    expect(Math.max(...reading.parts.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(maxPartBytes);
  },
);

test.each(Object.entries(files))(
  "%s makes no page before its client has read the previous one",
  async (path, read) => {
    const member = await memberWithLongList();
    const reading = await startReading(member, path);
    await reading.readPart();
    await db.delete(watchList).where(sql`user_id = ${member.id}::uuid`);
    const found = read(await reading.readRest());
    // The entries of the first piece.
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(ids.length / 4);
  },
);

test("a list that changes while it is read has every entry that stays on it exactly once", async () => {
  const member = await memberWithLongList();
  const reading = await startReading(member, "/api/user/watchList");
  await reading.readPart();
  const [removed, changed] = [ids[5]!, ids.filter((id) => id % 3 === 0)];
  await db.execute(sql`
    update watch_list set notes = 'changed', updated_at = now() where user_id = ${member.id}::uuid and mal_id % 3 = 0`);
  await db.execute(sql`delete from watch_list where user_id = ${member.id}::uuid and mal_id = ${removed}`);
  const { data } = JSON.parse(await reading.readRest()) as { data: { mal_id: number; notes: string }[] };
  expect(idsIn(data).reverse()).toEqual(ids.filter((id) => id !== removed));
  // Pages made after the change contain its result.
  expect(data.find(({ mal_id }) => mal_id === changed[0])?.notes).toBe("changed");
});

test("entries that leave the selection while it is read hide none of the later ones", async () => {
  const member = await memberWithLongList();
  const reading = await startReading(member, "/api/user/watchList?type=watching");
  await reading.readPart();
  // More than a page of neighboring entries.
  const [from, to] = [ids[150]!, ids[250]!];
  await db.execute(sql`
    update watch_list set type = 'Completed' where user_id = ${member.id}::uuid and mal_id between ${from} and ${to}`);
  const { data } = JSON.parse(await reading.readRest()) as { data: { mal_id: number }[] };
  expect(idsIn(data).reverse()).toEqual(ids.filter((id) => id < from || id > to));
});

test("an account has one export at a time, and a second request is refused until the first ends", async () => {
  const member = await memberWithLongList();
  const reading = await startReading(member, "/api/user/export");
  for (const path of ["/api/user/export", "/api/user/watchList/export"]) {
    const second = await member.request(path);
    expect(second.status).toBe(503);
    expect(Number(second.headers.get("Retry-After"))).toBeGreaterThan(0);
    await refusalOf(Promise.resolve(second));
  }
  // Other accounts, and this member's list, are not refused.
  expect((await (await newMember()).request("/api/user/export")).status).toBe(200);
  expect((await member.request("/api/user/watchList?type=completed")).status).toBe(200);
  await reading.leave();
  await until(async () => (await member.request("/api/user/export", { method: "GET" })).status === 200);
});

test("an export is recorded once it begins; a refused one and HEAD are not recorded", async () => {
  const member = await memberWithLongList();
  const recorded = () =>
    db.$count(
      securityEvents,
      and(eq(securityEvents.userId, member.id), eq(securityEvents.kind, "account_exported")),
    );
  const listExport = await startReading(member, "/api/user/watchList/export");
  expect((await member.request("/api/user/export")).status).toBe(503);
  expect(await recorded()).toBe(0);
  await listExport.readRest();
  expect((await member.request("/api/user/export", { method: "HEAD" })).status).toBe(200);
  expect(await recorded()).toBe(0);
  await (await startReading(member, "/api/user/export")).readRest();
  expect(await recorded()).toBe(1);
});

test("an export read to its end frees its account for the next one", async () => {
  const member = await memberWithLongList();
  for (let times = 0; times < 3; times++)
    await (await startReading(member, "/api/user/watchList/export")).readRest();
});

const connections = () => promisify(server.getConnections.bind(server))();

const openAnswer = (member: Visitor, path: string) =>
  open(origin + path, { headers: { Cookie: member.cookieHeader } });

/** The open transactions that run nothing. */
async function openTransactions(): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    select pid || ' ' || xact_start as name from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`);
  return rows.map(({ name }) => name);
}

test("while the client reads nothing, its answer holds no database transaction", async () => {
  const member = await memberWithLongList();
  const answer = await openAnswer(member, "/api/user/export");
  answer.pause();
  await settled(() => answer.socket.bytesRead);
  // The site's other work ends its transactions meanwhile. The database itself would end one held for seconds.
  let held = await openTransactions();
  for (let round = 0; round < 100 && held.length > 0; round++) {
    const now = await openTransactions();
    held = held.filter((name) => now.includes(name));
  }
  expect(held).toEqual([]);
  answer.resume();
  await once(answer, "close");
  expect(answer.complete).toBe(true);
});

test("a client that leaves ends its export, and its account may start another", async () => {
  const member = await memberWithLongList();
  const answer = await openAnswer(member, "/api/user/export");
  answer.destroy();
  await until(async () => {
    const next = await openAnswer(member, "/api/user/export");
    next.destroy();
    return next.statusCode === 200;
  });
});

test("a client that leaves before its export begins does not keep its account from starting another", async () => {
  const member = await memberWithLongList();
  const unlock = await lockTables("watch_list");
  const asked = sendRequest(`${origin}/api/user/export`, {
    agent: false,
    headers: { Cookie: member.cookieHeader },
  }).end();
  asked.on("error", () => {});
  await untilQueriesWait();
  asked.destroy();
  await until(async () => (await connections()) === 0);
  await unlock();
  await until(async () => (await member.request("/api/user/export")).status === 200);
});

test("if a page in the middle cannot be read, the connection breaks, and the answer is incomplete", async () => {
  for (const path of Object.keys(files)) {
    const member = await memberWithLongList();
    const answer = await openAnswer(member, path);
    expect(answer.statusCode).toBe(200);
    await db.execute(sql`alter table watch_list rename to watch_list_away`);
    try {
      const ended = new Promise((resolve) => answer.once("close", resolve));
      answer.resume();
      await ended;
    } finally {
      await db.execute(sql`alter table watch_list_away rename to watch_list`);
    }
    expect(answer.complete).toBe(false);
  }
});

test("if the first page cannot be read, the answer is an error like any other", async () => {
  const member = await memberWithLongList();
  await db.execute(sql`alter table watch_list rename to watch_list_away`);
  const errors: unknown[] = [];
  try {
    for (const path of Object.keys(files)) errors.push((await refusalOf(member.request(path))).status);
  } finally {
    await db.execute(sql`alter table watch_list_away rename to watch_list`);
  }
  expect(errors).toEqual([500, 500, 500, 500, 500]);
});

test("the lists of one account take at most its share of the places", async () => {
  const member = await memberWithLongList();
  const readings = await Promise.all(
    Array.from({ length: 12 }, async () => {
      // A different address each time, so that the address's share is not the reason for the refusal.
      const elsewhere = new Visitor();
      await openSession(elsewhere, member.id);
      return elsewhere.request("/api/user/watchList");
    }),
  );
  expect(readings.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(9).fill(503)]);
  for (const { body } of readings) await body?.cancel();
});

test("the tags of a list are counted up to 100,000", async () => {
  const { id } = await newMember();
  const tags = sql`(select array_agg('tag ' || number) from generate_series(1, 50) as number)`;
  await db.execute(sql`insert into titles (mal_id, title, title_key)
    select id, 'Tagged ' || id, 'tagged ' || id from generate_series(23000001, 23002001) as id`);
  await db.execute(sql`insert into watch_list (user_id, mal_id, type, tags)
    select ${id}::uuid, id, 'Watching', ${tags} from generate_series(23000001, 23002001) as id`);
  const counts = [...(await countEntryTags(id, anybody)).values()];
  expect(counts).toHaveLength(50);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100_000);
});

test("a list with 20,000 different tags offers 2,000 of them, and each entry keeps its own", async () => {
  const member = await newMember();
  const tagsOf = (malId: number) => Array.from({ length: 50 }, (_, at) => `tag ${malId} ${at}`);
  await db
    .insert(watchList)
    .values(
      ids.map((malId) => ({ userId: member.id, malId, type: "Watching" as const, tags: tagsOf(malId) })),
    );
  const page = await (await member.request("/list")).text();
  const [, offered = ""] = /<select[^>]* name="tag"[^>]*>(.*?)<\/select>/s.exec(page) ?? [];
  expect(offered.split("<option").length - 2).toBe(2000);
  const last = ids.find((malId) => !offered.includes(`tag ${malId} 0`)) ?? 0;
  expect(await (await member.request(`/list?edit=${last}`)).text()).toContain(tagsOf(last).join(", "));
});

test("the search history has the newest searches, newest first", async () => {
  const member = await newMember();
  await db.execute(sql`
    insert into search_history (user_id, query, searched_at)
    select ${member.id}::uuid, number || repeat('x', 990), timestamptz '2026-01-01' + number / 2 * interval '1 second'
    from generate_series(1, 130) as number`);
  const all = await dataOf<{ id: string; query: string; timestamp: string }[]>(
    member.request("/api/user/searchHistory"),
  );
  expect(new Set(all.map(({ id }) => id)).size).toBe(130);
  expect(all.map(({ timestamp }) => timestamp)).toEqual(
    all
      .map(({ timestamp }) => timestamp)
      .sort()
      .reverse(),
  );
  expect(await dataOf(member.request("/api/user/searchHistory?limit=70"))).toEqual(all.slice(0, 70));
});

test("the states of cards are read without notes, tags and ticks", async () => {
  const member = await memberWithLongList();
  const read = async () => {
    const found = await findTitleEntries(member.id, ids);
    const { listed } = await getTitleStates(member.id, ids);
    expect([found.size, listed.size]).toEqual([ids.length, ids.length]);
  };
  expect(await bytesReadBy(read)).toBeLessThan(2 * ids.length * 200);
});

test("My list and My page read the tags of the shown entries only", async () => {
  const member = await newMember();
  const tags = Array.from({ length: 50 }, (_, at) => `${"語".repeat(50)} ${at}`);
  await db
    .insert(watchList)
    .values(ids.map((malId) => ({ userId: member.id, malId, type: "Watching" as const, tags })));
  const bytes = await bytesReadBy(async () => {
    for (const path of ["/list", "/profile"]) expect((await member.request(path)).status).toBe(200);
  });
  const perEntry = JSON.stringify(tags).length;
  expect(bytes).toBeLessThan(60 * perEntry + 2 * ids.length * 1000);
  const page = await (await member.request(`/list?tag=${encodeURIComponent(tags[0]!)}`)).text();
  expect(page).toContain(tags[49]);
});

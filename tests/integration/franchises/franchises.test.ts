import { eq, gte, inArray, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { editTitle, listEdits, undoEdit } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { catalogVersion, changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";
import { createLocalTitle, replaceLocalTitle } from "#app/domain/local-titles/local-titles.server.ts";
import { db } from "#db/client.server.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import { relationRecords } from "#db/schema/edits.ts";
import {
  franchiseConnections,
  franchiseRedirects,
  franchiseState,
  franchises,
  franchiseTitles,
} from "#db/schema/franchises.ts";
import { householdTitles } from "#db/schema/library.ts";
import { exportedText } from "#tests/support/data/catalog-text.ts";
import { someUser } from "#tests/support/data/database-rows.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { chooseTitle, newChild } from "#tests/support/requests/household.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newGrownUp, newMember, Visitor } from "#tests/support/requests/visitor.ts";
import { request } from "#tests/support/site/in-process.ts";

/** Franchises follow imports and edits, keep their numbers, and show each viewer only the titles that this viewer sees. */

const record = (malId: number, year: number, fields: object = {}) => ({
  kind: "title",
  mal_id: malId,
  title: `Lantern ${malId}`,
  type: "TV",
  episodes: 12,
  duration: "24 min per ep",
  rating: "pg",
  aired_from: `${year}-04-01T00:00:00+00:00`,
  status: "Finished Airing",
  ...fields,
});
const relation = (from: number, to: number, kind: string) => ({ kind: "relation", from, to, relation: kind });

/** Five parts: the third one is mature, the fifth a summary of the first. */
const lantern = [
  record(1, 2001),
  record(2, 2003),
  record(3, 2005, { rating: "rx" }),
  record(4, 2007),
  record(5, 2004, {
    type: "Movie",
    episodes: 1,
    duration: "1 hr 30 min",
    synopsis: "Recap of episodes 1–8.",
  }),
  relation(1, 2, "sequel"),
  relation(2, 3, "sequel"),
  relation(3, 4, "sequel"),
  relation(1, 5, "summary"),
];
const harbour = [record(11, 2011), record(12, 2013), relation(11, 12, "sequel")];

beforeEach(async () => {
  await db.delete(householdTitles);
  await db.delete(titles);
  await db.delete(franchises);
  await importTitles([...lantern, ...harbour]);
});

type FranchiseData = {
  id: number;
  name: string;
  main_parts: number;
  titles: { mal_id: number; story: number; released: number; main_part: number | null; summary: unknown }[];
  connected: { id: number; mal_id: number }[];
};
async function answered(answer: Promise<Response>): Promise<FranchiseData | null> {
  const response = await answer;
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: FranchiseData | null }).data;
}
const franchiseOf = (malId: number, visitor = new Visitor(), query = "") =>
  answered(visitor.request(`/api/animes/franchise?id=${malId}${query}`));
const numbersOf = async (...args: Parameters<typeof franchiseOf>) =>
  (await franchiseOf(...args))?.titles.map(({ mal_id }) => mal_id) ?? null;
const everything = "&parental_control=false";
const operator = async () => ({ kind: "operator", ip: null, operatorId: await someUser() }) as const;

describe("the endpoint", () => {
  test("tells the places in both orders, the main line and what may be skipped", async () => {
    const data = await franchiseOf(2, await newGrownUp(), everything);
    expect(data).toMatchObject({ name: "Lantern 1", main_parts: 4, connected: [] });
    expect(data?.titles).toMatchObject([
      { mal_id: 1, story: 1, released: 1, mark: "main", main_part: 1, minutes: 288, summary: null },
      {
        mal_id: 5,
        story: 2,
        released: 3,
        mark: "summary",
        main_part: null,
        minutes: 90,
        summary: { of: 1, until_episode: 8 },
      },
      { mal_id: 2, story: 3, released: 2, mark: "main", main_part: 2 },
      { mal_id: 3, story: 4, released: 4, mark: "main", main_part: 3 },
      { mal_id: 4, story: 5, released: 5, mark: "main", main_part: 4 },
    ]);
  });

  test("counts only what the viewer sees: a visitor, a child, a token", async () => {
    const visitors = await franchiseOf(4);
    expect(visitors?.titles).toMatchObject([
      { mal_id: 1, story: 1, released: 1, main_part: 1 },
      { mal_id: 5, story: 2, released: 3, main_part: null },
      { mal_id: 2, story: 3, released: 2, main_part: 2 },
      { mal_id: 4, story: 4, released: 4, main_part: 3 },
    ]);
    expect(visitors?.main_parts).toBe(3);
    expect((await new Visitor().request("/api/animes/franchise?id=3")).status).toBe(403);
    expect((await new Visitor().request("/api/animes/franchise?id=77")).status).toBe(404);

    const { owner, child } = await newChild("chosen");
    for (const malId of [2, 4]) await chooseTitle(owner, malId, "allowed");
    expect(await franchiseOf(4, child)).toMatchObject({
      name: "Lantern 2",
      main_parts: 2,
      titles: [
        { mal_id: 2, story: 1, released: 1, main_part: 1 },
        { mal_id: 4, story: 2, released: 2, main_part: 2 },
      ],
    });
    await chooseTitle(owner, 2, "none");
    expect(await franchiseOf(4, child)).toBeNull();

    const member = await newMember();
    const { token } = await dataOf<{ token: string }>(
      member.request("/api/auth/tokens", { json: { name: "Script", scope: "read" } }),
      201,
    );
    const answer = request("/api/animes/franchise?id=4", { headers: { Authorization: `Bearer ${token}` } });
    expect(await answered(answer)).toEqual(await franchiseOf(4, member));
  });

  test("answers null for a title without related titles, and never names a title that the viewer cannot see", async () => {
    await importTitles([record(21, 2020), record(22, 2021, { rating: "rx" }), relation(21, 22, "sequel")]);
    expect(await franchiseOf(21)).toBeNull();
    await importTitles([relation(22, 21, "summary")]);
    expect(await numbersOf(21, await newGrownUp(), everything)).toEqual([22, 21]);
    expect(await franchiseOf(21)).toBeNull();
  });
});

describe("an import", () => {
  /** PostgreSQL's number of the transaction that wrote each row. */
  const writers = async (malIds: readonly number[]) =>
    (
      await db
        .select({ writer: sql<string>`xmin::text` })
        .from(franchiseTitles)
        .where(inArray(franchiseTitles.malId, [...malIds]))
        .orderBy(franchiseTitles.malId)
    ).map(({ writer }) => writer);

  test("renews the franchises that it touches, no others, and raises the version", async () => {
    const [before, version] = [await writers([11, 12]), await catalogVersion()];
    await importTitles([record(6, 2009), relation(4, 6, "sequel")]);
    expect(await numbersOf(1)).toEqual([1, 5, 2, 4, 6]);
    expect(await writers([11, 12])).toEqual(before);
    // One for the batch of titles, one for the relations, one for the franchise.
    expect(await catalogVersion()).toBe(version + 3);
  });

  test("that changes no place writes no row", async () => {
    const before = await writers([1, 2, 3, 4, 5]);
    await importTitles([record(2, 2003, { synopsis: "Told at last" })]);
    expect(await writers([1, 2, 3, 4, 5])).toEqual(before);
  });

  test("of 500 changed titles renews only what they touch", async () => {
    const pairs = Array.from({ length: 400 }, (_, index) => [1000 + 2 * index, 1001 + 2 * index] as const);
    const all = pairs.flat();
    await importTitles([
      ...all.map((malId) => record(malId, 2000)),
      ...pairs.map(([first, second]) => relation(first, second, "sequel")),
    ]);
    const before = await writers(all);
    // All 500 change, and 20 of their franchises get a third part.
    const changed = all.slice(0, 500);
    const grown = pairs.slice(0, 20);
    await importTitles([
      ...changed.map((malId) => record(malId, 2000, { synopsis: `Told of ${malId}` })),
      ...grown.map(([first]) => record(first + 10_000, 2020)),
      ...grown.map(([first]) => relation(first + 1, first + 10_000, "sequel")),
    ]);
    const after = await writers(all);
    const written = all.filter((_, index) => after[index] !== before[index]);
    expect(written).toEqual(grown.flat());
    expect(await db.$count(franchiseTitles, gte(franchiseTitles.malId, 11_000))).toBe(20);
  });

  test("that joins two franchises keeps the number of the larger one, and the other leads there", async () => {
    const [large, small] = [await franchiseOf(1), await franchiseOf(11)];
    await importTitles([relation(4, 11, "spin_off")]);
    expect((await franchiseOf(12))?.id).toBe(large?.id);
    expect(await db.select().from(franchiseRedirects)).toMatchObject([
      { fromId: small?.id, toId: large?.id },
    ]);
    expect(await db.$count(franchises, eq(franchises.id, small?.id ?? 0))).toBe(0);
  });

  test("that relates two long series leaves them apart, and each names the other", async () => {
    await importTitles([
      record(13, 2015),
      relation(12, 13, "sequel"),
      relation(1, 11, "alternative_setting"),
    ]);
    const [one, other] = [await franchiseOf(1), await franchiseOf(11)];
    expect(one?.id).not.toBe(other?.id);
    expect(one?.connected).toMatchObject([{ id: other?.id, mal_id: 11 }]);
    expect(other?.connected).toMatchObject([{ id: one?.id, mal_id: 1 }]);
  });

  test("in another process is made good by the next renewal", async () => {
    await changeCatalog([2, 4], (transaction) =>
      transaction.insert(titleRelations).values({ malId: 2, relatedId: 4, relation: "sequel" }),
    );
    await changeCatalog([3], (transaction) => transaction.delete(titles).where(eq(titles.malId, 3)));
    await Promise.all([renewFranchises(), renewFranchises()]);
    expect(await numbersOf(1)).toEqual([1, 5, 2, 4]);
  });

  test("the first start after the migration fills the tables", async () => {
    const before = await db.select().from(franchiseTitles).orderBy(franchiseTitles.malId);
    for (const table of [franchiseConnections, franchises, franchiseState]) await db.delete(table);
    await Promise.all([renewFranchises(), renewFranchises()]);
    const after = await db.select().from(franchiseTitles).orderBy(franchiseTitles.malId);
    const withoutNumber = (rows: typeof after) => rows.map(({ franchiseId: _, ...row }) => row);
    expect(withoutNumber(after)).toEqual(withoutNumber(before));
  });
});

test("a start after the rules have changed orders all franchises again, under their numbers", async () => {
  const rows = () => db.select().from(franchiseTitles).orderBy(franchiseTitles.malId);
  const before = await rows();
  await db
    .update(franchiseTitles)
    .set({ mark: "special" })
    .where(inArray(franchiseTitles.malId, [2, 12]));
  await db.update(franchiseState).set({ rules: 0 });
  await renewFranchises();
  expect(await rows()).toEqual(before);
});

test("an operator's edit of a relation splits a franchise, and its undo joins it again under the same number", async () => {
  const before = await franchiseOf(1);
  const by = await operator();
  const edit = { field: "relation 2 sequel", word: { isPresent: false } } as const;
  expect(await editTitle(1, [edit], by)).toMatchObject({ ok: true });
  expect([await numbersOf(1), await numbersOf(4)]).toEqual([
    [1, 5],
    [2, 4],
  ]);
  expect((await franchiseOf(4))?.id).toBe(before?.id);
  const [made] = await listEdits(1, 1);
  expect(await undoEdit(1, made?.id ?? "", by)).toMatchObject({ ok: true });
  expect(await franchiseOf(1)).toEqual(before);
});

test("a series without a known number of episodes counts those that have aired so far", async () => {
  const running = { episodes: null, status: "Currently Airing" };
  await importTitles([
    record(41, 1999, running),
    record(42, 2020, { episodes: 21 }),
    relation(41, 42, "alternative_version"),
  ]);
  expect((await franchiseOf(41))?.titles).toMatchObject([
    { mal_id: 41, mark: "main" },
    { mal_id: 42, mark: "alternative" },
  ]);
});

test("the offline database does not join titles that another source says share only a character", async () => {
  await importTitles([
    record(31, 2020, { title: "Porch Light" }),
    record(32, 2021, { title: "Porch Light II" }),
    relation(31, 32, "other"),
  ]);
  await db
    .update(relationRecords)
    .set({ source: "offline-database" })
    .where(eq(relationRecords.relation, "other"));
  await changeCatalog([31, 32], () => Promise.resolve());
  await renewFranchises();
  expect(await numbersOf(31)).toEqual([31, 32]);
  await importTitles([relation(31, 32, "character")]);
  expect(await franchiseOf(31)).toBeNull();
});

describe("an operator's corrections", () => {
  test("hold through imports, and are undone like other edits", async () => {
    const [before, by] = [await franchiseOf(1), await operator()];
    const edits = [
      { field: "franchise moved", word: { relatedId: 11 } },
      { field: "franchise after", word: { relatedId: null } },
    ] as const;
    expect(await editTitle(4, edits, by)).toMatchObject({
      ok: true,
      value: { changed: edits.map(({ field }) => field) },
    });
    expect([await numbersOf(1), await numbersOf(11)]).toEqual([
      [1, 5, 2],
      [4, 11, 12],
    ]);
    // The relation leads to a title that visitors do not see.
    expect((await franchiseOf(11))?.connected).toEqual([]);
    expect((await franchiseOf(11, await newGrownUp(), everything))?.connected).toMatchObject([
      { id: before?.id },
    ]);
    await importTitles([...lantern, relation(2, 4, "sequel")]);
    expect(await numbersOf(11)).toEqual([4, 11, 12]);
    for (const { id } of await listEdits(4, 2)) expect(await undoEdit(4, id, by)).toMatchObject({ ok: true });
    expect((await numbersOf(1))?.sort()).toEqual([1, 2, 4, 5]);
    expect(await numbersOf(11)).toEqual([11, 12]);
  });

  test("of the story hold as the last one says, if two contradict each other", async () => {
    const by = await operator();
    const correct = (malId: number, word: { relatedId: number } | null) =>
      editTitle(malId, [{ field: "franchise after", word }], by);
    await correct(4, { relatedId: 2 });
    await correct(2, { relatedId: 4 });
    expect(await numbersOf(1)).toEqual([1, 5, 4, 2]);
    await correct(4, null);
    await correct(4, { relatedId: 2 });
    expect(await numbersOf(1)).toEqual([1, 5, 2, 4]);
  });

  test("that join franchises leave both their numbers when they are undone or unlocked", async () => {
    // Both franchises have equally many titles, so the joined one keeps the lower number.
    await importTitles([record(13, 2015), record(14, 2017), record(15, 2019), relation(12, 13, "sequel")]);
    await importTitles([relation(13, 14, "sequel"), relation(14, 15, "sequel")]);
    const by = await operator();
    const numbers = async () => [(await franchiseOf(1))?.id, (await franchiseOf(11))?.id];
    const before = await numbers();
    expect(new Set(before).size).toBe(2);
    const join = { field: "franchise joined", word: { relatedId: 2 } } as const;
    for (const end of ["undo", "unlock"]) {
      expect(await editTitle(12, [join], by)).toMatchObject({ ok: true });
      expect(new Set(await numbers()).size).toBe(1);
      expect(await db.$count(franchiseRedirects)).toBe(1);
      const [made] = await listEdits(12, 1);
      expect(
        end === "undo"
          ? await undoEdit(12, made?.id ?? "", by)
          : await editTitle(12, [{ ...join, word: null }], by),
      ).toMatchObject({ ok: true });
      expect(await numbers()).toEqual(before);
      expect(await db.$count(franchiseRedirects)).toBe(0);
    }
  });

  test("join two franchises, move with a local title, and leave no trace in an export", async () => {
    const [actor, by] = [{ kind: "command", ip: null } as const, await operator()];
    const made = await createLocalTitle({ name: "Attic Films", type: "TV", sameAs: [] }, actor);
    const local = made.ok ? made.value.malId : 0;
    const edit = { field: "franchise joined", word: { relatedId: 12 } } as const;
    expect(await editTitle(local, [edit], by)).toMatchObject({ ok: true });
    await importTitles([record(14, 2017)]);
    expect(await replaceLocalTitle({ from: local, to: 14 }, actor)).toMatchObject({ ok: true });
    expect(await numbersOf(14)).toEqual([11, 12, 14]);
    const exported = await exportedText();
    expect(exported).toContain('"mal_id":14');
    expect(exported).not.toMatch(/franchise/);
  });
});

test("a local title has its place for members only, and keeps it when it becomes a title of the catalog", async () => {
  const actor = { kind: "command", ip: null } as const;
  const made = await createLocalTitle({ name: "Attic Films", type: "TV", sameAs: [] }, actor);
  const local = made.ok ? made.value.malId : 0;
  const edit = { field: `relation ${local} sequel`, word: { isPresent: true } } as const;
  expect(await editTitle(12, [edit], await operator())).toMatchObject({ ok: true });
  const before = await franchiseOf(11, await newGrownUp(), everything);
  expect(before?.titles.map(({ mal_id }) => mal_id)).toEqual([11, 12, local]);
  expect(await numbersOf(11)).toEqual([11, 12]);
  await importTitles([record(14, 2017)]);
  expect(await replaceLocalTitle({ from: local, to: 14 }, actor)).toMatchObject({ ok: true });
  const after = await franchiseOf(14);
  expect([after?.id, after?.titles.map(({ mal_id }) => mal_id)]).toEqual([before?.id, [11, 12, 14]]);
});

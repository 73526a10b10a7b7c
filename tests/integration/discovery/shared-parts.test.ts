import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { hideTitle, unhideTitle } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { db, preparedDb } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { chooseTitle, newChild } from "#tests/support/requests/household.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";

/** The page parts that members share are rendered once for all members with the same rights, and only for those. */

const shown = { mal_id: 7901, title: "Evening Tram", rating: "G - All Ages", popularity: 1, score: 9.9 };
const grownUp = { mal_id: 7902, title: "Night Ferry", rating: "R+ - Mild Nudity", popularity: 2, score: 9.8 };
const mature = { mal_id: 7903, title: "Locked Door", rating: "Rx - Hentai", popularity: 3, score: 9.7 };
const all = [shown, grownUp, mature];

beforeAll(async () => {
  await importTitles(
    all.map((one) => ({ kind: "title", type: "Movie", genres: ["Drama"], studios: ["Quiet Works"], ...one })),
  );
});

const pages = ["/", "/browse?studio=Quiet+Works", "/anime/7901/evening-tram"];

const read = async (visitor: Visitor, path: string) => {
  const answer = await visitor.request(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};
const seenBy = async (visitor: Visitor, path: string) => {
  const text = await read(visitor, path);
  return all.filter(({ title }) => text.includes(title)).map(({ title }) => title);
};

async function grownUpMember() {
  const member = await newMember();
  await db
    .update(users)
    .set({ birthday: "1980-01-01", parentalControl: false })
    .where(eq(users.id, member.id));
  return member;
}

/** Counts database queries, without the one for the catalog's version, which all requests of a second share. */
async function questionsOf(work: () => Promise<unknown>): Promise<string[]> {
  const clients = [db, preparedDb].map(
    (one) => (one as unknown as { $client: { unsafe(text: string): unknown } }).$client,
  );
  const asked = clients.map((client) => vi.spyOn(client, "unsafe"));
  await work();
  const texts = asked.flatMap(({ mock }) => mock.calls.map(([text]) => text));
  for (const one of asked) one.mockRestore();
  return texts.filter((text) => !/from "catalog_state"/.test(text));
}

test.each([
  // One query each reads the titles to watch that have no film, and the sequels that the member has missed.
  ["/", 8],
  ["/browse", 3],
  ["/browse?studio=Quiet+Works", 3],
  // One query reads the states of the title and of its related and similar titles, one where the member continues, and
  // one the heart. One more reads the similar titles, because only their numbers are shared.
  ["/anime/7901/evening-tram", 6],
])("a member's first visit of %s after another member's makes %i queries", async (path, most) => {
  await read(await newMember(), path);
  const next = await newMember();
  const entry = { animeId: shown.mal_id, type: "Watching", progress: 0 };
  expect((await next.request("/api/user/watchList", { json: entry })).status).toBeLessThan(300);
  await read(await newMember(), path);
  const asked = await questionsOf(() => read(next, path));
  expect([asked.length <= most, asked]).toEqual([true, asked]);
});

test.each(pages)(
  "a child, and a member with parental control, see less of %s than the member before them",
  async (path) => {
    expect(await seenBy(await grownUpMember(), path)).toEqual(
      path.startsWith("/anime")
        ? expect.arrayContaining(["Evening Tram", "Locked Door"])
        : all.map(({ title }) => title),
    );
    expect(await seenBy(await newMember(), path)).not.toContain("Locked Door");
    const { child } = await newChild("g");
    expect(await seenBy(child, path)).toEqual(["Evening Tram"]);
    expect(await seenBy(await grownUpMember(), path)).toContain("Locked Door");
  },
);

test("the owner's allowed and blocked titles apply at once to their own child, and to no other household", async () => {
  const [one, other] = [await newChild("g"), await newChild("g")];
  const path = "/browse?studio=Quiet+Works";
  expect(await seenBy(one.child, path)).toEqual(["Evening Tram"]);
  await chooseTitle(one.owner, grownUp.mal_id, "allowed");
  await chooseTitle(one.owner, shown.mal_id, "blocked");
  expect(await seenBy(one.child, path)).toEqual(["Night Ferry"]);
  expect(await seenBy(other.child, path)).toEqual(["Evening Tram"]);
});

test.each(pages.slice(0, 2))("a title hidden by an operator disappears from %s at once", async (path) => {
  const member = await newMember();
  expect(await seenBy(member, path)).toContain("Night Ferry");
  const operator = { kind: "operator", ip: null, operatorId: member.id } as const;
  await hideTitle(grownUp.mal_id, operator);
  expect(await seenBy(member, path)).not.toContain("Night Ferry");
  await unhideTitle(grownUp.mal_id, operator);
  expect(await seenBy(member, path)).toContain("Night Ferry");
});

test("a member's list status is on no other member's page", async () => {
  const [one, other] = [await newMember(), await newMember()];
  const entry = { animeId: shown.mal_id, type: "Completed", notes: "unlikely-note" };
  expect((await one.request("/api/user/watchList", { json: entry })).status).toBeLessThan(300);
  for (const path of pages) {
    const before = await read(other, path);
    expect(await read(one, path)).toContain("Completed");
    const after = await read(other, path);
    expect(after).not.toContain("unlikely-note");
    expect(after.includes('data-listed="Completed"')).toBe(before.includes('data-listed="Completed"'));
  }
});

test("a title that one member may see is refused to the next one who may not", async () => {
  const statusFor = async (visitor: Visitor, path: string) => (await visitor.request(path)).status;
  for (const path of ["/anime/7903/locked-door", "/anime/7903/locked-door.data"]) {
    expect(await statusFor(await grownUpMember(), path)).toBe(200);
    expect(await statusFor(await newMember(), path)).toBe(403);
    expect(await statusFor((await newChild("g")).child, path)).toBe(403);
    expect(await statusFor(await grownUpMember(), path)).toBe(200);
  }
});

test("PostgreSQL keeps the plans of prepared queries only", async () => {
  const keptAs = (name: string) =>
    sql`select count(*)::int as ${sql.raw(name)} from pg_prepared_statements where position(${name}::text in statement) > 0`;
  expect(await preparedDb.execute(keptAs("prepared_one"))).toMatchObject([{ prepared_one: 1 }]);
  expect(await db.execute(keptAs("other_one"))).toMatchObject([{ other_one: 0 }]);
});

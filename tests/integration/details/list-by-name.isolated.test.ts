import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { startAniList } from "#tests/support/servers/anilist.ts";

/** A member's public list of AniList, imported by the name there. */

const source = await startAniList();
process.env.DETAILS_URL = source.origin;

const { newChild } = await import("#tests/support/requests/household.ts");
const { newMember } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { watchList } = await import("#db/schema/library.ts");
const { detailState } = await import("#db/schema/details.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");

await importTitles([{ mal_id: 4712, title: "Zqxlisted", type: "TV", episodes: 12 }]);
source.lists.Reader_1 = [
  {
    name: "Watching",
    isCustomList: false,
    entries: [
      {
        status: "CURRENT",
        score: 8.5,
        progress: 3,
        repeat: 0,
        notes: "slow",
        startedAt: { year: 2026, month: 2, day: 1 },
        completedAt: { year: null, month: null, day: null },
        media: { idMal: 4712, type: "ANIME", format: "TV", episodes: 12, title: { romaji: "Zqxlisted" } },
      },
    ],
  },
];

const member = await newMember();
const send = async (form: Record<string, string>, who: Pick<typeof member, "request"> = member) => {
  const response = await who.request("/list/import?from=anilist", { form });
  return { status: response.status, html: await htmlOf(response) };
};
const entries = () => db.select().from(watchList).where(eq(watchList.userId, member.id));

test("the form says which name goes to whom, and why MyAnimeList stays a file", async () => {
  const html = await htmlOf(member.request("/list/import"));
  expect(html).toContain(`This site sends the name to ${new URL(source.origin).host}`);
  expect(html).toContain("For MyAnimeList, use the file");
});

test("a name is previewed, imported and undone like a file, with details off", async () => {
  expect((await send({ name: "Reader_1", intent: "preview" })).html).toContain("This would add 1 title");
  expect(await entries()).toEqual([]);
  const { html } = await send({ name: " Reader_1 ", intent: "import" });
  expect(html).toContain("Added 1 title");
  expect(await entries()).toMatchObject([{ malId: 4712, type: "Watching", score: 8.5, notes: "slow" }]);
  expect(source.names).toEqual(["Reader_1", "Reader_1"]);
  const [, undo] = /\/list\/import\?undo=([\w-]+)/.exec(html) ?? [];
  await member.request(`/list/import?undo=${undo}`, { form: {} });
  expect(await entries()).toEqual([]);
});

test("a child's name leaves this site neither by the form nor by its address", async () => {
  const { child } = await newChild("chosen");
  const asked = source.names.length;
  expect((await send({ name: "Reader_1", intent: "preview" }, child)).status).toBe(403);
  expect((await child.request("/list/import")).status).toBe(403);
  expect(source.names).toHaveLength(asked);
});

test("an unknown name, a bad name and a site that does not answer are told in words", async () => {
  expect(await send({ name: "Nobody", intent: "import" })).toMatchObject({
    status: 404,
    html: expect.stringContaining("AniList shows no list of this name"),
  });
  expect((await send({ name: "x y/z", intent: "import" })).status).toBe(400);
  source.fault = (response) => {
    response.writeHead(429, { "retry-after": "600" }).end();
    return true;
  };
  expect((await send({ name: "Reader_1", intent: "import" })).html).toContain("AniList does not answer now");
  const asked = source.names.length;
  expect((await send({ name: "Reader_1", intent: "import" })).html).toContain(
    "AniList takes no more requests",
  );
  expect(source.names).toHaveLength(asked);
  await db.delete(detailState);
  source.fault = () => false;
});

test("a failure of the server is no wrong name, and counts until the server answers again", async () => {
  const failures = async () => (await db.select().from(detailState))[0];
  const body = JSON.stringify({ data: null, errors: [{ message: "Internal Server Error" }] });
  for (const status of [500, 400]) {
    await db.delete(detailState);
    source.fault = (response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(body);
      return true;
    };
    const { html } = await send({ name: "Reader_1", intent: "preview" });
    expect(html).toContain("AniList does not answer now");
    expect(await failures()).toMatchObject({ failures: 1, problem: `The server answered ${status}` });
  }
  await db.update(detailState).set({ nextAt: new Date(0) });
  source.fault = (response) => {
    response.writeHead(404, { "content-type": "application/json" }).end(body);
    return true;
  };
  expect((await send({ name: "Reader_1", intent: "preview" })).status).toBe(404);
  expect(await failures()).toMatchObject({ failures: 0, failingSince: null, problem: null, batchSize: 50 });
  source.fault = () => false;
});

import { readdirSync, readlinkSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { startAniList } from "#tests/support/servers/anilist.ts";

/** A member's public list of AniList, imported by the name there. */

const source = await startAniList();
process.env.DETAILS_URL = source.origin;

const { until } = await import("#tests/support/checks/wait-until.ts");
const { env } = await import("#app/platform/process/env.server.ts");
const { addProfile, anotherBrowserOf, newChild, switchTo } = await import(
  "#tests/support/requests/household.ts"
);
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

/** Lets the test answer the next request in place of AniList. */
function nextAnswer(): Promise<ServerResponse> {
  return new Promise((resolve) => {
    source.fault = (response) => {
      source.fault = () => false;
      resolve(response);
      return true;
    };
  });
}
const json = { "content-type": "application/json" };

/** The bytes of the uploaded files that this process holds open. */
const storedBytes = () =>
  readdirSync("/proc/self/fd").reduce((sum, fd) => {
    const path = join("/proc/self/fd", fd);
    try {
      return readlinkSync(path).startsWith(join(env.DATA_DIR, "uploads")) ? sum + statSync(path).size : sum;
    } catch {
      return sum;
    }
  }, 0);

test("a list of 15 MB is stored while it arrives, and only the reader of uploaded files parses it", async () => {
  const entries = Array.from({ length: 1500 }, (_, at) => ({
    status: "CURRENT",
    notes: "n".repeat(10_000),
    media: { idMal: at < 1499 ? 29_000_000 + at : 4712, type: "ANIME", title: { romaji: `Title ${at}` } },
  }));
  const text = JSON.stringify({ data: { MediaListCollection: { lists: [{ name: "Watching", entries }] } } });
  const half = text.length / 2;
  const answering = nextAnswer();
  const importing = send({ name: "Reader_1", intent: "preview" });
  const answer = await answering;
  answer.writeHead(200, json).write(text.slice(0, half));
  await expect.poll(storedBytes).toBeGreaterThan(half - 1_000_000);
  const parsed = vi.spyOn(JSON, "parse");
  onTestFinished(() => parsed.mockRestore());
  answer.end(text.slice(half));
  expect((await importing).html).toContain("This would add 1 title");
  expect(Math.max(...parsed.mock.calls.map(([one]) => one.length))).toBeLessThan(1_000_000);
  await expect.poll(storedBytes).toBe(0);
});

test("an account fetches one list at a time, whichever of its profiles asks", async () => {
  const other = await anotherBrowserOf(member);
  await switchTo(other, await addProfile(member, "Ritsu"));
  const answering = nextAnswer();
  const first = send({ name: "Reader_1", intent: "preview" });
  const answer = await answering;
  const second = await send({ name: "Reader_1", intent: "preview" }, other);
  answer.writeHead(200, json).end(JSON.stringify({ data: { MediaListCollection: { lists: [] } } }));
  expect(second).toMatchObject({
    status: 503,
    html: expect.stringContaining("A list is being fetched for your account already"),
  });
  expect((await first).status).toBe(200);
});

test("a list that ends too early is not imported, and counts as a failure of the server", async () => {
  const answering = nextAnswer();
  const importing = send({ name: "Reader_1", intent: "import" });
  const answer = await answering;
  answer.writeHead(200, json).write('{"data":{"MediaListCollection":{"lists":[');
  await expect.poll(storedBytes).toBeGreaterThan(0);
  answer.destroy();
  expect((await importing).html).toContain("AniList does not answer now");
  expect((await db.select().from(detailState))[0]).toMatchObject({ failures: 1 });
  expect(await entries()).toEqual([]);
  await expect.poll(storedBytes).toBe(0);
  await db.delete(detailState);
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

test("forms of other pages are answered while AniList answers none of twenty members", async () => {
  const members: Awaited<ReturnType<typeof newMember>>[] = [];
  while (members.length < 20) members.push(await newMember());
  const held: ServerResponse[] = [];
  source.fault = (response) => held.push(response) > 0;
  const imports: Promise<{ status: number }>[] = [];
  for (const who of members) {
    await db.delete(detailState);
    imports.push(send({ name: "Reader_1", intent: "preview" }, who));
    await until(() => held.length === imports.length);
  }
  const answer = await member.request("/settings/preferences?part=privacy", {
    form: { forgetsWatched: "0" },
  });
  expect(answer.status).toBe(302);
  source.fault = () => false;
  for (const response of held) response.writeHead(404, json).end("{}");
  // On a slow machine, the site has given up waiting for the first ones.
  await Promise.all(imports);
});

test("a member who leaves before the turn comes cannot take another one meanwhile", async () => {
  const turnAt = async () => (await db.select().from(detailState))[0]?.nextAt.getTime() ?? 0;
  const other = await newMember();
  await db.delete(detailState);
  const busyUntil = new Date(Date.now() + 19_000);
  await db.insert(detailState).values({ nextAt: busyUntil });
  const form = { name: "Reader_1", intent: "preview" };
  const leaving = new AbortController();
  void other.request("/list/import?from=anilist", { form, signal: leaving.signal });
  await expect.poll(turnAt).toBeGreaterThan(busyUntil.getTime());
  const taken = await turnAt();
  leaving.abort();
  expect(await send(form, other)).toMatchObject({
    status: 503,
    html: expect.stringContaining("being fetched for your account already"),
  });
  expect(await turnAt()).toBe(taken);
});

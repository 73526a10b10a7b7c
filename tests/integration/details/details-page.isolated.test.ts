import { eq, inArray } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { someMedia, startAniList } from "#tests/support/servers/anilist.ts";

/** The operators' page of details, and what visitors and exports get of them. */

const source = await startAniList();
process.env.DETAILS_URL = source.origin;
process.env.ALLOW_PRIVATE_UPSTREAMS = new URL(source.origin).host;

const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { titleDetails } = await import("#db/schema/details.ts");
const { watchList } = await import("#db/schema/library.ts");
const { runDetails, startDetails, stopDetails } = await import("#app/domain/details/details.server.ts");
const { exportedText } = await import("#tests/support/data/catalog-text.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { until } = await import("#tests/support/checks/wait-until.ts");
const { editList } = await import("#app/domain/library/library.server.ts");
const { anybody } = await import("#app/domain/visibility/visibility.server.ts");

const operator = await newOperator();
const host = new URL(source.origin).host;
const open = (path: string, who: InstanceType<typeof Visitor> = operator) => htmlOf(who.request(path));
afterAll(stopDetails);

const malId = 4711;
await importTitles([{ mal_id: malId, title: "Zqxporch", type: "TV", status: "Finished Airing" }]);
source.media = [someMedia(malId, source.origin)];

const press = (form: Record<string, string>) => htmlOf(operator.request("/admin/details", { form }));

test("the offer says which numbers go to whom, on the start page, in Setup and on its own page", async () => {
  for (const path of ["/admin", "/admin/setup?step=catalog", "/admin/details"]) {
    const page = await open(path);
    expect(page).toContain("Get details");
    expect(page).toMatch(new RegExp(`the numbers of titles[^<]*go to ${host}`));
  }
  expect(await open("/about/privacy")).not.toContain("The numbers of titles, to AniList");
});

test("before details are on, neither the button of a title nor opening it asks anybody", async () => {
  expect(await press({ intent: "title", id: String(malId) })).toContain(
    "Details are off. Turn them on first.",
  );
  await open(`/anime/${malId}/zqxporch`);
  await runDetails();
  expect(source.asked).toEqual([]);
  expect(await db.select().from(titleDetails)).toEqual([]);
});

test("members cannot turn details on", async () => {
  const member = await newMember();
  const answer = await member.request("/admin/details", { form: { intent: "on" } });
  expect(answer.status).toBe(403);
});

test("an operator turns details on, and a member who opens a title lets it be asked for", async () => {
  expect(await press({ intent: "on" })).toContain("Details are on.");
  expect(await open("/about/privacy")).toContain("The numbers of titles, to AniList");
  const member = await newMember();
  await open(`/anime/${malId}/zqxporch`, member);
  startDetails();
  await until(async () => (await open(`/anime/${malId}/zqxporch`)).includes("happens in 4711"));
  expect(source.answered).toEqual([1000 + malId]);
  expect(await open("/admin/details")).toContain("1 title has details");
});

test("exports and visitors' data pages keep to AniList's terms", async () => {
  const lines = async (options?: Parameters<typeof exportedText>[0]) => {
    const exported = await exportedText(options);
    return exported.split("\n").filter((line) => line.includes("Zqxporch"));
  };
  const [shared] = await lines();
  expect(shared).not.toMatch(/happens in|ipfs/);
  expect(shared).toContain("The Title 4711");
  expect((await lines({ withTexts: true }))[0]).toContain("happens in 4711");
  const about = await open("/about/data", new Visitor());
  expect(about).toContain("AniList");
  expect(about).toContain("its terms forbid to collect and pass them on");
});

test("a title that a member puts on the list is asked for at once, and an opened one stays before it", async () => {
  const [listed, opened] = [4713, 4714];
  await importTitles([listed, opened].map((id) => ({ mal_id: id, title: `Qvledger ${id}`, type: "TV" })));
  source.media = [someMedia(listed, source.origin), someMedia(opened, source.origin)];
  const member = await newMember();
  const reasonOf = async (id: number) =>
    (await db.select().from(titleDetails).where(eq(titleDetails.malId, id)))[0]?.reason;
  await member.request("/api/user/watchList", { json: { animeId: listed, type: "To Watch" } });
  await until(async () => (await reasonOf(listed)) === "listed");
  await until(async () => source.answered.includes(1000 + listed));
  await open(`/anime/${opened}/qvledger-${opened}`, member);
  await member.request("/api/user/watchList", { json: { animeId: opened, type: "To Watch" } });
  await until(async () => source.answered.includes(1000 + opened));
  expect(await reasonOf(opened)).toBe("opened");
});

test("titles that an import or an undo puts on the list are asked for at once, those that an undo takes off are not", async () => {
  const [imported, ofAccount, undone, takenOff] = [4721, 4722, 4723, 4724];
  const all = [imported, ofAccount, undone, takenOff];
  await importTitles(all.map((id) => ({ mal_id: id, title: `Zqxfolio ${id}`, type: "TV" })));
  source.media = all.map((id) => someMedia(id, source.origin));
  const member = await newMember();
  const isAskedFor = (id: number) => until(() => Promise.resolve(source.answered.includes(1000 + id)));
  const reasons = async () =>
    (await db.select().from(titleDetails).where(inArray(titleDetails.malId, all))).map((row) => row.malId);
  expect(await reasons()).toEqual([]);
  const entry = (id: number) => ({ mal_id: id, title: `Zqxfolio ${id}`, type: "To Watch" });
  const list = { format: "engawa-list", version: 1, entries: [entry(imported)] };
  await dataOf(member.request("/api/user/watchList/import", { json: list }));
  await isAskedFor(imported);
  const account = { format: "engawa-account", version: 1, watch_list: [entry(ofAccount)] };
  await dataOf(member.request("/api/user/import", { json: account }));
  await isAskedFor(ofAccount);
  await db.insert(watchList).values({ userId: member.id, malId: undone, type: "To Watch" });
  const removed = await editList(member.id, { kind: "remove", ids: [undone] }, anybody);
  expect((await reasons()).sort()).toEqual([imported, ofAccount]);
  await editList(member.id, { kind: "restore", changes: removed.ok ? removed.value.undo : [] }, anybody);
  await isAskedFor(undone);
  const entryAdded = { type: "To Watch", state: null } as const;
  const added = await editList(member.id, { kind: "add", ids: [takenOff], fields: entryAdded }, anybody);
  await isAskedFor(takenOff);
  await db.delete(titleDetails).where(eq(titleDetails.malId, takenOff));
  await editList(member.id, { kind: "restore", changes: added.ok ? added.value.undo : [] }, anybody);
  expect((await reasons()).sort()).toEqual([imported, ofAccount, undone]);
});

// Comes last, because what is asked for by its clock sets a time for the next request that is hours away.
test("a title that members open often is recorded once an hour", async () => {
  const hour = 3_600_000;
  const begin = Math.ceil(Date.now() / hour) * hour;
  const other = 4712;
  await importTitles([{ mal_id: other, title: "Qvlantern", type: "TV" }]);
  const openedAt = async (id: number) =>
    (await db.select().from(titleDetails).where(eq(titleDetails.malId, id)))[0]?.openedAt?.getTime();
  vi.useFakeTimers({ toFake: ["Date"], now: begin });
  await open(`/anime/${malId}/zqxporch`);
  await until(async () => (await openedAt(malId)) === begin);
  vi.setSystemTime(begin + hour - 1);
  await open(`/anime/${malId}/zqxporch`);
  await open(`/anime/${other}/qvlantern`);
  await until(async () => (await openedAt(other)) !== undefined);
  expect(await openedAt(malId)).toBe(begin);
  vi.setSystemTime(begin + hour);
  await open(`/anime/${malId}/zqxporch`);
  await until(async () => (await openedAt(malId)) === begin + hour);
});

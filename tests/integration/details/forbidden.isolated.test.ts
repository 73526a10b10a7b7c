import { expect, test } from "vitest";
import { someMedia, startAniList } from "#tests/support/servers/anilist.ts";

/** DETAILS=0: nobody is asked, whatever an operator chose before, and what came before stays. */

const source = await startAniList();
process.env.DETAILS = "0";
process.env.DETAILS_URL = source.origin;
process.env.ALLOW_PRIVATE_UPSTREAMS = new URL(source.origin).host;

const { newOperator } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { titleDetails } = await import("#db/schema/details.ts");
const { runDetails } = await import("#app/domain/details/details.server.ts");
const { saveSiteSettings } = await import("#app/domain/setup/setup.server.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");

const malId = 4713;
await importTitles([{ mal_id: malId, title: "Zqxforbidden", type: "TV", status: "Currently Airing" }]);
source.media = [someMedia(malId, source.origin)];
await saveSiteSettings({ details: true }, { kind: "command", ip: null });
await db
  .insert(titleDetails)
  .values({ malId, reason: "listed", dueAt: new Date(0), answeredAt: new Date(0), source: "anilist" });

const operator = await newOperator();

test("a title that is due, listed and opened is not asked for, and its details are not deleted", async () => {
  await operator.request("/api/user/watchList", { json: { animeId: malId, type: "To Watch" } });
  await operator.request(`/anime/${malId}/zqxforbidden`);
  await runDetails();
  expect(source.asked).toEqual([]);
  expect(await db.select().from(titleDetails)).toMatchObject([{ malId, openedAt: null }]);
});

test("the pages of operators offer nothing, and their forms are refused", async () => {
  for (const path of ["/admin", "/admin/setup?step=catalog"])
    expect(await (await operator.request(path)).text()).not.toContain("Get details");
  expect(await (await operator.request("/admin/details")).text()).toContain("DETAILS=0 forbids");
  for (const form of [{ intent: "on" }, { intent: "title", id: String(malId) }])
    expect((await operator.request("/admin/details", { form })).status).toBe(403);
  expect(source.asked).toEqual([]);
});

test("no list is fetched by its name, and the form for it is gone", async () => {
  expect(await (await operator.request("/list/import")).text()).not.toContain("sends the name to");
  const form = { name: "Reader_1", intent: "import" };
  expect((await operator.request("/list/import?from=anilist", { form })).status).toBe(403);
  expect(source.names).toEqual([]);
});

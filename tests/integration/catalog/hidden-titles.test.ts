import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { exportedText } from "#tests/support/data/catalog-text.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { routesOfSite, walkedRoutes } from "#tests/support/requests/site-walk.ts";
import { newMember, newOperator, Visitor } from "#tests/support/requests/visitor.ts";
import { origin, request } from "#tests/support/site/in-process.ts";

/**
 * Operators hide a title from everybody, see it and undo this. tests/integration/catalog/visibility.slow.test.ts walks
 * the site.
 */

const record = { kind: "title", mal_id: 700_001, title: "Porch light", type: "TV", episodes: 2, year: 2020 };
const sequel = { ...record, mal_id: 700_002, title: "Porch light two" };
const relation = { kind: "relation", from: 700_002, to: 700_001, relation: "prequel", name: "Porch light" };
const path = "/anime/700001/porch-light";
const operator = await newOperator({ username: "Olga Operator" });

beforeAll(() => importTitles([record, sequel, relation]));

const change = (intent: "hide" | "show", fields: Record<string, string> = {}) =>
  operator.request("/admin/hidden", { form: { intent, id: "700001", ...fields } });
const pageFor = async (visitor: Visitor) => {
  const response = await visitor.request(path);
  return { status: response.status, html: await htmlOf(response) };
};

test("the title's page offers the hiding form to operators, but not to members and visitors", async () => {
  expect((await pageFor(operator)).html).toContain('action="/admin/hidden"');
  for (const visitor of [await newMember(), new Visitor()])
    expect((await pageFor(visitor)).html).not.toContain("/admin/hidden");
});

test("only operators can hide a title", async () => {
  const form = { intent: "hide", id: "700001" };
  expect((await (await newMember()).request("/admin/hidden", { form })).status).toBe(403);
  expect((await new Visitor().request("/admin/hidden", { form })).headers.get("Location")).toMatch(
    /^\/signin/,
  );
  expect((await pageFor(new Visitor())).status).toBe(200);
});

test("a hidden title's page tells operators who hid it, is missing for other readers, and can be restored", async () => {
  const hidden = await change("hide", { from: "title" });
  expect([hidden.status, hidden.headers.get("Location")]).toEqual([302, path]);
  const told = await pageFor(operator);
  expect(told.status).toBe(200);
  expect(told.html).toContain("Hidden from everybody");
  expect(told.html).toContain("Olga Operator hid this title");
  for (const visitor of [await newMember(), new Visitor()]) {
    const { status, html } = await pageFor(visitor);
    expect(status).toBe(404);
    expect(html).not.toContain("Porch light");
  }
  expect((await change("show", { from: "title" })).headers.get("Location")).toBe(path);
  expect((await pageFor(new Visitor())).status).toBe(200);
});

test("the operators' list names hidden titles, and an unknown id is refused", async () => {
  expect(await (await change("hide")).text()).toContain("Nobody sees Porch light any more.");
  const list = await (await operator.request("/admin/hidden")).text();
  expect(list).toContain(`href="${path}"`);
  expect(list).toContain("Olga Operator");
  expect(await (await change("show")).text()).toContain("Porch light is shown again.");
  expect(await (await operator.request("/admin/hidden")).text()).toContain("No title is hidden.");
  const unknown = await operator.request("/admin/hidden", { form: { intent: "hide", id: "799999" } });
  expect(unknown.status).toBe(404);
  expect(await (await change("hide", { id: " " })).text()).toContain("No title has this name");
});

test("an import does not show a hidden title again, and an export leaves it and relations to it out", async () => {
  await change("hide");
  const report = await importTitles([{ ...record, synopsis: "New words" }]);
  expect(report.titles.changed).toBe(1);
  expect((await pageFor(new Visitor())).status).toBe(404);
  const exported = await exportedText();
  expect(exported).toContain("Porch light two");
  expect(exported).not.toMatch(/700001|Porch light"/);
  await change("show");
});

test("a title stays hidden, without the operator's name, after the operator's account is deleted", async () => {
  const second = await newOperator({ username: "Second Operator" });
  await second.request("/admin/hidden", { form: { intent: "hide", id: "700001" } });
  await dataOf(
    second.request("/api/user/account", { method: "DELETE", json: { password: second.password } }),
  );
  expect((await pageFor(new Visitor())).status).toBe(404);
  const { html } = await pageFor(operator);
  expect(html).toContain("An operator hid this title");
  expect(html).not.toContain("Second Operator");
  await change("show");
});

test("a member keeps a hidden title's entry without seeing it, and sees it again when the title is shown", async () => {
  const member = await newMember();
  const list = () => dataOf<{ mal_id: number; progress: number }[]>(member.request("/api/user/watchList"));
  const entry = { animeId: 700_001, type: "Watching", progress: 1 };
  await dataOf(member.request("/api/user/watchList", { json: entry }));
  await change("hide");
  expect(await list()).toEqual([]);
  expect((await member.request("/api/user/watchList", { json: entry })).status).toBe(404);
  const imported = { format: "engawa-list", version: 1, entries: [{ mal_id: 700_001, type: "Completed" }] };
  expect(
    await dataOf(member.request("/api/user/watchList/import?preview=1", { json: imported })),
  ).toMatchObject({
    hidden: 1,
  });
  await change("show");
  expect(await list()).toMatchObject([{ mal_id: 700_001, progress: 1 }]);
});

test("the poster of a hidden title gets 404 from both proxies too, although they have sent it before", async () => {
  const address = encodeURIComponent(`${origin}/poster/700001.webp?w=160`);
  const statuses = async () =>
    Promise.all(
      ["proxy", "videoProxy"].map(async (name) => (await request(`/api/${name}?url=${address}`)).status),
    );
  expect(await statuses()).toEqual([200, 200]);
  await change("hide");
  expect(await statuses()).toEqual([404, 404]);
  await change("show");
  expect(await statuses()).toEqual([200, 200]);
});

test("a mature title that is hidden gets 404 and not 403, and its poster 404", async () => {
  await db.update(titles).set({ rating: "rx" }).where(eq(titles.malId, 700_001));
  expect((await request("/poster/700001.webp?w=160")).status).toBe(200);
  await change("hide");
  expect((await request("/api/animes/getAnime?id=700001")).status).toBe(404);
  expect((await request("/poster/700001.webp?w=160")).status).toBe(404);
  await change("show");
  expect((await request("/api/animes/getAnime?id=700001")).status).toBe(403);
  expect((await request("/poster/700001.webp?w=160")).status).toBe(200);
});

test("the walk that looks for hidden titles knows every route in routes.ts", () => {
  expect(walkedRoutes.toSorted()).toEqual(routesOfSite().toSorted());
});

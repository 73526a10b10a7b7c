import { beforeAll, expect, test } from "vitest";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** A visitor presses "Add to list", signs in or up, and then finds the title on the list. */

const titlePage = "/anime/810001/porch-light";

beforeAll(() =>
  importTitles([
    { mal_id: 810_001, title: "Porch Light", episodes: 12 },
    { mal_id: 810_002, title: "Grown-up Porch", rating: "Rx - Hentai" },
  ]),
);

const listOf = async (visitor: Visitor) =>
  (
    await dataOf<{ mal_id: number; type: string; progress: number }[]>(visitor.request("/api/user/watchList"))
  ).map(({ mal_id, type, progress }) => [mal_id, type, progress]);

/** Follows the link "Add to list" of the title's page, and returns the form's hidden target. */
async function pressAdd(visitor: Visitor) {
  const html = await (await visitor.request(titlePage)).text();
  const link = /href="([^"]+)"[^>]*><svg(?:(?!<\/svg>).)*<\/svg>Add to list/s
    .exec(html)?.[1]
    ?.replaceAll("&amp;", "&");
  expect(link).toMatch(/^\/signin\?/);
  const page = await (await visitor.request(link ?? "")).text();
  return /name="redirectTo" value="([^"]+)"/.exec(page)?.[1] ?? "";
}

const signIn = (visitor: Visitor, email: string, redirectTo: string) =>
  visitor.request("/signin", { form: { email, password: goodPassword, redirectTo } });

test("a visitor presses Add to list and signs in, then the title is on the list and its page is shown", async () => {
  const [member, visitor] = [await newMember(), new Visitor()];
  const answer = await signIn(visitor, member.email, await pressAdd(visitor));
  expect(answer.headers.get("Location")).toBe(titlePage);
  expect(await listOf(visitor)).toEqual([[810_001, "To Watch", 0]]);
});

test("a visitor presses Add to list and signs up, then the title is on the new list, and the steps lead to its page", async () => {
  const visitor = new Visitor();
  const redirectTo = await pressAdd(visitor);
  const account = { username: "Nozomi", email: "nozomi@example.org", password: goodPassword };
  const answer = await visitor.request("/signup", { form: { ...account, redirectTo } });
  expect(answer.headers.get("Location")).toBe(`/signup/profile?redirectTo=${encodeURIComponent(titlePage)}`);
  expect(await listOf(visitor)).toEqual([[810_001, "To Watch", 0]]);
});

test("the sign-in page's link to signing up keeps the title", async () => {
  const visitor = new Visitor();
  const redirectTo = await pressAdd(visitor);
  const html = await (await visitor.request(`/signin?redirectTo=${encodeURIComponent(redirectTo)}`)).text();
  expect(html).toContain(`href="/signup?redirectTo=${encodeURIComponent(redirectTo)}"`);
});

test("a change of the list without a session leads to the sign-in page", async () => {
  const answer = await new Visitor().request(titlePage, { form: { type: "Watching" } });
  expect(answer.status).toBe(302);
  expect(answer.headers.get("Location")).toMatch(/^\/signin\?/);
});

test("a title that is on the list already stays as it is", async () => {
  const [member, visitor] = [await newMember(), new Visitor()];
  const json = { animeId: 810_001, type: "Completed", progress: 12 };
  await dataOf(member.request("/api/user/watchList", { json }));
  await signIn(visitor, member.email, await pressAdd(visitor));
  expect(await listOf(visitor)).toEqual([[810_001, "Completed", 12]]);
});

test.each(["810002", "999999", "0", "x", "1e5", "99999999999"])(
  "add=%s adds nothing, and signing in works as always",
  async (id) => {
    const [member, visitor] = [await newMember(), new Visitor()];
    const answer = await signIn(visitor, member.email, `/schedule?add=${id}&week=2024-01-01`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/schedule?week=2024-01-01"]);
    expect(await listOf(visitor)).toEqual([]);
  },
);

test("a member who is already signed in is sent to the page, and the link adds nothing", async () => {
  const member = await newMember();
  for (const [page, target] of [
    ["/signin", titlePage],
    ["/signup", `/signup/profile?redirectTo=${encodeURIComponent(titlePage)}`],
  ]) {
    const link = `${page}?redirectTo=${encodeURIComponent(`${titlePage}?add=810001`)}`;
    expect((await member.request(link)).headers.get("Location")).toBe(target);
  }
  expect(await listOf(member)).toEqual([]);
});

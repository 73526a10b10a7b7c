import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { formOf, untouchedFields } from "#tests/support/requests/page-form.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember } from "#tests/support/requests/visitor.ts";

/** The forms of a member's profile, posted as a browser without scripts posts them. */

type Member = Awaited<ReturnType<typeof newMember>>;
type Tastes = { favorite_animes: number[]; favorite_genres: string[]; favorite_studios: string[] };

const [visible, adult] = [await someTitle(), await someTitle({ rating: "rx" })];
const notInCatalog = 999_999_998;

const tasteFields = async (member: Member, path: string) =>
  untouchedFields(await formOf(member, path, "frequency"));

async function post(member: Member, path: string, fields: URLSearchParams) {
  const response = await member.request(path, { method: "POST", body: fields });
  expect(response.status, (await response.text()).slice(0, 500)).toBe(302);
}

async function memberWith(tastes: Partial<Tastes>) {
  const member = await newMember();
  const json = { name: "Mio", last_name: "Akiyama", gender: "female", ...tastes };
  await dataOf(member.request("/api/user/profile", { json }));
  return member;
}
const tastesOf = (member: Member) => dataOf<Tastes>(member.request("/api/user/profile"));

const forms = ["/profile/edit", "/signup/tastes"];

test.each(forms)("the form at %s keeps favorites that it does not show", async (path) => {
  const before = {
    favorite_animes: [adult, visible, notInCatalog],
    favorite_genres: ["Hentai", "Drama", "Comedy"],
  };
  const member = await memberWith(before);
  await post(member, path, await tasteFields(member, path));
  expect(await tastesOf(member)).toMatchObject(before);

  const fields = await tasteFields(member, path);
  fields.delete(`favorite:${visible}`, "on");
  fields.delete("genre:Drama", "on");
  fields.append("genre:Sports", "on");
  const ticked = [...fields].sort(([, one], [, other]) => Number(one === "0") - Number(other === "0"));
  await post(member, path, new URLSearchParams(ticked));
  const after = await tastesOf(member);
  expect(after.favorite_animes).toEqual([adult, notInCatalog]);
  expect(new Set(after.favorite_genres)).toEqual(new Set(["Hentai", "Comedy", "Sports"]));
});

test("a form that was opened before another device added a favorite keeps that favorite", async () => {
  const member = await memberWith({ favorite_genres: ["Drama"] });
  const other = await someTitle();
  const fields = await tasteFields(member, "/profile/edit");
  const json = { name: "Mio", last_name: "Akiyama", gender: "female", favorite_animes: [other] };
  await dataOf(member.request("/api/user/profile", { json: json }));
  await post(member, "/profile/edit", fields);
  expect(await tastesOf(member)).toMatchObject({ favorite_animes: [other] });
});

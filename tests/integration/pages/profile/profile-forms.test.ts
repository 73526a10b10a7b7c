import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { formOf, untouchedFields } from "#tests/support/requests/page-form.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember } from "#tests/support/requests/visitor.ts";

/** The forms of a member's profile, posted as a browser without scripts posts them. */

type Tastes = { favorite_animes: number[]; favorite_genres: string[]; favorite_studios: string[] };

const [visible, adult] = [await someTitle(), await someTitle({ rating: "rx" })];
await someTitle({ studios: ["Yamamura Animation, Inc.", "Bones"] });
const notInCatalog = 999_999_998;

const tasteFields = async (member: Member, path: string) =>
  untouchedFields(await formOf(member, path, "frequency"));

async function post(member: Member, path: string, fields: URLSearchParams) {
  const response = await member.request(path, { method: "POST", body: fields });
  expect(response.status, (await response.text()).slice(0, 500)).toBe(302);
}

/** Posts the form that has the field, after a change. Its fields come in another order than on the page. */
async function postWith(
  member: Member,
  path: string,
  field: string,
  change: (fields: URLSearchParams) => void,
) {
  const fields = untouchedFields(await formOf(member, path, field));
  change(fields);
  const ticked = [...fields].sort(([, one], [, other]) => Number(one === "0") - Number(other === "0"));
  await post(member, path, new URLSearchParams(ticked));
}

async function memberWith(tastes: Partial<Tastes>) {
  const member = await newMember();
  const json = { name: "Mio", last_name: "Akiyama", gender: "female", ...tastes };
  await dataOf(member.request("/api/user/profile", { json }));
  return member;
}
const tastesOf = (member: Member) => dataOf<Tastes>(member.request("/api/user/profile"));

const forms = ["/profile/edit", "/signup/tastes"];

test.each(forms)("an untouched form at %s keeps every studio as it is", async (path) => {
  const favorite_studios = [
    "Yamamura Animation, Inc.",
    'Studio "Ghibli" & <Co.>',
    "Two\nlines",
    "under_score",
    ...Array.from({ length: 496 }, (_, index) => `${"アニメ, ".repeat(36)}${index}`),
  ];
  const member = await memberWith({ favorite_studios });
  await post(member, path, await tasteFields(member, path));
  expect((await tastesOf(member)).favorite_studios).toEqual(favorite_studios);
});

test.each(forms)(
  "the form at %s removes an unticked studio and adds the studios that are typed",
  async (path) => {
    const member = await memberWith({ favorite_studios: ["Kyoto Animation", "Madhouse, Inc."] });
    const fields = await tasteFields(member, path);
    fields.delete("studio:Kyoto Animation", "on");
    fields.set("add_studios", "bones, yamamura animation, inc. ,Studio_4, madhouse, Studio_4");
    await post(member, path, fields);
    expect((await tastesOf(member)).favorite_studios).toEqual([
      "Madhouse, Inc.",
      "Bones",
      "Yamamura Animation, Inc.",
      "Studio_4",
      "madhouse",
    ]);
  },
);

test("a studio whose name is too long, or one more than 500, gets 400 and changes nothing", async () => {
  const favorite_studios = Array.from({ length: 500 }, (_, index) => `Studio ${index}`);
  const member = await memberWith({ favorite_studios });
  for (const added of ["One more", "x".repeat(201)]) {
    const fields = await tasteFields(member, "/profile/edit");
    fields.set("add_studios", added);
    const response = await member.request("/profile/edit", { method: "POST", body: fields });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/500 studios|200 characters/);
  }
  expect((await tastesOf(member)).favorite_studios).toEqual(favorite_studios);
});

test("a refused edit of the profile shows again what was chosen", async () => {
  const member = await memberWith({ favorite_genres: ["Drama"] });
  const fields = await tasteFields(member, "/profile/edit");
  fields.set("genre:Drama", "0");
  fields.set("genre:Sports", "on");
  fields.set("add_studios", "x".repeat(201));
  const response = await member.request("/profile/edit", { method: "POST", body: fields });
  expect(response.status).toBe(400);
  const html = await response.text();
  const boxOf = (name: string) =>
    new RegExp(`<input type="checkbox"[^>]*name="${name}"[^>]*>`).exec(html)?.[0];
  expect(boxOf("genre:Sports")).toContain("checked");
  expect(boxOf("genre:Drama")).not.toContain("checked=");
  // An unticked box that is stored as ticked still has its hidden field.
  expect(html).toContain('<input type="hidden" name="genre:Drama" value="0"/>');
  expect(html).toContain(`value="${"x".repeat(201)}"`);
  expect((await tastesOf(member)).favorite_genres).toEqual(["Drama"]);
});

test.each(forms)("the form at %s keeps favorites that it does not show", async (path) => {
  const before = {
    favorite_animes: [adult, visible, notInCatalog],
    favorite_genres: ["Hentai", "Drama", "Comedy"],
  };
  const member = await memberWith(before);
  await post(member, path, await tasteFields(member, path));
  expect(await tastesOf(member)).toMatchObject(before);

  await postWith(member, path, "find", (fields) => {
    fields.delete(`favorite:${visible}`, "on");
    fields.delete("genre:Drama", "on");
    fields.append("genre:Sports", "on");
  });
  const after = await tastesOf(member);
  expect(after.favorite_animes).toEqual([adult, notInCatalog]);
  expect(new Set(after.favorite_genres)).toEqual(new Set(["Hentai", "Comedy", "Sports"]));
});

test("a form that was opened before another device added a favorite keeps that favorite", async () => {
  const member = await memberWith({ favorite_genres: ["Drama"] });
  const other = await someTitle();
  const fields = await tasteFields(member, "/profile/edit");
  const json = { name: "Mio", last_name: "Akiyama", gender: "female", favorite_animes: [other] };
  await dataOf(member.request("/api/user/profile", { json: { ...json, favorite_studios: ["Bones"] } }));
  await post(member, "/profile/edit", fields);
  expect(await tastesOf(member)).toMatchObject({ favorite_animes: [other], favorite_studios: ["Bones"] });
});

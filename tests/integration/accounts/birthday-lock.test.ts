import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { tool } from "#app/cli/user.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { formOf } from "#tests/support/requests/page-form.ts";
import { type Member, newMember, newOperator } from "#tests/support/requests/visitor.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

/** A birthday under 18 hides titles for adults. Only an operator can end that before the day comes. */

const adultTitle = await someTitle({ rating: "rx" });
const person = { name: "Mio", last_name: "Akiyama", gender: "female" };
const thisYear = new Date().getUTCFullYear();
const [child, stillChild, adult] = [`${thisYear - 10}-01-02`, `${thisYear - 15}-01-02`, "1990-01-02"];

async function newChild(): Promise<Member> {
  const member = await newMember();
  const saved = await member.request("/api/user/profile", { json: { ...person, birthday: child } });
  expect(saved.status).toBe(200);
  return member;
}

async function storedOf({ id }: Member) {
  const [row] = await db
    .select({ birthday: users.birthday, parentalControl: users.parentalControl })
    .from(users)
    .where(eq(users.id, id));
  return row;
}

const maySeeAdultTitles = async (member: Member) => {
  await member.request("/api/saveUserPreferences", { json: { parentalControl: false } });
  return (await member.request(`/anime/${adultTitle}`, { redirect: "follow" })).status !== 403;
};

describe("a member under 18", () => {
  test.each([
    ["/api/user/profile", { json: { ...person, birthday: adult } }],
    ["/api/user/profile", { json: { ...person, birthday: null } }],
    ["/api/user/profile", { json: { ...person, birthday: stillChild } }],
    ["/api/saveUserPreferences", { json: { birthday: adult } }],
    ["/api/saveUserPreferences", { json: { birthday: null } }],
    ["/profile/edit", { form: { name: "Mio", birthday: adult } }],
    ["/profile/edit", { form: { name: "Mio", birthday: "" } }],
    ["/signup/profile", { form: { name: "Mio", birthday: adult } }],
  ])("is refused another birthday at %s, with the reason: %j", async (path, sent) => {
    const member = await newChild();
    const answer = await member.request(path, sent);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("can be changed only by an operator of this site");
    expect(await storedOf(member)).toMatchObject({ birthday: child });
    expect(await maySeeAdultTitles(member)).toBe(false);
  });

  test("keeps the birthday through an import of an account file and can still save everything else", async () => {
    const member = await newChild();
    const exported = await (await member.request("/api/user/export")).json();
    exported.profile = { ...exported.profile, birthday: adult };
    await member.request("/api/user/import", { json: exported });
    const renamed = { ...person, name: "Mio-chan", birthday: child };
    expect((await member.request("/api/user/profile", { json: renamed })).status).toBe(200);
    expect(await storedOf(member)).toMatchObject({ birthday: child });
  });

  test("sees the birthday as a field that cannot be changed, with the reason", async () => {
    const form = await formOf(await newChild(), "/profile/edit", "birthday");
    expect(/<input[^>]*name="birthday"[^>]*>/.exec(form)?.[0].toLowerCase()).toContain("readonly");
    expect(form).toContain("Only an operator of this site can change it.");
  });
});

describe("an operator", () => {
  test("ends the lock on the page of users, and parental control stays on until the member turns it off", async () => {
    const [operator, member] = [await newOperator(), await newChild()];
    expect(await (await operator.request("/admin/users")).text()).toContain("under 18");
    const form = { intent: "remove-birthday", id: member.id };
    expect((await member.request("/admin/users", { form })).status).toBe(403);
    const answer = await operator.request("/admin/users", { form });
    expect(await answer.text()).toContain("The birthday is removed.");
    expect(await storedOf(member)).toEqual({ birthday: null, parentalControl: true });
    expect(await (await operator.request("/admin/events")).text()).toContain("Removed the birthday");
    expect(await maySeeAdultTitles(member)).toBe(true);
  });

  test("cannot end the lock of their own account on the site", async () => {
    const operator = await newOperator();
    await operator.request("/api/user/profile", { json: { ...person, birthday: child } });
    const form = { intent: "remove-birthday", id: operator.id };
    expect((await operator.request("/admin/users", { form })).status).toBe(409);
    expect(await storedOf(operator)).toMatchObject({ birthday: child });
  });

  test("ends it with the command remove-birthday", async () => {
    const member = await newChild();
    expect((await runToolInProcess(tool, ["remove-birthday", member.email])).code).toBe(0);
    expect(await storedOf(member)).toEqual({ birthday: null, parentalControl: true });
  });
});

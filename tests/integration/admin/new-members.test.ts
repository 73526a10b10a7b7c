import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { credentials, users } from "#db/schema/accounts.ts";
import { postForm } from "#tests/support/requests/response-data.ts";
import { newMember, newOperator, Visitor } from "#tests/support/requests/visitor.ts";

/** Accounts that an operator creates for others. */

const operator = await newOperator();
const minako = { intent: "create", name: "Minako", email: "minako@example.org", role: "user" };

const post = (form: Record<string, string>, status: number, by: Visitor = operator) =>
  postForm(by, "/admin/users", form, status);

test("an operator creates an account, whose member sets the password with a link that works once", async () => {
  const html = await post(minako, 200);
  // The form is empty and closed again, ready for the next account.
  expect(html).toMatch(/<details><summary[^>]*>Create an account/);
  expect(html).not.toContain('value="Minako"');
  const [, path = ""] = / value="https?:\/\/[^/]+(\/reset\?token=[^"]+)"/.exec(html) ?? [];
  const token = new URL(path, "http://site").searchParams.get("token") ?? "";
  const form = { intent: "confirm", token, password: "Xyz987!a" };
  expect(await (await new Visitor().request(path)).text()).toContain("<h1>Set a new password</h1>");
  expect((await new Visitor().request("/reset", { form })).status).toBe(302);
  expect((await new Visitor().request("/reset", { form })).status).not.toBe(302);
  const member = new Visitor();
  const json = { email: minako.email, password: "Xyz987!a" };
  expect((await member.request("/api/auth/signin", { json })).status).toBe(200);
  expect((await member.request("/admin")).status).toBe(403);
  expect(await post(minako, 409)).toContain("already in use");
});

test("a wrong address or name makes no account", async () => {
  const before = await db.$count(users);
  const refused = await post({ ...minako, email: "minako" }, 400);
  expect(refused).toMatch(/<details open=""><summary[^>]*>Create an account/);
  expect(refused).toContain('value="Minako"');
  await post({ ...minako, email: "other@example.org", name: "M" }, 400);
  expect(await db.$count(users)).toBe(before);
});

test("an account of an operator is created only with the box ticked", async () => {
  const chief = { ...minako, name: "Chief", email: "chief@example.org", role: "operator" };
  expect(await post(chief, 400)).toContain("Nothing was saved");
  expect(await db.$count(users, eq(users.email, chief.email))).toBe(0);
  await post({ ...chief, confirmed: "1" }, 200);
  const [made] = await db.select({ role: users.role }).from(users).where(eq(users.email, chief.email));
  expect(made?.role).toBe("operator");
});

test("a member who is no operator creates none", async () => {
  await post({ ...minako, email: "third@example.org" }, 403, await newMember());
  expect(await db.$count(users, eq(users.email, "third@example.org"))).toBe(0);
});

test("a member without a password finds Set a password in the settings, and sets one there or on its own page", async () => {
  const member = await newMember();
  const textOf = async (path: string) => (await member.request(path)).text();
  const link = (label: string) => `<a class="link" href="#password">${label}</a>`;
  expect(await textOf("/settings")).toContain(link("Password"));
  expect(await textOf("/reset")).not.toContain("<h1>Set a password</h1>");
  await db.delete(credentials).where(eq(credentials.userId, member.id));
  expect(await textOf("/settings")).toContain(link("Set a password"));
  expect(await textOf("/reset")).toContain("<h1>Set a password</h1>");
  const form = { intent: "set", password: "Xyz987!a", redirectTo: "/list" };
  const answer = await member.request("/reset", { form });
  expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/list"]);
  const json = { email: member.email, password: "Xyz987!a" };
  expect((await new Visitor().request("/api/auth/signin", { json })).status).toBe(200);
});

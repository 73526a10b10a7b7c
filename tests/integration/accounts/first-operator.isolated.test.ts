import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { whenFree } from "#tests/support/requests/when-free.ts";

/** The page that creates the first operator, on a site that can be reached from outside. */

// On a slow machine, a minute could end between the requests of a test.
Object.assign(process.env, { HOST: "0.0.0.0", RATE_LIMIT_AUTH_POINTS: "1000", RATE_LIMIT_SECONDS: "86400" });
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { findSetupCode } = await import("#app/domain/setup/setup.server.ts");
const { createAccount } = await import("#app/domain/sign-in/sign-in.server.ts");
const { changeAccount } = await import("#app/domain/accounts/accounts.server.ts");
const { commandLine } = await import("#app/domain/events/events.server.ts");
const { db } = await import("#db/client.server.ts");
const { users } = await import("#db/schema/accounts.ts");

let code: string;
beforeEach(async () => {
  code = (await findSetupCode()) ?? "";
});
afterEach(() => db.delete(users));

const person = (name: string, given = code) => ({
  code: given,
  username: name,
  email: `${name.toLowerCase()}@example.org`,
  password: goodPassword,
});
const listOperators = () => db.select({ email: users.email }).from(users).where(eq(users.role, "operator"));

test("the code has at least 128 bits and stays the same until it is used", async () => {
  expect(Buffer.from(code, "base64url").length * 8).toBeGreaterThanOrEqual(128);
  expect(await findSetupCode()).toBe(code);
});

test("the code or its whole link creates and signs in the first operator, and is then used up", async () => {
  const visitor = new Visitor();
  expect(await (await visitor.request("/setup")).text()).toContain('name="code"');
  const made = await visitor.request("/setup", { form: person("Anna", `http://nas:3000/setup#${code}`) });
  expect([made.status, made.headers.get("Location")]).toEqual([302, "/admin/setup"]);
  expect((await visitor.request("/admin/setup")).status).toBe(200);
  expect(await (await visitor.request("/")).text()).toContain("Finish setting up: step 1 of 5");
  expect(await listOperators()).toEqual([{ email: "anna@example.org" }]);
  expect(await findSetupCode()).toBeNull();
  await db.delete(users);
  expect(await findSetupCode()).not.toBe(code);
  expect((await new Visitor().request("/setup", { form: person("Berta") })).status).toBe(403);
});

test("the code is useless once an operator was created another way, even after that operator is deleted", async () => {
  for (const make of [
    async () => {
      const member = await newMember();
      await changeAccount(member.id, { role: "operator" }, commandLine);
    },
    () =>
      createAccount(
        { username: "Olga", email: "olga@example.org", password: goodPassword },
        { role: "operator" },
      ),
  ]) {
    const before = (await findSetupCode()) ?? "";
    await make();
    expect(await listOperators()).toHaveLength(1);
    await db.delete(users);
    expect(await findSetupCode()).not.toBe(before);
    expect((await new Visitor().request("/setup", { form: person("Anna", before) })).status).toBe(403);
    expect(await db.$count(users)).toBe(0);
  }
});

test("a wrong, an empty and a missing code are refused, and no account is made", async () => {
  const { code: _, ...withoutCode } = person("Anna");
  for (const form of [person("Anna", "A".repeat(43)), person("Anna", ""), withoutCode]) {
    const refused = await new Visitor().request("/setup", { form });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("The code is wrong");
  }
  expect(await db.$count(users)).toBe(0);
});

test("two people with the code at once: one becomes the operator", async () => {
  const people = ["Anna", "Berta", "Carla"].map((name) => ({ name, visitor: new Visitor() }));
  const create = ({ name, visitor }: (typeof people)[number]) =>
    whenFree(() => visitor.request("/setup", { form: person(name) }));
  await Promise.all(people.map(create));
  const pages = await Promise.all(people.map(({ visitor }) => visitor.request("/admin/setup")));
  expect(pages.map(({ status }) => status).sort()).toEqual([200, 302, 302]);
  expect(await db.$count(users)).toBe(1);
  expect(await listOperators()).toHaveLength(1);
});

test("once an operator exists, the page leads to sign-in, and its form creates no account, even with the old code", async () => {
  await newOperator();
  const visitor = new Visitor();
  const page = await visitor.request("/setup");
  expect([page.status, page.headers.get("Location")]).toEqual([302, "/admin/setup"]);
  expect((await visitor.request("/admin/setup")).headers.get("Location")).toMatch(/^\/signin/);
  const refused = await visitor.request("/setup", { form: person("Anna") });
  expect([refused.status, refused.headers.get("Location")]).toEqual([302, "/admin/setup"]);
  expect(refused.headers.getSetCookie()).toEqual([]);
  expect(await db.$count(users)).toBe(1);
});

test("after the last operator deletes the account, the old code creates no account, however that operator was created", async () => {
  const operator = await newMember();
  await changeAccount(operator.id, { role: "operator" }, commandLine);
  const json = { password: goodPassword };
  const left = await operator.request("/api/user/account", { method: "DELETE", json });
  expect(left.status).toBe(200);
  const visitor = new Visitor();
  const { code: _, ...withoutCode } = person("Anna");
  expect(await (await visitor.request("/setup")).text()).toContain('name="code"');
  for (const form of [person("Anna"), withoutCode])
    expect((await visitor.request("/setup", { form })).status).toBe(403);
  expect(await db.$count(users)).toBe(0);
  // The next start prints a new code.
  const next = (await findSetupCode()) ?? "";
  expect((await visitor.request("/setup", { form: person("Anna", next) })).status).toBe(302);
});

test("a form of another site is refused", async () => {
  const headers = { Origin: "https://elsewhere.example" };
  const refused = await new Visitor().request("/setup", { form: person("Anna"), headers });
  expect(refused.status).toBe(403);
  expect(await db.$count(users)).toBe(0);
});

test("a client that tries many codes is refused before its code is compared", async () => {
  const visitor = new Visitor();
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 25; attempt++)
    statuses.add((await visitor.request("/setup", { form: person("Anna", "wrong") })).status);
  expect([...statuses]).toEqual([403, 429]);
  expect((await visitor.request("/setup", { form: person("Anna") })).status).toBe(429);
});

import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** Invalid input to the account endpoints gets an error, sets no cookie and creates no account. */

const values: [string, unknown][] = [
  ["an array", ["a@b.co"]],
  ["an object", { $gt: "" }],
  ["null", null],
  ["a number", 7],
  ["a boolean", true],
  ["missing", undefined],
  ["an empty string", ""],
  ["a text with NUL", "Abc1!x\0@example.org"],
  ["a text with a lone surrogate", "Abc1!\ud800@example.org"],
  ["20 kB long", `Abc1!${"x".repeat(20_000)}@example.org`],
  ["emoji of more than 72 bytes", `aA1!${"😀".repeat(18)}`],
  ["a text with line breaks", "a@b.co\r\nBcc: evil@example.org"],
  ["a text with a character that reverses its direction", "admin\u202e@example.org"],
];
const good = { username: "Somebody", email: "somebody@example.org", password: goodPassword };
const fields = ["username", "email", "password"] as const;

async function expectBad(response: Response, field: string) {
  expect(response.status).toBe(400);
  const body = (await response.json()) as { status: number; error: string; issues: { path: string }[] };
  expect(body).toMatchObject({ status: 400, error: expect.any(String) });
  expect(body.issues.map(({ path }) => path)).toContain(field);
  expect(response.headers.getSetCookie()).toEqual([]);
}

test.each(fields.flatMap((field) => values.map(([what, value]) => [field, what, value] as const)))(
  "a sign-up whose %s is %s gets 400 with an issue for that field",
  async (field, what, value) => {
    // A user name may contain these: its line breaks become one space, and its length counts characters, not bytes.
    if (field === "username" && (what === "a text with line breaks" || what.startsWith("emoji"))) return;
    const response = await new Visitor().request("/api/auth/signup", { json: { ...good, [field]: value } });
    await expectBad(response, field);
    expect(await db.$count(users)).toBe(0);
  },
);

test("a sign-up with missing or wrong fields gets one issue for each of them", async () => {
  for (const [json, paths] of [
    [{}, ["email", "password", "username"]],
    [{ username: 1 }, ["email", "password", "username"]],
    [{ email: good.email }, ["password", "username"]],
    [{ email: good.email, password: goodPassword }, ["username"]],
  ] as const) {
    const response = await new Visitor().request("/api/auth/signup", { json });
    const { issues } = (await response.json()) as { issues: { path: string }[] };
    expect(issues.map(({ path }) => path).sort(), JSON.stringify(json)).toEqual(paths);
  }
});

test.each(
  (["email", "password"] as const).flatMap((field) =>
    values.slice(0, 10).map(([what, value]) => [field, what, value] as const),
  ),
)("a sign-in whose %s is %s gets 400, or 401 for an empty string", async (field, _, value) => {
  const response = await new Visitor().request("/api/auth/signin", {
    json: { email: good.email, password: good.password, [field]: value },
  });
  const isEmptyString = value === "";
  expect(response.status).toBe(isEmptyString ? 401 : 400);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test.each([
  ["incomplete JSON", "{", "application/json", 400],
  ["an array", "[]", "application/json", 400],
  ["null", "null", "application/json", 400],
  ["a JSON string", '"x"', "application/json", 400],
  ["not valid UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "application/json", 400],
  ["empty", "", "application/json", 400],
  ["an object with __proto__", '{"__proto__":{"email":"a@b.co"}}', "application/json", 400],
  ["plain text", "email=a@b.co", "text/plain", 415],
  ["XML", "<email/>", "application/xml", 415],
  ["larger than 256 KiB", `{"email":"${"x".repeat(270_000)}"}`, "application/json", 413],
  ["a broken multipart form", "--x", "multipart/form-data; boundary=y", 302],
])("a body that is %s is refused and sets no cookie", async (_, body, type, status) => {
  for (const path of ["/api/auth/signup", "/api/auth/signin"]) {
    const response = await new Visitor().request(path, {
      method: "POST",
      body: body as BodyInit,
      headers: { "Content-Type": type },
    });
    expect(response.status, path).toBe(status);
    expect(response.headers.getSetCookie()).toEqual([]);
  }
});

test("a form over 256 KiB without a Content-Length is sent back with error=413", async () => {
  const chunks = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(3072, "x")));
  const init: object = {
    method: "POST",
    body: Readable.toWeb(chunks),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    duplex: "half",
  };
  const response = await new Visitor().request("/api/auth/signin", init);
  expect(response.headers.get("Location")).toBe("/signin?error=413");
});

test("a form with a repeated field, or with a file as its email, is sent back with error=400 and creates no account", async () => {
  const twice = await new Visitor().request("/api/auth/signup", {
    method: "POST",
    body: "username=Somebody&email=x&email=a@b.co&password=Abc123!x",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  expect(twice.headers.get("Location")).toBe("/signup?error=400");
  const form = new FormData();
  form.set("username", "Somebody");
  form.set("email", new Blob(["a@b.co"]), "email.txt");
  form.set("password", goodPassword);
  const file = await new Visitor().request("/api/auth/signup", { method: "POST", body: form });
  expect(file.headers.get("Location")).toBe("/signup?error=400");
  expect(await db.$count(users)).toBe(0);
});

test.each(["GET", "PUT", "PATCH", "DELETE"])(
  "%s on an endpoint that takes only POST gets 405 with Allow",
  async (method) => {
    for (const path of [
      "signup",
      "signin",
      "signout",
      "provider",
      "password",
      "reset",
      "reset/confirm",
      "verify",
    ]) {
      const member = path === "password" ? await newMember() : new Visitor();
      const response = await member.request(`/api/auth/${path}`, { method });
      expect(response.status, path).toBe(405);
      expect(response.headers.get("Allow")).toBe("POST, OPTIONS");
    }
  },
);

test("a sign-up that sends role, id and emailVerifiedAt gets none of them", async () => {
  const visitor = new Visitor();
  const json = {
    ...good,
    email: "mass@example.org",
    role: "operator",
    id: "1",
    emailVerifiedAt: "2020-01-01",
  };
  expect((await visitor.request("/api/auth/signup", { json })).status).toBe(201);
  const stored = (await db.select().from(users)).find((user) => user.email === "mass@example.org");
  expect(stored).toMatchObject({ role: "user", emailVerifiedAt: null });
});

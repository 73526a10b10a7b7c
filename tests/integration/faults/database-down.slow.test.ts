import { afterEach, expect, test } from "vitest";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";

const network = await startFaultyNetwork(process.env.DATABASE_URL!);
process.env.DATABASE_URL = network.url;
process.env.LOG_LEVEL = "error";
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");

afterEach(() => network.refuse(false));

const internal = { error: "An internal server error occurred", status: 500 };

test("while the database is down, a valid cookie gets 500 and stays, other requests get 401; afterwards both work", async () => {
  const member = await newMember();
  network.refuse(true);
  const visitor = new Visitor();
  expect((await visitor.request("/api/auth/sessions")).status).toBe(401);
  visitor.cookies.set("engawa-session", "not.ours");
  expect((await visitor.request("/api/auth/sessions")).status).toBe(401);
  for (const path of ["/api/auth/sessions", "/api/auth/tokens", "/api/auth/session"]) {
    const response = await member.request(path);
    expect(response.status, path).toBe(500);
    expect(await response.json()).toEqual(internal);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  }
  const json = { email: member.email, password: goodPassword };
  const signIn = await visitor.request("/api/auth/signin", { json });
  expect(signIn.status).toBe(500);
  expect(await signIn.json()).toEqual({ error: "Internal server error", status: 500 });

  network.refuse(false);
  await expect.poll(async () => (await member.request("/api/auth/sessions")).status).toBe(200);
  expect((await new Visitor().request("/api/auth/signin", { json })).status).toBe(200);
});

test.each([
  ["refuses connections", network.refuse],
  ["does not answer", network.swallow],
  ["is gone", network.leave],
] as const)(
  "while the database %s, GET /api/auth/session gets 500 with a session and 200 without one",
  async (_name, fault) => {
    const member = await newMember();
    await fault(true);
    const [signedIn, headOnly, visitor] = await Promise.all([
      member.request("/api/auth/session"),
      member.request("/api/auth/session", { method: "HEAD" }),
      new Visitor().request("/api/auth/session"),
    ]);
    await fault(false);
    expect([signedIn.status, await signedIn.json()]).toEqual([500, internal]);
    expect(signedIn.headers.getSetCookie()).toEqual([]);
    expect(headOnly.status).toBe(500);
    expect([visitor.status, await visitor.json()]).toEqual([200, { success: true, data: null }]);
    await expect.poll(async () => (await member.request("/api/auth/session")).status).toBe(200);
  },
);

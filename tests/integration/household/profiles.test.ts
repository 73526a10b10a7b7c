import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { changeAccount, listAccounts } from "#app/domain/accounts/accounts.server.ts";
import { commandLine } from "#app/domain/events/events.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember, sessionOf, Visitor } from "#tests/support/requests/visitor.ts";
import { origin } from "#tests/support/site/in-process.ts";

/** Several people share an account, in a browser without JavaScript. */

async function post(visitor: Visitor, path: string, form: Record<string, string>, status = 302) {
  const answer = await visitor.request(path, { form });
  expect(answer.status, `${path} ${JSON.stringify(form)}`).toBe(status);
  return answer;
}

const profileIds = async (accountId: string) =>
  (
    await db
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(eq(users.accountId, accountId))
      .orderBy(users.createdAt)
  ).map(({ id }) => id);

/** A member whose account has one more profile for each name. */
async function newHousehold(...names: string[]): Promise<Member & { profiles: string[] }> {
  const member = await newMember();
  for (const name of names) await post(member, "/profiles/manage", { name, accent: "#16a34a" });
  return Object.assign(member, { profiles: await profileIds(member.id) });
}

const switchTo = (visitor: Visitor, profile: string, redirectTo = "/") =>
  post(visitor, "/profiles", { profile, redirectTo });

const userOf = async (visitor: Visitor) => (await sessionOf(visitor))?.user;
const signInAgain = async ({ email, address }: Member) => {
  const visitor = new Visitor(address);
  await dataOf(visitor.request("/api/auth/signin", { json: { email, password: goodPassword } }));
  return visitor;
};
const list = async (visitor: Visitor) =>
  (await dataOf<{ mal_id: number }[]>(visitor.request("/api/user/watchList"))).map(({ mal_id }) => mal_id);
const html = async (visitor: Visitor, path: string) => (await visitor.request(path)).text();

describe("an account with one profile", () => {
  test("is not asked who is watching after it signs in", async () => {
    const member = await newMember();
    const visitor = new Visitor();
    const answer = await post(visitor, "/signin", {
      email: member.email,
      password: goodPassword,
      redirectTo: "/list",
    });
    expect(answer.headers.get("Location")).toBe("/list");
    expect(await html(visitor, "/")).not.toContain('href="/profiles"');
    expect((await visitor.request("/profiles")).headers.get("Location")).toBe("/profiles/manage");
  });
});

describe("who is watching", () => {
  test("follows sign-in by page, form or API, and leads to where the member wanted to go", async () => {
    const member = await newHousehold("Ren");
    for (const path of ["/signin", "/api/auth/signin"]) {
      const form = { email: member.email, password: goodPassword, redirectTo: "/list?type=Watching" };
      const answer = await post(new Visitor(), path, form);
      expect(answer.headers.get("Location"), path).toBe("/profiles?redirectTo=%2Flist%3Ftype%3DWatching");
    }
    const page = await html(member, "/profiles?redirectTo=%2Flist");
    expect(page).toContain("Who is watching?");
    expect(page).toContain("<span>Ren</span>");
    const answer = await switchTo(member, member.profiles[0] ?? "", "/list");
    expect(answer.headers.get("Location")).toBe("/list");
    expect((await switchTo(member, member.id, "https://evil.example")).headers.get("Location")).toBe("/");
  });

  test("a title to be added goes to the list of the chosen profile", async () => {
    const member = await newHousehold("Ren");
    const malId = await someTitle();
    await switchTo(member, member.profiles[0] ?? "", `/list?add=${malId}`);
    expect(await list(member)).toEqual([malId]);
    await switchTo(member, member.id);
    expect(await list(member)).toEqual([]);
  });

  test("switching gives the session another secret, so that a copied cookie no longer works", async () => {
    const member = await newHousehold("Ren");
    const copy = new Visitor();
    for (const [name, value] of member.cookies) copy.cookies.set(name, value);
    await switchTo(member, member.profiles[0] ?? "");
    expect(await userOf(copy)).toBeUndefined();
    expect((await userOf(member))?.id).toBe(member.profiles[0]);
  });

  test("the session remembers its profile, and each browser has its own", async () => {
    const member = await newHousehold("Ren");
    const television = await signInAgain(member);
    await switchTo(television, member.profiles[0] ?? "");
    expect(await userOf(television)).toMatchObject({
      id: member.profiles[0],
      name: "Ren",
      email: member.email,
    });
    expect(await userOf(member)).toMatchObject({ id: member.id, email: member.email });
  });

  test("a profile of another account cannot be chosen", async () => {
    const [member, other] = [await newHousehold("Ren"), await newHousehold("Aoi")];
    for (const profile of [other.id, other.profiles[0] ?? "", "00000000-0000-4000-8000-000000000000"])
      await post(member, "/profiles", { profile, redirectTo: "/" }, 404);
    expect((await userOf(member))?.id).toBe(member.id);
  });
});

describe("each profile", () => {
  test("has its own list, preferences and token", async () => {
    const member = await newHousehold("Ren");
    const malId = await someTitle({ episodes: 12 });
    await switchTo(member, member.profiles[0] ?? "");
    await dataOf(member.request("/api/user/watchList", { json: { animeId: malId, type: "Watching" } }));
    await dataOf(member.request("/api/saveUserPreferences", { json: { titleLanguage: "japanese" } }));
    const { token } = await dataOf<{ token: string }>(
      member.request("/api/auth/tokens", { json: { name: "bot", scope: "read" } }),
      201,
    );
    await switchTo(member, member.id);
    expect(await list(member)).toEqual([]);
    expect(await dataOf(member.request("/api/auth/tokens"))).toEqual([]);
    const program = await new Visitor().request("/api/user/watchList", {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(((await program.json()) as { data: { mal_id: number }[] }).data.map((one) => one.mal_id)).toEqual([
      malId,
    ]);
    const [kept] = await db
      .select()
      .from(users)
      .where(eq(users.id, member.profiles[0] ?? ""));
    expect(kept).toMatchObject({
      titleLanguage: "japanese",
      accentColor: "#16a34a",
      role: "user",
      email: null,
    });
  });

  test("may have a name of two letters, also after it edits its profile", async () => {
    const member = await newHousehold("Jo");
    await switchTo(member, member.profiles[0] ?? "");
    expect(await html(member, "/profile/edit")).not.toContain(">Birthday");
    await post(member, "/profile/edit", { name: "Al" });
    expect(await userOf(member)).toMatchObject({ name: "Al" });
  });

  test("may have a name of one emoji", async () => {
    expect((await newHousehold("🦊", "🇯🇵")).profiles).toHaveLength(2);
  });

  test("new profiles and pictures count toward the account's one quota, and eight profiles are the maximum", async () => {
    const member = await newHousehold("A1", "A2", "A3", "A4", "A5", "A6", "A7");
    await post(member, "/profiles/manage", { name: "A8", accent: "#16a34a" }, 409);
    expect(member.profiles).toHaveLength(7);
    expect(await html(member, "/profiles/manage")).not.toContain("Add profile");
  });
});

describe("only the first profile", () => {
  test("manages the household and the account; pages and endpoints refuse the other profiles", async () => {
    const member = await newHousehold("Ren", "Aoi");
    const [ren = "", aoi = ""] = member.profiles;
    await switchTo(member, ren);
    await post(member, "/profiles/manage", { name: "Mei", accent: "#16a34a" }, 403);
    await post(member, `/profiles/${aoi}`, { intent: "delete" }, 403);
    await post(member, "/settings/password", { current: goodPassword, password: "Newpas1!" }, 403);
    await post(member, "/settings/email", { current: goodPassword, email: "ren@example.org" }, 403);
    await post(member, "/settings/sessions", { others: "true" }, 403);
    await post(member, "/settings/account", { password: goodPassword }, 403);
    for (const [path, method, json] of [
      ["/api/user/account", "DELETE", { password: goodPassword }],
      ["/api/auth/sessions", "DELETE", { others: true }],
      ["/api/auth/password", "POST", { current: goodPassword, password: "Newpas1!" }],
    ] as const)
      expect((await member.request(path, { method, json })).status, path).toBe(403);
    expect((await member.request("/api/auth/sessions")).status).toBe(403);
    const settings = await html(member, "/settings");
    expect(settings).toContain("Make this an account of its own");
    expect(settings).toContain("Your PIN");
    for (const id of ["delete-password", 'id="password"', 'id="sessions"'])
      expect(settings, id).not.toContain(id);
    const picture = await member.request(`/profile/picture?kind=avatar&profile=${aoi}`, {
      method: "POST",
      headers: { Accept: "application/json" },
    });
    expect(picture.status).toBe(404);
  });

  test("renames and deletes another profile, which ends that profile's sessions", async () => {
    const member = await newHousehold("Ren", "Aoi");
    const [ren = "", aoi = ""] = member.profiles;
    const television = await signInAgain(member);
    await switchTo(television, ren);
    await post(member, `/profiles/${aoi}`, { intent: "save", name: "Aoi-chan", accent: "#0891b2" });
    expect(await html(member, "/profiles")).toContain("Aoi-chan");
    await post(member, `/profiles/${member.id}`, { intent: "delete" });
    await post(member, `/profiles/${ren}`, { intent: "delete" });
    expect(await profileIds(member.id)).toEqual([aoi]);
    expect(await userOf(television)).toBeUndefined();
    expect((await userOf(member))?.id).toBe(member.id);
    const other = await newHousehold("Mei");
    await post(member, `/profiles/${other.profiles[0]}`, { intent: "delete" });
    expect(await profileIds(other.id)).toEqual(other.profiles);
  });
});

describe("ending an account's sessions ends those of all its profiles", () => {
  const twoBrowsers = async () => {
    const member = await newHousehold("Ren");
    const television = await signInAgain(member);
    await switchTo(television, member.profiles[0] ?? "");
    const { token } = await dataOf<{ token: string }>(
      television.request("/api/auth/tokens", { json: { name: "bot", scope: "read" } }),
      201,
    );
    const program = async () =>
      (await new Visitor().request("/api/user/watchList", { headers: { Authorization: `Bearer ${token}` } }))
        .status;
    return { member, television, program };
  };

  test("signing out everywhere else", async () => {
    const { member, television, program } = await twoBrowsers();
    expect(await html(member, "/settings")).toContain("(Ren)");
    await post(member, "/settings/sessions", { others: "true" });
    expect(await userOf(television)).toBeUndefined();
    expect((await userOf(member))?.id).toBe(member.id);
    expect(await program()).toBe(200);
  });

  test("a new password, which ends the tokens too", async () => {
    const { member, television, program } = await twoBrowsers();
    await dataOf(
      member.request("/api/auth/password", { json: { current: goodPassword, password: "Newpas1!" } }),
    );
    expect(await userOf(television)).toBeUndefined();
    expect(await program()).toBe(401);
  });

  test("an operator who disables the account", async () => {
    const { member, television, program } = await twoBrowsers();
    await changeAccount(member.id, { disabled: true }, commandLine);
    expect(await userOf(television)).toBeUndefined();
    expect(await program()).toBe(401);
  });
});

describe("a profile that leaves", () => {
  const access = () => ({
    email: `left-${Math.random().toString(36).slice(2)}@example.org`,
    password: "Newpas1!",
  });

  test("becomes an account with all its data, and the household keeps the rest", async () => {
    const member = await newHousehold("Ren", "Aoi");
    const [ren = "", aoi = ""] = member.profiles;
    const malId = await someTitle();
    const phone = await signInAgain(member);
    await switchTo(phone, ren);
    const television = await signInAgain(member);
    await switchTo(television, ren);
    await dataOf(phone.request("/api/user/watchList", { json: { animeId: malId, type: "Watching" } }));
    const leaving = access();
    await post(phone, "/profiles/leave", leaving);
    expect(await userOf(phone)).toMatchObject({ id: ren, email: leaving.email });
    expect(await list(phone)).toEqual([malId]);
    expect(await userOf(television)).toBeUndefined();
    const again = await dataOf<{ user: { id: string } }>(
      new Visitor().request("/api/auth/signin", { json: leaving }),
    );
    expect(again.user.id).toBe(ren);
    expect(await profileIds(member.id)).toEqual([aoi]);
    await post(phone, "/profiles", { profile: member.id, redirectTo: "/" });
    expect((await userOf(phone))?.id).toBe(ren);
    await dataOf(member.request("/api/user/account", { method: "DELETE", json: { password: goodPassword } }));
    expect(await list(phone)).toEqual([malId]);
    expect(await db.$count(users, eq(users.id, aoi))).toBe(0);
  });

  test("may keep its name of two letters, but not take another one", async () => {
    const member = await newHousehold("Jo");
    await switchTo(member, member.profiles[0] ?? "");
    await post(member, "/profiles/leave", access());
    await post(member, "/profile/edit", { name: "Jo", last_name: "March" });
    await post(member, "/profile/edit", { name: "Al" }, 400);
    expect(await userOf(member)).toMatchObject({ name: "Jo" });
  });

  test("needs an unused address and a good password; the first profile cannot leave", async () => {
    const member = await newHousehold("Ren");
    const leaving = access();
    await post(member, "/profiles/leave", leaving);
    expect(await userOf(member)).toMatchObject({ id: member.id, email: member.email });
    await switchTo(member, member.profiles[0] ?? "");
    await post(member, "/profiles/leave", { ...leaving, email: member.email }, 409);
    await post(member, "/profiles/leave", { ...leaving, password: "short" }, 400);
    expect(await userOf(member)).toMatchObject({ email: member.email });
  });
});

test("the owner's file names the other profiles, and another profile's file holds only its own data", async () => {
  const member = await newHousehold("Ren");
  const malId = await someTitle();
  await switchTo(member, member.profiles[0] ?? "");
  await dataOf(member.request("/api/user/watchList", { json: { animeId: malId, type: "Watching" } }));
  const own = (await (await member.request("/api/user/export")).json()) as Record<string, unknown[]>;
  expect(own).not.toHaveProperty("profiles");
  expect(own.watch_list).toHaveLength(1);
  expect(own.profile).toMatchObject({ name: "Ren" });
  await switchTo(member, member.id);
  const whole = (await (await member.request("/api/user/export")).json()) as Record<string, unknown[]>;
  expect(whole.profiles).toEqual([{ name: "Ren", ceiling: null, created_at: expect.any(String) }]);
  expect(whole.watch_list).toEqual([]);
});

test("operators see an account once, with the number of its profiles", async () => {
  const member = await newHousehold("Ren", "Aoi");
  const television = await signInAgain(member);
  await switchTo(television, member.profiles[0] ?? "");
  await db.execute(
    sql`update sessions set last_seen_at = now() - interval '2 days' where user_id = ${member.id}::uuid`,
  );
  const accounts = await listAccounts({ after: member.email.slice(0, -1), limit: 500 });
  const [found] = accounts.filter(({ id }) => id === member.id);
  expect(found).toMatchObject({ profiles: 3, email: member.email });
  // Signing in again just started another session. The other session is two days old.
  expect(Date.now() - (found?.lastSeenAt?.getTime() ?? 0)).toBeLessThan(86_400_000);
  expect(accounts.filter(({ id }) => member.profiles.includes(id))).toEqual([]);
});

test("a form of another site cannot switch the profile", async () => {
  const member = await newHousehold("Ren");
  const answer = await member.request("/profiles", {
    form: { profile: member.profiles[0] ?? "" },
    headers: { Origin: "https://evil.example" },
  });
  expect(answer.status).toBe(403);
  expect(origin).not.toContain("evil");
  expect((await userOf(member))?.id).toBe(member.id);
});

import bcrypt from "bcryptjs";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { credentials, profilePins, sessions, signInFailures, users } from "#db/schema/accounts.ts";
import { securityEvents } from "#db/schema/events.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import {
  addProfile,
  anotherBrowserOf,
  newChild,
  ownersPin,
  switchTo,
} from "#tests/support/requests/household.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember, sessionOf, Visitor } from "#tests/support/requests/visitor.ts";

/** How a grown-up's profile is opened in a household with a child. */

const owner = await newMember();
const child = await addProfile(owner, "Mio", "g");
const sister = await addProfile(owner, "Yui", "pg");
const grownUp = await addProfile(owner, "Ren");
beforeEach(() =>
  db.update(profilePins).set({ failures: 0, waitsUntil: null, dayBeganAt: null, wrongInDay: 0 }),
);

const enter = (visitor: Visitor, profile: string, proof: Record<string, string> = {}) =>
  visitor.request("/profiles", { form: { profile, redirectTo: "/list", ...proof } });
const profileOf = async (visitor: Visitor) => (await sessionOf(visitor))?.user.id;
/** Another browser of the household, in a child's profile. */
async function television(at = child) {
  const visitor = await anotherBrowserOf(owner);
  await switchTo(visitor, at);
  return visitor;
}
const rowOf = async (id: string) =>
  (await db.select().from(profilePins).where(eq(profilePins.userId, id)))[0];

describe("the first child of a household", () => {
  test("needs a PIN from the owner, who types none for a grown-up and no second one for the next child", async () => {
    const other = await newMember();
    const form = { name: "Mio", accent: "#16a34a", ceiling: "g" };
    for (const pin of [undefined, "", "123", "123456789", "12a4", "١٢٣٤"]) {
      const answer = await other.request("/profiles/manage", {
        form: { ...form, ...(pin !== undefined && { pin }) },
      });
      expect(answer.status, pin).toBe(400);
      const page = await answer.text();
      expect(page.match(/This needs 4 to 8 digits|Type a PIN/g), pin).toEqual(["This needs 4 to 8 digits"]);
    }
    expect(await db.$count(users, eq(users.accountId, other.id))).toBe(0);
    expect((await other.request("/profiles/manage", { form: { ...form, ceiling: "" } })).status).toBe(302);
    expect(await rowOf(other.id)).toBeUndefined();
    expect((await other.request("/profiles/manage", { form: { ...form, pin: " 123456 " } })).status).toBe(
      302,
    );
    expect((await rowOf(other.id))?.hash).toMatch(/^\$2/);
    expect((await other.request("/profiles/manage", { form: { ...form, name: "Yui" } })).status).toBe(302);
  });

  test("stores a hash that cannot be tested without the site's secret", async () => {
    const hash = (await rowOf(owner.id))?.hash ?? "";
    expect(bcrypt.getRounds(hash)).toBeGreaterThanOrEqual(11);
    expect(bcrypt.compareSync(ownersPin, hash)).toBe(false);
  });
});

describe("from the profile of a child", () => {
  test("a grown-up's PIN is asked on its own page, in a field that a remote control can fill", async () => {
    const visitor = await television();
    const asked = await enter(visitor, owner.id);
    const location = asked.headers.get("Location") ?? "";
    expect([asked.status, location]).toEqual([302, `/profiles?enter=${owner.id}&redirectTo=%2Flist`]);
    const page = await (await visitor.request(location)).text();
    const field = /<input[^>]*name="pin"[^>]*>/.exec(page)?.[0] ?? "";
    expect(field).toMatch(/inputmode="numeric"/i);
    expect(field).toMatch(/autocomplete="off"/i);
    // The PIN can be pasted whole, because the field is one and does not cut its input.
    expect(field).not.toMatch(/maxlength|readonly/i);
    const wrong = await visitor.request(location, { form: { profile: owner.id, pin: "739146" } });
    expect(wrong.status).toBe(400);
    const html = await wrong.text();
    expect(html).toContain("The PIN is wrong.");
    expect(html).not.toContain("This is wrong");
    expect(html).not.toContain("739146");
    expect(await profileOf(visitor)).toBe(child);
    const right = await enter(visitor, owner.id, { pin: ownersPin });
    expect([right.status, right.headers.get("Location")]).toEqual([302, "/list"]);
    expect(await profileOf(visitor)).toBe(owner.id);
  });

  test("a grown-up without a PIN types the account's password, and a child types nothing", async () => {
    const visitor = await television();
    expect((await enter(visitor, grownUp)).headers.get("Location")).toContain(`enter=${grownUp}`);
    for (const proof of [{ pin: ownersPin }, { password: "Wrong123!x" }, { password: "" }])
      expect((await enter(visitor, grownUp, proof)).status, JSON.stringify(proof)).toBeGreaterThanOrEqual(
        400,
      );
    expect(await profileOf(visitor)).toBe(child);
    await switchTo(visitor, sister);
    expect((await enter(visitor, grownUp, { password: owner.password })).status).toBe(302);
    expect(await profileOf(visitor)).toBe(grownUp);
    await switchTo(visitor, child);
  });

  test("an account without a password asks for a sign-in that is not older than ten minutes", async () => {
    const { owner: other, child: visitor } = await newChild("g");
    await db.delete(profilePins).where(eq(profilePins.userId, other.id));
    await db.delete(credentials).where(eq(credentials.userId, other.id));
    await db
      .update(sessions)
      .set({ signedInAt: sql`now() - interval '11 minutes'` })
      .where(eq(sessions.userId, visitor.id));
    const asked = await enter(visitor, other.id);
    expect(asked.headers.get("Location")).toContain("enter=");
    expect(await (await visitor.request(asked.headers.get("Location") ?? "")).text()).toContain(
      'href="/signin',
    );
    expect((await visitor.request("/signin")).status).toBe(200);
    expect((await enter(visitor, other.id, { password: other.password })).status).toBe(403);
    await db.update(sessions).set({ signedInAt: new Date() }).where(eq(sessions.userId, visitor.id));
    expect((await enter(visitor, other.id)).headers.get("Location")).toBe("/list");
    // A browser that was left alone on the owner's profile.
    await db.update(sessions).set({ asksWho: true }).where(eq(sessions.userId, other.id));
    expect((await other.request("/signin")).status).toBe(200);
  });

  test("signing out is refused, since visitors may see more, and leads to profile selection", async () => {
    const visitor = await television();
    const answer = await visitor.request("/api/auth/signout", { method: "POST" });
    expect([answer.status, await answer.json()]).toMatchObject([403, { status: 403 }]);
    const form = await visitor.request("/api/auth/signout", { form: {} });
    expect(form.headers.get("Location")).toBe("/profiles");
    expect(await profileOf(visitor)).toBe(child);
    expect(await (await visitor.request("/profile")).text()).not.toContain("/api/auth/signout");
    await enter(visitor, owner.id, { pin: ownersPin });
    expect((await visitor.request("/api/auth/signout", { method: "POST" })).status).toBe(200);
  });
});

describe("from the profile of a grown-up", () => {
  test("only a PIN is required", async () => {
    const visitor = await anotherBrowserOf(owner);
    await switchTo(visitor, grownUp);
    expect((await enter(visitor, owner.id)).headers.get("Location")).toContain(`enter=${owner.id}`);
    expect((await enter(visitor, owner.id, { pin: ownersPin })).headers.get("Location")).toBe("/list");
  });

  test("who does not know the PIN can sign in again if the account has no password", async () => {
    const { owner: other } = await newChild("g");
    const sibling = await addProfile(other, "Ren");
    await switchTo(other, sibling);
    await db.delete(credentials).where(eq(credentials.userId, other.id));
    await db
      .update(sessions)
      .set({ signedInAt: sql`now() - interval '11 minutes'` })
      .where(eq(sessions.userId, sibling));
    const asked = await enter(other, other.id);
    const html = await (await other.request(asked.headers.get("Location") ?? "")).text();
    const [, again = ""] = /href="(\/signin[^"]*)"/.exec(html) ?? [];
    const page = await other.request(again.replaceAll("&amp;", "&"));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Sign in again to open that profile.");
  });
});

describe("wrong PINs", () => {
  test("block the profile for a while, from any address, without affecting the password or other profiles", async () => {
    const televisions = [await television(), await television(sister)];
    for (let guess = 0; guess < 4; guess++)
      expect((await enter(televisions[guess % 2]!, owner.id, { pin: `000${guess}` })).status).toBe(400);
    const fifth = await enter(televisions[0]!, owner.id, { pin: "0004" });
    expect(fifth.status).toBe(403);
    expect(await fifth.text()).toContain("Too many wrong PINs. Wait a minute");
    for (const visitor of televisions)
      expect((await enter(visitor, owner.id, { pin: ownersPin })).status).toBe(403);
    expect((await rowOf(owner.id))?.failures).toBe(5);
    expect((await enter(televisions[1]!, grownUp, { password: owner.password })).status).toBe(302);
    expect((await enter(televisions[0]!, owner.id, { password: owner.password })).status).toBe(302);
    // The password ends the block, but does not reset the five free guesses until a day has passed.
    const again = await television();
    expect((await enter(again, owner.id, { pin: "0005" })).status).toBe(403);
    await db.update(profilePins).set({ waitsUntil: sql`now() - interval '25 hours'` });
    expect((await enter(again, owner.id, { pin: "0006" })).status).toBe(400);
    expect((await rowOf(owner.id))?.failures).toBe(1);
    const events = await db.select().from(securityEvents).where(eq(securityEvents.userId, owner.id));
    expect(events.filter(({ kind }) => kind === "pins_failed").map(({ detail }) => detail)).toEqual([
      `${owner.username}: 5`,
      `${owner.username}: 5`,
    ]);
  });

  test("are compared at most five times when they arrive at once", async () => {
    const visitor = await television();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => enter(visitor, owner.id, { pin: `10${index + 10}` })),
    );
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts.filter((text) => text.includes("The PIN is wrong.")).length).toBeLessThan(5);
    // A busy machine tells some of them to retry.
    const compared = answers.filter(({ status }) => status !== 503).length;
    expect((await rowOf(owner.id))?.failures).toBe(Math.min(5, compared));
  });

  // Thirteen in the first four hours and one in each hour after them: on a day, less than one in a hundred of all PINs.
  test("block the profile from the fifth on, for a time that doubles up to an hour", async () => {
    const visitor = await television();
    const waits: number[] = [];
    for (let guess = 0; guess < 13; guess++) {
      await enter(visitor, owner.id, { pin: "9999" });
      const { waitsUntil } = (await rowOf(owner.id)) ?? {};
      waits.push(waitsUntil ? Math.round((waitsUntil.getTime() - Date.now()) / 60_000) : 0);
      await db.update(profilePins).set({ waitsUntil: null }).where(eq(profilePins.userId, owner.id));
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });
});

describe("in a house where grown-ups open their profiles all day", () => {
  test("at most 30 wrong PINs a day per profile are compared", async () => {
    const visitor = await television();
    const change = (values: { wrongInDay?: number; waitsUntil?: null }) =>
      db.update(profilePins).set(values).where(eq(profilePins.userId, owner.id));
    for (const [turn, pin] of ["4001", "4002"].entries()) {
      await enter(visitor, owner.id, { pin });
      await enter(visitor, owner.id, { pin: ownersPin });
      expect([await profileOf(visitor), (await rowOf(owner.id))?.wrongInDay]).toEqual([owner.id, turn + 1]);
      await switchTo(visitor, child);
    }
    await change({ wrongInDay: 28 });
    for (const pin of ["4003", "4004", "4005", "4006"]) {
      await enter(visitor, owner.id, { pin });
      await change({ waitsUntil: null });
    }
    expect((await rowOf(owner.id))?.wrongInDay).toBe(30);
    const waiting = await enter(visitor, owner.id, { pin: ownersPin });
    expect([waiting.status, await profileOf(visitor)]).toEqual([403, child]);
    expect(await waiting.text()).toContain("Wait 24 hours, or type the password of the account.");
    expect((await enter(visitor, owner.id, { password: owner.password })).status).toBe(302);
    await switchTo(visitor, child);
    await db.update(profilePins).set({ dayBeganAt: sql`now() - interval '25 hours'` });
    expect((await enter(visitor, owner.id, { pin: ownersPin })).status).toBe(302);
    expect((await rowOf(owner.id))?.wrongInDay).toBe(0);
  });
});

describe("wrong account passwords", () => {
  const failuresOf = async () =>
    (await db.select().from(signInFailures).where(eq(signInFailures.userId, owner.id)))[0]?.failures ?? 0;
  beforeEach(() => db.delete(signInFailures));
  const fail = (failures: number) =>
    db.insert(signInFailures).values({ userId: owner.id, failures, windowStart: new Date() });

  test("count as failed sign-ins, and the tenth is recorded", async () => {
    await fail(8);
    const visitor = await television();
    for (const wrong of ["Wrong123!x", "Wrong123!y"])
      expect((await enter(visitor, owner.id, { password: wrong })).status).toBe(400);
    await until(async () => (await failuresOf()) === 10);
    await until(async () => {
      const events = await db.select().from(securityEvents).where(eq(securityEvents.userId, owner.id));
      return events.some(
        ({ kind, detail }) => kind === "sign_ins_failed" && detail === "10 within 15 minutes",
      );
    });
  });

  test("after 300, open no profile from an unknown address, and every profile from a known one", async () => {
    await fail(300);
    const atHome = await television();
    const elsewhere = new Visitor();
    elsewhere.keep([...atHome.cookies].map(([name, value]) => `${name}=${value}; Path=/`));
    const refused = await enter(elsewhere, owner.id, { password: owner.password });
    expect([refused.status, await profileOf(atHome)]).toEqual([400, child]);
    expect((await enter(atHome, owner.id, { password: owner.password })).status).toBe(302);
    expect(await profileOf(atHome)).toBe(owner.id);
  });
});

describe("a browser that was idle for four hours", () => {
  const idle = (visitor: Visitor, hours: number) =>
    visitor.cookies.size === 0
      ? Promise.reject(new Error("no session"))
      : db.execute(sql`update sessions set last_seen_at = now() - ${hours} * interval '1 hour'
          where user_id in (select id from users where id = ${owner.id}::uuid or account_id = ${owner.id}::uuid)`);

  test("opens no page before a profile is chosen, while endpoints keep working", async () => {
    const visitor = await anotherBrowserOf(owner);
    await idle(visitor, 3);
    expect((await visitor.request("/list")).status).toBe(200);
    await idle(visitor, 5);
    const opened = await visitor.request("/list?type=Watching");
    expect([opened.status, opened.headers.get("Location")]).toEqual([
      302,
      "/profiles?redirectTo=%2Flist%3Ftype%3DWatching",
    ]);
    expect((await visitor.request("/_.data")).status).toBe(202);
    expect((await visitor.request("/api/user/watchList")).status).toBe(200);
    expect((await visitor.request("/")).headers.get("Location")).toBe("/profiles");
    expect((await visitor.request("/api/auth/signout", { method: "POST" })).status).toBe(403);
    expect((await enter(visitor, owner.id)).headers.get("Location")).toContain(`enter=${owner.id}`);
    expect((await enter(visitor, owner.id, { pin: ownersPin })).headers.get("Location")).toBe("/list");
    expect((await visitor.request("/list")).status).toBe(200);
  });

  test("cannot act for the grown-up, while a paused player and access tokens keep working", async () => {
    const visitor = await anotherBrowserOf(owner);
    const json = { name: "bot", scope: "write" };
    const { token } = await dataOf<{ token: string }>(visitor.request("/api/auth/tokens", { json }), 201);
    const password = { current: owner.password, password: "Another1!x" };
    const changes: [string, Parameters<Visitor["request"]>[1]?][] = [
      ["/api/user/export"],
      ["/api/user/profile"],
      ["/api/auth/tokens", { json }],
      ["/api/auth/password", { json: password }],
      ["/api/auth/sessions", { method: "DELETE", json: { others: true } }],
      ["/profile/picture?remove", { form: {} }],
    ];
    const report = { mal_id: await someTitle({ rating: "g" }), ep: 1, position: 30, duration: 100 };
    await idle(visitor, 5);
    for (const [path, call] of changes)
      expect([path, (await visitor.request(path, call)).status]).toEqual([path, 403]);
    for (const [path, call] of [
      ["/api/user/progress", { method: "PUT", json: report }],
      ["/api/saveUserPreferences", { json: { titleLanguage: "english" } }],
    ] as const)
      expect([path, (await visitor.request(path, call)).status]).toEqual([path, 200]);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await new Visitor().request("/api/user/profile", { headers })).status).toBe(200);
    await enter(visitor, owner.id, { pin: ownersPin });
    expect((await visitor.request("/api/user/export")).status).toBe(200);
  });

  test("continues as a child without a PIN", async () => {
    const visitor = await television();
    await idle(visitor, 5);
    expect((await visitor.request("/")).headers.get("Location")).toBe("/profiles");
    await switchTo(visitor, child);
    expect((await visitor.request("/")).status).toBe(200);
  });

  test("is not asked in a household without a child", async () => {
    const other = await newMember();
    await addProfile(other, "Ren");
    await db.execute(
      sql`update sessions set last_seen_at = now() - interval '5 hours' where user_id = ${other.id}::uuid`,
    );
    expect((await other.request("/list")).status).toBe(200);
  });
});

describe("a grown-up's own PIN", () => {
  test("is changed and removed with the PIN until now or the account's password", async () => {
    const visitor = await anotherBrowserOf(owner);
    await switchTo(visitor, grownUp);
    const change = async (form: Record<string, string>) =>
      (await visitor.request("/profiles/pin", { form })).status;
    expect(await change({ intent: "save", pin: "12345678" })).toBe(302);
    expect(await change({ intent: "save", pin: "4444" })).toBe(400);
    expect(await change({ intent: "save", pin: "4444", current: "0000" })).toBe(400);
    expect(await change({ intent: "save", pin: "4444", current: "12345678" })).toBe(302);
    expect(await change({ intent: "remove", current: "Wrong123!x" })).toBe(400);
    expect(await change({ intent: "remove", current: owner.password })).toBe(302);
    expect(await rowOf(grownUp)).toBeUndefined();
    expect((await (await television()).request("/profiles/pin")).status).toBe(403);
  });
});

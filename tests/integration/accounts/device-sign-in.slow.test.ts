import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { changeAccount } from "#app/domain/accounts/accounts.server.ts";
import { commandLine } from "#app/domain/events/events.server.ts";
import { deleteOldDeviceCodes } from "#app/domain/sign-in/sign-in.server.ts";
import { qrCode } from "#app/routes/views/qr-code.server.ts";
import { db } from "#db/client.server.ts";
import { sessions } from "#db/schema/accounts.ts";
import { deviceCodes } from "#db/schema/device-codes.ts";
import { addProfile, newChild, switchTo } from "#tests/support/requests/household.ts";
import { inThrees } from "#tests/support/requests/in-threes.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember, sessionOf, Visitor } from "#tests/support/requests/visitor.ts";

/** Signing in a screen from a phone, by the API and by browsers without JavaScript. */

type Started = { device_code: string; user_code: string; expires_in: number };

const television = "Mozilla/5.0 (X11; Linux x86_64) Chrome/87.0 Safari/537.36";

async function startScreen(screen = new Visitor()) {
  const headers = { "User-Agent": television };
  const started = await dataOf<Started & Record<string, unknown>>(
    screen.request("/api/auth/device", { method: "POST", headers }),
  );
  return { screen, ...started };
}

/** The endpoint's answer to the screen. Another test covers its time limits. */
async function poll({ screen, device_code }: { screen: Visitor; device_code: string }, waits = true) {
  if (waits) await db.update(deviceCodes).set({ lastPolledAt: null });
  const headers = { "User-Agent": television };
  const answer = await screen.request("/api/auth/device/token", { json: { device_code }, headers });
  const { error } = (await answer.clone().json()) as { error?: string };
  return error ?? answer.status;
}

const typeCode = (member: Visitor, code: string) =>
  member.request("/link", { form: { intent: "look", code } });
const decide = (member: Member, code: string, intent = "confirm", profile = member.id) =>
  member.request("/link", { form: { intent, code, profile } });
const userOf = async (visitor: Visitor) => (await sessionOf(visitor))?.user.id;

describe("a screen", () => {
  test("gets a code of consonants, the address for it, and RFC 8628's times", async () => {
    const started = await startScreen();
    expect(started).toMatchObject({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: "http://localhost:3000/link",
      verification_uri_complete: `http://localhost:3000/link#${started.user_code}`,
      interval: 5,
    });
    expect(started.expires_in).toBeGreaterThan(590);
    const rows = JSON.stringify(
      await db.execute(sql`select to_jsonb(one)::text as row from device_codes one`),
    );
    for (const secret of [started.device_code, started.user_code, started.user_code.replace("-", "")])
      expect(rows).not.toContain(secret);
  });

  test("waits, and is signed in to the confirming profile once a member confirms", async () => {
    const member = await newMember();
    const ren = await addProfile(member, "Ren");
    await switchTo(member, ren);
    const waiting = await startScreen();
    expect(await poll(waiting)).toBe("authorization_pending");
    const question = await (await typeCode(member, waiting.user_code)).text();
    for (const text of [
      "Chrome on Linux",
      "Ren",
      member.email,
      "a network that is not yours",
      waiting.user_code,
    ])
      expect(question).toContain(text);
    expect(await poll(waiting)).toBe("authorization_pending");
    expect((await decide(member, waiting.user_code, "confirm", ren)).status).toBe(200);
    expect(await poll(waiting)).toBe(200);
    expect(await userOf(waiting.screen)).toBe(ren);
  });

  test("is listed under the sessions with its device, and can be ended like any other", async () => {
    const member = await newMember();
    const waiting = await startScreen();
    await decide(member, waiting.user_code);
    expect(await poll(waiting)).toBe(200);
    const listed = await dataOf<{ id: string; device: string; current: boolean }[]>(
      member.request("/api/auth/sessions"),
    );
    const [other] = listed.filter(({ current }) => !current);
    expect(other?.device).toBe("Chrome on Linux");
    await member.request("/api/auth/sessions", { method: "DELETE", json: { id: other?.id } });
    expect(await userOf(waiting.screen)).toBeUndefined();
  });

  test("has proven no password, so the account cannot be deleted from it as after a fresh sign-in", async () => {
    const member = await newMember();
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await db.update(sessions).set({ signedInAt: anHourAgo }).where(eq(sessions.userId, member.id));
    const waiting = await startScreen();
    await decide(member, waiting.user_code);
    expect(await poll(waiting)).toBe(200);
    const deleted = await waiting.screen.request("/api/user/account", { method: "DELETE", json: {} });
    expect(deleted.status).toBe(403);
  });

  test("that polls too early is told to slow down, and must then wait five seconds longer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const waiting = await startScreen();
    const last = async (seconds: number) =>
      db.update(deviceCodes).set({ lastPolledAt: new Date(Date.now() - seconds * 1000) });
    expect(await poll(waiting, false)).toBe("authorization_pending");
    expect(await poll(waiting, false)).toBe("slow_down");
    await last(6);
    expect(await poll(waiting, false)).toBe("slow_down");
    await last(16);
    expect(await poll(waiting, false)).toBe("authorization_pending");
  });

  test("is refused if the member refuses or the code has expired, even after a confirmation", async () => {
    const member = await newMember();
    const refused = await startScreen();
    await decide(member, refused.user_code, "deny");
    expect(await poll(refused)).toBe("access_denied");
    const late = await startScreen();
    await decide(member, late.user_code);
    await db.update(deviceCodes).set({ expiresAt: new Date(Date.now() - 1) });
    expect(await poll(late)).toBe("expired_token");
    expect((await typeCode(member, (await startScreen()).user_code)).status).toBe(200);
    const ended = await startScreen();
    await db.update(deviceCodes).set({ expiresAt: new Date(Date.now() - 1) });
    expect((await decide(member, ended.user_code)).status).toBe(404);
  });

  test("gets one session from one code, also when it asks several times at once", async () => {
    const member = await newMember();
    const waiting = await startScreen();
    await decide(member, waiting.user_code);
    await db.update(deviceCodes).set({ lastPolledAt: null, intervalSeconds: 0 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => poll(waiting, false)));
    expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer !== 200).every((answer) => answer === "invalid_grant")).toBe(
      true,
    );
    expect(await poll(waiting)).toBe("invalid_grant");
    expect(await db.$count(sessions, eq(sessions.userId, member.id))).toBe(2);
    expect(await poll({ ...waiting, device_code: "guessed" })).toBe("invalid_grant");
  });

  test("is not signed in if the confirming phone signed out, ended all other sessions, or its account was disabled", async () => {
    for (const end of [
      (member: Member) => member.request("/api/auth/signout", { method: "POST" }),
      (member: Member) => changeAccount(member.id, { disabled: true }, commandLine),
      (member: Member) =>
        member.request("/api/auth/sessions", {
          method: "DELETE",
          body: JSON.stringify({ others: true }),
          headers: { "Content-Type": "application/json" },
        }),
    ]) {
      const member = await newMember();
      const waiting = await startScreen();
      await decide(member, waiting.user_code);
      await end(member);
      expect(await poll(waiting)).toBe("invalid_grant");
      expect(await userOf(waiting.screen)).toBeUndefined();
    }
  });

  test("is not signed in if the confirming phone has switched to another profile", async () => {
    const member = await newMember();
    const ren = await addProfile(member, "Ren");
    const waiting = await startScreen();
    expect((await decide(member, waiting.user_code)).status).toBe(200);
    await switchTo(member, ren);
    expect(await poll(waiting)).toBe("invalid_grant");
    expect(await userOf(waiting.screen)).toBeUndefined();
  });

  test("cannot fill the table: one network may have ten waiting screens", async () => {
    const screen = new Visitor();
    for (let at = 0; at < 10; at++) await startScreen(screen);
    const refused = await screen.request("/api/auth/device", { method: "POST" });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("Retry-After")).toBe("60");
    await startScreen();
  });
});

describe("a member who confirms", () => {
  test("at the same time as another member: the first gets the screen, the second is told so", async () => {
    for (let round = 0; round < 3; round++) {
      const members = [await newMember(), await newMember()] as const;
      const waiting = await startScreen();
      const answers = await Promise.all(members.map((member) => decide(member, waiting.user_code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
      expect(await poll(waiting)).toBe(200);
      const winner = members[answers.findIndex(({ status }) => status === 200)];
      expect(await userOf(waiting.screen)).toBe(winner?.id);
    }
  });

  test("confirms only for the profile that the page named", async () => {
    const [member, other] = [await newMember(), await newMember()];
    const waiting = await startScreen();
    const answer = await decide(member, waiting.user_code, "confirm", other.id);
    expect(await answer.text()).toContain("Nothing was confirmed");
    expect(await poll(waiting)).toBe("authorization_pending");
  });

  test("cannot be a page of another site, a visitor or a child", async () => {
    const member = await newMember();
    const waiting = await startScreen();
    const form = { intent: "confirm", code: waiting.user_code, profile: member.id };
    const foreign = await member.request("/link", { form, headers: { Origin: "https://evil.example" } });
    expect(foreign.status).toBe(403);
    const visitor = await new Visitor().request("/link", { form });
    expect(visitor.headers.get("Location")).toBe("/signin?redirectTo=%2Flink");
    const { child } = await newChild("pg");
    expect((await child.request("/link", { form: { ...form, profile: child.id } })).status).toBe(403);
    expect(await poll(waiting)).toBe("authorization_pending");
  });

  test("types the code with small letters and spaces", async () => {
    const member = await newMember();
    const { user_code } = await startScreen();
    const typed = ` ${user_code.toLowerCase().replace("-", " ")} `;
    expect(await (await typeCode(member, typed)).text()).toContain(user_code);
  });

  test("has ten guesses in a quarter of an hour, from any addresses and all at once; other members are not affected", async () => {
    const [member, other] = [await newMember(), await newMember()];
    const { user_code } = await startScreen();
    const phones = Array.from({ length: 20 }, () => {
      const phone = new Visitor();
      phone.cookies.clear();
      for (const [name, value] of member.cookies) phone.cookies.set(name, value);
      return phone;
    });
    const guesses = await inThrees(phones.map((phone) => () => typeCode(phone, "BBBB-BBBB")));
    expect(guesses.filter(({ status }) => status === 404)).toHaveLength(10);
    expect(guesses.filter(({ status }) => status === 503)).toHaveLength(10);
    expect((await typeCode(member, user_code)).status).toBe(503);
    expect((await decide(member, user_code)).status).toBe(503);
    expect((await typeCode(other, user_code)).status).toBe(200);
    await db.execute(sql`update device_code_guesses set window_start = now() - interval '16 minutes'`);
    expect((await typeCode(member, user_code)).status).toBe(200);
  });

  test("neither loses guesses by typing right codes nor regains them", async () => {
    const member = await newMember();
    const { user_code } = await startScreen();
    for (let guess = 0; guess < 10; guess++) {
      expect((await typeCode(member, user_code)).status).toBe(200);
      const phone = Object.assign(new Visitor(), { cookies: member.cookies });
      expect((await typeCode(phone, "BBBB-BBBB")).status).toBe(404);
    }
    expect((await typeCode(member, user_code)).status).toBe(503);
  });

  test("is limited by address, too", async () => {
    const member = await newMember();
    const statuses = [];
    for (let guess = 0; guess < 21; guess++) statuses.push((await typeCode(member, "BBBB-BBBB")).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("the pages without JavaScript", () => {
  const showCode = async (screen: Visitor) => {
    const answer = await screen.request("/link", { form: { intent: "show" } });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/link"]);
    expect(answer.headers.getSetCookie().join()).toMatch(/^engawa-device=.*HttpOnly/);
    const html = await (await screen.request("/link")).text();
    return { html, code: /[A-Z]{4}-[A-Z]{4}(?=<\/p>)/.exec(html)?.[0] ?? "" };
  };

  test("show the code with a picture, ask by loading again, and lead in once it is confirmed", async () => {
    const [screen, member] = [new Visitor(), await newMember()];
    expect(await (await screen.request("/link")).text()).toContain("Show a code");
    const { html, code } = await showCode(screen);
    expect(html).toContain("localhost:3000/link");
    expect(html).toMatch(/<svg[^>]*role="img"/);
    expect(html).toContain(`d="${qrCode(`http://localhost:3000/link#${code}`)?.path}"`);
    expect(html).toContain('http-equiv="refresh" content="6;url=/link/continue"');
    expect(html).not.toContain("device_code");
    const waiting = await screen.request("/link/continue");
    expect([waiting.status, waiting.headers.get("Location")]).toEqual([302, "/link"]);
    expect((await decide(member, code)).status).toBe(200);
    for (const quiet of [{ method: "HEAD" }, { headers: { "Sec-Purpose": "prefetch" } }]) {
      await screen.request("/link/continue", quiet);
      expect(await userOf(screen)).toBeUndefined();
    }
    const done = await screen.request("/link/continue");
    expect([done.status, done.headers.get("Location")]).toEqual([302, "/"]);
    expect(await userOf(screen)).toBe(member.id);
    expect(screen.cookies.has("engawa-device")).toBe(false);
  });

  test("give a script the same answers as JSON", async () => {
    const [screen, member] = [new Visitor(), await newMember()];
    const { code } = await showCode(screen);
    const headers = { Accept: "application/json" };
    const ask = async () => (await screen.request("/link/continue", { headers })).json();
    expect(await ask()).toEqual({ isWaiting: true });
    await decide(member, code);
    expect(await ask()).toEqual({ isWaiting: false, target: "/" });
    expect(await userOf(screen)).toBe(member.id);
  });

  test("say that the sign-in was refused, or that the code has ended", async () => {
    const member = await newMember();
    for (const [end, text] of [
      [(code: string) => decide(member, code, "deny"), "was refused on the other device"],
      [() => db.update(deviceCodes).set({ expiresAt: new Date(Date.now() - 1) }), "The code has expired"],
    ] as const) {
      const screen = new Visitor();
      const { code } = await showCode(screen);
      await end(code);
      const next = await screen.request("/link/continue");
      expect(await (await screen.request(next.headers.get("Location") ?? "")).text()).toContain(text);
    }
  });

  test("offer the sign-in on the page for passwords", async () => {
    expect(await (await new Visitor().request("/signin")).text()).toContain('href="/link"');
  });
});

test("codes are deleted a day after they were made", async () => {
  await startScreen();
  await deleteOldDeviceCodes();
  expect(await db.$count(deviceCodes)).toBeGreaterThan(0);
  await db.update(deviceCodes).set({ createdAt: new Date(Date.now() - 25 * 3_600_000) });
  await deleteOldDeviceCodes();
  expect(await db.$count(deviceCodes)).toBe(0);
});

import postgres from "postgres";
import { expect, test } from "vitest";
import { driverArguments } from "#db/driver-arguments.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A screen signs in while its requests reach several instances, one of which is killed in between. */

const publicUrl = "http://engawa.example.org";

test("a sign-in begun at one instance and confirmed at another finishes after the first was killed", async () => {
  const settings = {
    DATABASE_URL: await newDatabase(),
    SESSION_SECRET: "the same for all ".repeat(3),
    PUBLIC_URL: publicUrl,
  };
  const [one, other] = await Promise.all([startSite(settings, { isQuiet: true }), startSite(settings)]);
  const member = await signUpAt(other.origin, "reader@example.org", publicUrl);
  const ask = (origin: string, path: string, json: unknown) =>
    fetch(origin + path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(json),
    });
  const started = (await (await ask(one.origin, "/api/auth/device", {})).json()) as {
    data: { device_code: string; user_code: string };
  };
  const { device_code, user_code } = started.data;
  const waiting = await ask(one.origin, "/api/auth/device/token", { device_code });
  expect(await waiting.json()).toEqual({ error: "authorization_pending", status: 400 });
  // The polling interval also holds at the other instance. On a slow machine, it can end between two polls.
  const early = async () =>
    (await ask(other.origin, "/api/auth/device/token", { device_code })).json() as Promise<object>;
  await expect.poll(early, { interval: 1 }).toEqual({ error: "slow_down", status: 400 });

  const closed = new Promise((resolve) => one.process.once("close", resolve));
  one.process.kill("SIGKILL");
  await closed;
  const session = (await (await member.ask(`${other.origin}/api/auth/session`)).json()) as {
    data: { user: { id: string } };
  };
  const confirmed = await fetch(`${other.origin}/link`, {
    method: "POST",
    headers: { Cookie: member.cookie, Origin: publicUrl },
    body: new URLSearchParams({ intent: "confirm", code: user_code, profile: session.data.user.id }),
  });
  expect(confirmed.status).toBe(200);

  const again = await startSite(settings);
  // The interval counts from the last poll, so without one the next poll is not too early.
  const sql = postgres(...driverArguments(settings.DATABASE_URL, { max: 1 }));
  await sql`update device_codes set last_polled_at = null`;
  await sql.end();
  expect((await ask(again.origin, "/api/auth/device/token", { device_code })).status).toBe(200);
  const replayed = await ask(other.origin, "/api/auth/device/token", { device_code });
  expect(await replayed.json()).toEqual({ error: "invalid_grant", status: 400 });
});

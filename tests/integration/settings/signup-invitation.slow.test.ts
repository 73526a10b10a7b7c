import { expect, test } from "vitest";
import { client, consentAt, startIdentityProvider } from "#tests/support/servers/identity-provider.ts";

/** SIGNUPS=invite with an external sign-in provider. */

const origin = "http://localhost:3000";
const redirectUri = `${origin}/api/auth/callback`;
const provider = await startIdentityProvider(redirectUri);
Object.assign(process.env, {
  PUBLIC_URL: origin,
  SIGNUPS: "invite",
  OAUTH_ISSUER: provider.issuer,
  OAUTH_CLIENT_ID: client.id,
  OAUTH_CLIENT_SECRET: client.secret,
});
const { createInvitation } = await import("#app/domain/joining/joining.server.ts");
const { commandLine } = await import("#app/domain/events/events.server.ts");
const { Visitor } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { users } = await import("#db/schema/accounts.ts");
const { invitations } = await import("#db/schema/invitations.ts");

async function invite() {
  const made = await createInvitation({ note: "", maxUses: 1, lifetimeDays: 7 }, commandLine);
  return made.ok ? made.value.secret : "";
}

let people = 0;
/** Goes to the provider and returns a function that comes back from it. */
async function start(invitation?: string, subject = `guest-${++people}`) {
  provider.people.set(subject, { email: `${subject}@example.org`, email_verified: true, name: "Guest" });
  const visitor = new Visitor();
  const form = invitation === undefined ? {} : { invitation };
  const started = await visitor.request("/api/auth/provider", { form });
  const cookies = started.headers.getSetCookie().join();
  if (invitation) expect(decodeURIComponent(cookies)).not.toContain(invitation);
  const back = new URL(await consentAt(started.headers.get("Location") ?? "", subject, redirectUri));
  return () => visitor.request(back.pathname + back.search);
}

test("a first sign-in through the provider needs an invitation and uses it up; later sign-ins need none", async () => {
  expect((await (await start())()).status).toBe(403);
  expect((await (await start("wrong"))()).status).toBe(403);
  const invitation = await invite();
  const welcome = await (await start(invitation, "regular"))();
  expect([welcome.status, welcome.headers.get("Location")]).toEqual([302, "/signup/profile"]);
  expect((await (await start(invitation))()).status).toBe(403);
  expect((await (await start(undefined, "regular"))()).headers.get("Location")).toBe("/");
});

test("two people who come back at the same time with one invitation get only one account", async () => {
  const [invitation, before] = [await invite(), await db.$count(users)];
  const back = [await start(invitation), await start(invitation)];
  const answers = await Promise.all(back.map((comeBack) => comeBack()));
  expect(answers.map(({ status }) => status).sort()).toEqual([302, 403]);
  expect(await db.$count(users)).toBe(before + 1);
});

test("an invitation that is revoked while the person is at the provider creates no account", async () => {
  const [invitation, before] = [await invite(), await db.$count(users)];
  const comeBack = await start(invitation);
  await db.update(invitations).set({ revokedAt: new Date() });
  expect((await comeBack()).status).toBe(403);
  expect(await db.$count(users)).toBe(before);
});

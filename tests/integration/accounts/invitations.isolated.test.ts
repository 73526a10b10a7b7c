import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";

process.env.SIGNUPS = "invite";
// On a slow machine, a minute could end between the requests of a test.
process.env.RATE_LIMIT_SECONDS = "86400";
const { createInvitation, deleteOldInvitations, listInvitations } = await import(
  "#app/domain/joining/joining.server.ts"
);
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { users } = await import("#db/schema/accounts.ts");
const { invitations, invitationUses } = await import("#db/schema/invitations.ts");

/** Sign-up by invitation only, through the API and with a browser without JavaScript. */

const operator = await newOperator({ username: "Olga Operator" });

/** Makes an invitation on the operators' page, and returns its link. */
async function inviteBy(form: Record<string, string> = {}): Promise<string> {
  const fields = { intent: "make", note: "", uses: "1", days: "7", ...form };
  const html = await (await operator.request("/admin/invitations", { form: fields })).text();
  expect(html).toContain("Only this machine can open this link");
  return (
    /<input[^>]* readOnly=""[^>]* value="(http:\/\/localhost:3000\/signup#[\w-]{43})"/.exec(html)?.[1] ?? ""
  );
}
const codeOf = (link: string) => link.split("#")[1] ?? "";
const invite = async (form?: Record<string, string>) => codeOf(await inviteBy(form));

let people = 0;
const newcomer = () => {
  people += 1;
  return { username: "Newcomer", email: `newcomer-${people}@example.org`, password: goodPassword };
};
const signUp = (fields: Record<string, string>, visitor = new Visitor()) =>
  whenFree(() => visitor.request("/api/auth/signup", { json: { ...newcomer(), ...fields } }));
const hasAccount = async (email: string) => (await db.$count(users, eq(users.email, email))) > 0;

test("a number that is too large is refused under the label of its field", async () => {
  const form = { intent: "make", note: "", uses: "500", days: "7" };
  const html = await (await operator.request("/admin/invitations", { form })).text();
  expect(html).toContain("“People” must be at most 100");
  expect(html).toMatch(/<input[^>]*max="100"[^>]*name="uses"|<input[^>]*name="uses"[^>]*max="100"/);
});

describe("signing up", () => {
  test("without an invitation, or with a wrong one, gets 403 and makes no account", async () => {
    const before = await db.$count(users);
    for (const fields of [{}, { invitation: "" }, { invitation: "a".repeat(43) }, { code: "open sesame" }]) {
      const answer = await signUp(fields as Record<string, string>);
      expect(answer.status, JSON.stringify(fields)).toBe(403);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(await db.$count(users)).toBe(before);
  });

  test("with an invitation works once, with the code or the whole link", async () => {
    for (const given of [await invite(), ` ${await inviteBy()}\n`]) {
      expect((await signUp({ invitation: given })).status).toBe(201);
      const again = await signUp({ invitation: given });
      expect(again.status).toBe(403);
      expect(await again.json()).toMatchObject({ error: expect.stringContaining("was used already") });
    }
  });

  test("two at once with one invitation for one person make one account", async () => {
    for (let round = 0; round < 5; round++) {
      const [invitation, before] = [await invite(), await db.$count(users)];
      const answers = await Promise.all([signUp({ invitation }), signUp({ invitation })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 403]);
      expect(await db.$count(users)).toBe(before + 1);
    }
  });

  test("an invitation for two people admits two, and a refused sign-up does not use it up", async () => {
    const invitation = await invite({ uses: "2" });
    expect((await signUp({ invitation, email: operator.email })).status).toBe(409);
    expect((await signUp({ invitation, password: "short" })).status).toBe(400);
    expect((await signUp({ invitation })).status).toBe(201);
    expect((await signUp({ invitation })).status).toBe(201);
    expect((await signUp({ invitation })).status).toBe(403);
  });

  test("an expired or revoked invitation admits no new account", async () => {
    const ended = await invite({ note: "ended" });
    const past = new Date(Date.now() - 1000);
    await db.update(invitations).set({ expiresAt: past }).where(eq(invitations.note, "ended"));
    expect((await signUp({ invitation: ended })).status).toBe(403);

    const revoked = await invite({ note: "revoked" });
    const [row] = await db.select().from(invitations).where(eq(invitations.note, "revoked"));
    const form = { intent: "revoke", id: row?.id ?? "" };
    expect((await operator.request("/admin/invitations", { form })).status).toBe(200);
    expect((await signUp({ invitation: revoked })).status).toBe(403);
    expect((await operator.request("/admin/invitations", { form })).status).toBe(404);
  });

  test("guessing invitations is limited like signing up", async () => {
    const visitor = new Visitor();
    let status = 0;
    for (let guess = 0; guess < 101; guess++)
      status = (await signUp({ invitation: `guess-${guess}` }, visitor)).status;
    expect(status).toBe(429);
  });
});

describe("the page of an invited person without JavaScript", () => {
  test("takes the pasted link, says who invites and where, and keeps the invitation when a field is wrong", async () => {
    const visitor = new Visitor();
    const first = await (await visitor.request("/signup")).text();
    expect(first).toContain("by invitation");
    expect(first).not.toContain('name="password"');
    const invitation = await inviteBy();
    const shown = await (
      await visitor.request("/signup", { form: { intent: "invitation", invitation } })
    ).text();
    expect(shown).toContain("Olga Operator invites you to Engawa at localhost:3000.");
    expect(shown).toContain(`name="invitation" value="${invitation}"`);
    const account = newcomer();
    const weak = await visitor.request("/signup", { form: { ...account, password: "short", invitation } });
    expect(weak.status).toBe(400);
    expect(await weak.text()).toContain(`name="invitation" value="${invitation}"`);
    const done = await visitor.request("/signup", { form: { ...account, invitation } });
    expect([done.status, done.headers.get("Location")]).toEqual([302, "/signup/profile"]);
    expect(await hasAccount(account.email)).toBe(true);
  });

  test("says so when the invitation cannot be used, and shows no form for an account", async () => {
    const form = { intent: "invitation", invitation: "no such code" };
    const answer = await new Visitor().request("/signup", { form });
    expect(answer.status).toBe(403);
    const html = await answer.text();
    expect(html).toContain("was used already, is too old or was revoked");
    expect(html).not.toContain('name="password"');
  });
});

describe("the operators' page", () => {
  test("shows an invitation's code once and stores only its hash", async () => {
    const code = await invite({ note: "For Ren" });
    expect(code).toHaveLength(43);
    expect(await (await operator.request("/admin/invitations")).text()).not.toContain(code);
    const rows = await db.execute(sql`select to_jsonb(one)::text as row from invitations one`);
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  test("says who created an invitation and who used it", async () => {
    const invitation = await invite({ note: "For the neighbours" });
    const guest = newcomer();
    expect((await signUp({ ...guest, invitation })).status).toBe(201);
    const row = (await (await operator.request("/admin/invitations")).text())
      .split("<tr>")
      .find((part) => part.includes("For the neighbours"));
    for (const text of ["Olga Operator", guest.email, "used"]) expect(row).toContain(text);
  });

  test("says on which day in the operator's time zone an invitation was made", async () => {
    await invite({ note: "For Midway" });
    const madeIn = async (timeZone: string) => {
      await operator.request("/visitor", { form: { timeZone } });
      const html = await (await operator.request("/admin/invitations")).text();
      return /For Midway.*?data-heading="Made">([^<]+)</s.exec(html)?.[1];
    };
    // Their clocks are 25 hours apart, so their days always differ.
    const [first, second] = [await madeIn("Pacific/Midway"), await madeIn("Pacific/Kiritimati")];
    expect(first).toMatch(/^\d+ \w+ \d{4}$/);
    expect(second).not.toBe(first);
  });

  test("is closed to members and visitors", async () => {
    const form = { intent: "make", note: "", uses: "1", days: "7" };
    const before = await db.$count(invitations);
    expect((await (await newMember()).request("/admin/invitations", { form })).status).toBe(403);
    expect((await new Visitor().request("/admin/invitations", { form })).status).toBe(302);
    const foreign = { form, headers: { Origin: "https://evil.example" } };
    expect((await operator.request("/admin/invitations", foreign)).status).toBe(403);
    expect(await db.$count(invitations)).toBe(before);
  });
});

test("a household profile needs an invitation to become an account, and uses it up", async () => {
  const owner = await newMember();
  await owner.request("/profiles/manage", { form: { name: "Ren", accent: "#16a34a" } });
  const [profile] = await db.select().from(users).where(eq(users.accountId, owner.id));
  await owner.request("/profiles", { form: { profile: profile?.id ?? "", redirectTo: "/" } });
  expect(await (await owner.request("/profiles/leave")).text()).toContain('name="invitation"');
  const { email, password } = newcomer();
  expect((await owner.request("/profiles/leave", { form: { email, password } })).status).toBe(403);
  const invitation = await invite();
  const left = await owner.request("/profiles/leave", { form: { email, password, invitation } });
  expect(left.status).toBe(302);
  expect(await hasAccount(email)).toBe(true);
  expect((await signUp({ invitation })).status).toBe(403);
});

test("invitations, and who used them, are deleted 90 days after their end", async () => {
  const actor = { kind: "operator", ip: null, operatorId: operator.id } as const;
  await createInvitation({ note: "old", maxUses: 1, lifetimeDays: 7 }, actor);
  const [old] = await db.select().from(invitations).where(eq(invitations.note, "old"));
  await db.insert(invitationUses).values({ userId: operator.id, invitationId: old?.id ?? "" });
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const notes = async () => (await listInvitations()).map(({ note }) => note);
  await db
    .update(invitations)
    .set({ expiresAt: daysAgo(89) })
    .where(eq(invitations.note, "old"));
  await deleteOldInvitations();
  expect(await notes()).toContain("old");
  await db
    .update(invitations)
    .set({ expiresAt: daysAgo(91) })
    .where(eq(invitations.note, "old"));
  await deleteOldInvitations();
  expect(await notes()).not.toContain("old");
  expect(await db.$count(invitationUses, eq(invitationUses.userId, operator.id))).toBe(0);
});

import { randomBytes } from "node:crypto";
import { desc, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { changeAccount } from "#app/domain/accounts/accounts.server.ts";
import { commandLine, deleteOldEvents, recordEvent } from "#app/domain/events/events.server.ts";
import { eventDays } from "#app/domain/events/events.ts";
import { createResetPath } from "#app/domain/sign-in/sign-in.server.ts";
import { db } from "#db/client.server.ts";
import { deviceCodes } from "#db/schema/device-codes.ts";
import { securityEvents } from "#db/schema/events.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { type Member, newMember, signUpMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The record of events: which ones are written, who sees them, and how long they are kept. */

const eventsOf = (userId: string) =>
  db
    .select()
    .from(securityEvents)
    .where(eq(securityEvents.userId, userId))
    .orderBy(desc(securityEvents.at), desc(securityEvents.id));
const kindsOf = async (userId: string) => (await eventsOf(userId)).map(({ kind }) => kind).sort();

const signIn = (visitor: Visitor, email: string, password: string) =>
  visitor.request("/api/auth/signin", { json: { email, password } });

/** The command records who became an operator; `newOperator` of other tests writes the row alone. */
async function appointOperator(): Promise<Member> {
  const operator = await newMember();
  await changeAccount(operator.id, { role: "operator" }, commandLine);
  return operator;
}

describe("what is recorded", () => {
  test("sign-up, sign-in at home and elsewhere, tokens, sessions, export and a new password", async () => {
    const member = await signUpMember({
      username: "Events",
      email: "events@example.org",
      password: goodPassword,
    });
    const elsewhere = new Visitor();
    expect((await signIn(elsewhere, member.email, goodPassword)).status).toBe(200);
    const token = await dataOf<{ id: string }>(
      member.request("/api/auth/tokens", { json: { name: "my script", scope: "read" } }),
      201,
    );
    await dataOf(member.request("/api/auth/tokens", { method: "DELETE", json: { id: token.id } }));
    await dataOf(member.request("/api/auth/sessions", { method: "DELETE", json: { others: true } }));
    await (await member.request("/api/user/export")).text();
    const changed = { current: goodPassword, password: "Another1!x" };
    await dataOf(member.request("/api/auth/password", { json: changed }));
    expect(await kindsOf(member.id)).toEqual([
      "account_exported",
      "password_changed",
      "sessions_ended",
      "sign_in",
      "sign_in_new_network",
      "sign_up",
      "token_made",
      "token_revoked",
    ]);
    const events = await eventsOf(member.id);
    const networks = new Set(events.map(({ networkHash }) => networkHash));
    expect([networks.size, networks.has(null)]).toEqual([2, false]);
    expect(JSON.stringify(events)).not.toContain(member.address);
    expect(events.find(({ kind }) => kind === "token_made")?.detail).toBe("my script");
  });

  test("the tenth wrong password within the window is one event, and a refused change is none", async () => {
    const member = await newMember();
    for (let at = 0; at < 12; at++) await signIn(new Visitor(), member.email, "Wrong1!x");
    await expect
      .poll(async () => (await eventsOf(member.id)).filter(({ kind }) => kind === "sign_ins_failed"))
      .toEqual([expect.objectContaining({ detail: "10 within 15 minutes" })]);
    const wrong = { current: "Wrong1!x", password: "Another1!x" };
    expect((await member.request("/api/auth/password", { json: wrong })).status).toBe(400);
    expect(await kindsOf(member.id)).not.toContain("password_changed");
  });

  test("a sign-in that repeats within the hour at the same place is recorded once", async () => {
    const member = await newMember();
    const visitor = new Visitor(member.address);
    for (let at = 0; at < 3; at++) await signIn(visitor, member.email, goodPassword);
    expect((await kindsOf(member.id)).filter((kind) => kind === "sign_in").length).toBeLessThanOrEqual(2);
  });

  test("a change that changed nothing is not recorded: no other session to end, no PIN to remove", async () => {
    const member = await newMember();
    expect((await signIn(new Visitor(), member.email, goodPassword)).status).toBe(200);
    for (let at = 0; at < 2; at++)
      await dataOf(member.request("/api/auth/sessions", { method: "DELETE", json: { others: true } }));
    // A device that was confirmed and has not signed in yet is signed out too.
    const hash = () => randomBytes(32).toString("hex");
    await db.insert(deviceCodes).values({
      ...{ secretHash: hash(), userCodeHash: hash(), networkHash: hash(), device: "TV" },
      ...{ state: "confirmed", userId: member.id, expiresAt: new Date(Date.now() + 60_000) },
    });
    await dataOf(member.request("/api/auth/sessions", { method: "DELETE", json: { others: true } }));
    expect((await member.request("/profiles/pin", { form: { intent: "remove" } })).status).toBe(302);
    const kinds = await kindsOf(member.id);
    expect(kinds.filter((kind) => kind === "sessions_ended" || kind === "pin_changed")).toEqual([
      "sessions_ended",
      "sessions_ended",
    ]);
  });

  test("an event caused by an operator or a command names the operator or command", async () => {
    const [operator, member] = [await appointOperator(), await newMember()];
    const change = (intent: string) => operator.request("/admin/users", { form: { intent, id: member.id } });
    for (const intent of ["disable", "enable", "promote", "demote"])
      expect((await change(intent)).status).toBe(200);
    expect((await createResetPath(member.email)).ok).toBe(true);
    const events = await eventsOf(member.id);
    const by = (actor: string) => events.filter((event) => event.actor === actor);
    expect(by("operator").map(({ kind, operatorId }) => [kind, operatorId === operator.id])).toEqual(
      expect.arrayContaining([
        ["account_disabled", true],
        ["account_enabled", true],
        ["operator_added", true],
        ["operator_removed", true],
      ]),
    );
    expect(by("command").map(({ kind, networkHash }) => [kind, networkHash])).toEqual([
      ["reset_link_made", null],
    ]);
  });
});

describe("who sees events", () => {
  test("settings show a member's own events with the present network; the admin page shows everybody's", async () => {
    const [operator, member, other] = [await appointOperator(), await newMember(), await newMember()];
    const shown = { actor: { kind: "member", ip: "192.0.2.1" }, kind: "token_made" } as const;
    await recordEvent({ ...shown, userId: member.id, detail: "mine-only" });
    await recordEvent({ ...shown, userId: other.id, detail: "theirs-only" });
    const settings = await (await member.request("/settings")).text();
    expect(settings).toContain("Recent activity");
    expect(settings).toContain("mine-only");
    expect(settings).toContain("from another network");
    expect(settings).not.toContain("theirs-only");
    const admin = await (await operator.request("/admin/events")).text();
    for (const text of ["mine-only", "theirs-only", member.email, "Gave the operator role", "command line"])
      expect(admin).toContain(text);
    expect(admin).not.toContain("192.0.2.1");
    expect((await member.request("/admin/events")).status).toBe(403);
  });

  test("the admin page says who acted: the account itself, and nobody for a wrong password", async () => {
    const [operator, member] = [await appointOperator(), await newMember()];
    for (const userId of [operator.id, member.id])
      for (const kind of ["sign_in", "sign_ins_failed"] as const)
        await recordEvent({ kind, userId, actor: { kind: "member", ip: "192.0.2.1" }, detail: "of-who" });
    const page = await (await operator.request("/admin/events")).text();
    const rows = [...page.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)]
      .map(([, row = ""]) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell))
      .filter(([, , , detail]) => detail === "of-who")
      .map(([, account, text, , by]) => [account, text, by]);
    const rowsOf = ({ email }: Member) => [
      [email, "Wrong passwords", "–"],
      [email, "Signed in", email],
    ];
    // Events of the same millisecond come in any order.
    expect(rows.toSorted()).toEqual([...rowsOf(member), ...rowsOf(operator)].toSorted());
  });

  test("the admin page links to older events, and loses none that share a timestamp", async () => {
    const [operator, member] = [await appointOperator(), await newMember()];
    await db.execute(sql`
      insert into security_events (kind, user_id, actor, at, detail)
      select 'token_made', ${member.id}::uuid, 'command', now() + interval '1 minute', 'paged-' || n || ';'
      from generate_series(1, 150) n`);
    const first = await (await operator.request("/admin/events")).text();
    const next = /href="(\/admin\/events\?before=[^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await (await operator.request(next)).text();
    const seen = new Set(
      [first, second].flatMap((html) => [...html.matchAll(/>(paged-\d+;)</g)].map(([, detail]) => detail)),
    );
    expect(seen.size).toBe(150);
    expect((await operator.request("/admin/events?before=nonsense")).status).toBe(200);
  });
});

describe("how long events stay", () => {
  test("as many days as pages say, and at most the newest two hundred of a kind for each account", async () => {
    const member = await newMember();
    const insert = (count: number, ageDays: number) =>
      db.execute(sql`
        insert into security_events (kind, user_id, actor, at)
        select 'token_made', ${member.id}::uuid, 'member', now() - ${ageDays} * interval '1 day' - n * interval '1 second'
        from generate_series(1, ${count}) n`);
    await insert(3, eventDays + 1);
    await insert(3, eventDays - 1);
    await deleteOldEvents();
    expect((await kindsOf(member.id)).filter((kind) => kind === "token_made").length).toBe(3);
    const others = (await kindsOf(member.id)).filter((kind) => kind !== "token_made");
    expect(others).not.toEqual([]);
    await insert(1100, 0);
    await deleteOldEvents();
    const kinds = await kindsOf(member.id);
    expect(kinds.filter((kind) => kind === "token_made").length).toBe(200);
    expect(kinds.filter((kind) => kind !== "token_made")).toEqual(others);
  });

  test("one statement deletes at most five thousand events, so that it ends in time", async () => {
    const member = await newMember();
    await db.execute(sql`
      create function refuse_long_deletion() returns trigger language plpgsql as $$
      begin
        if (select count(*) from deleted) > 5000 then raise exception 'too many events at once'; end if;
        return null;
      end $$`);
    await db.execute(sql`
      create trigger short_deletions after delete on security_events
      referencing old table as deleted for each statement execute function refuse_long_deletion()`);
    await db.execute(sql`
      insert into security_events (kind, user_id, actor, at)
      select kind, ${member.id}::uuid, 'member', now() - age * interval '1 day' - n * interval '1 second'
      from (values ('token_made', 0), ('token_revoked', ${eventDays + 1}::int)) as events (kind, age),
           generate_series(1, 10500) n`);
    await deleteOldEvents();
    const kinds = (await kindsOf(member.id)).filter((kind) => kind.startsWith("token"));
    expect(kinds).toEqual(Array(200).fill("token_made"));
    await db.execute(sql`drop function refuse_long_deletion cascade`);
  });

  test("deleting an account deletes its events and leaves one event without a name", async () => {
    const member = await newMember();
    const before = await db.$count(securityEvents, eq(securityEvents.kind, "account_deleted"));
    const deleted = await member.request("/api/user/account", {
      method: "DELETE",
      json: { password: goodPassword },
    });
    expect(deleted.status).toBe(200);
    expect(await eventsOf(member.id)).toEqual([]);
    const rows = await db.select().from(securityEvents).where(eq(securityEvents.kind, "account_deleted"));
    expect(rows.length).toBe(before + 1);
    expect(
      rows.every((row) => row.userId === null && row.operatorId === null && row.networkHash === null),
    ).toBe(true);
  });
});

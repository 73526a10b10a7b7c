import { createHmac } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { type FoundSession, whileSessionValid } from "#app/domain/accounts/accounts.server.ts";
import { isPin, pinLength } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, type Refusal, refuse, refuseFields } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { hashPassword, turnOfMember, verifyPassword } from "#app/domain/sign-in/sign-in.server.ts";
import { getSigningSecrets } from "#app/platform/process/secrets.server.ts";
import { days, hours, minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { profilePins, users } from "#db/schema/accounts.ts";

/**
 * The PIN of a grown-up's profile. One guess in ten thousand is right, so guessing is slowed down: after five wrong
 * PINs each further one doubles the wait, and at most 30 wrong PINs are compared in a day, from all clients together.
 * Typing the right PIN in between does not reset the daily count. The account's password opens the profile at any time.
 */

const freeFailures = 5;
const firstWaitMs = minutes(1);
const maxWaitMs = minutes(60);
/** At this limit, guessing the PINs of three profiles succeeds on less than one day in a hundred. */
const maxWrongInDay = 30;
const dayMs = days(1);

export const hasPin = async (profileId: string): Promise<boolean> =>
  (await db.$count(profilePins, eq(profilePins.userId, profileId))) > 0;

const pinRule = `needs ${pinLength.min} to ${pinLength.max} digits`;
const notAPin = refuseFields([{ path: "pin", message: pinRule }]);

/**
 * Keyed with a secret that is not in the database. Otherwise somebody who reads only the database could try all PINs
 * within hours.
 */
const keyed = (profileId: string, pin: string, secret: string) =>
  createHmac("sha256", secret).update(`pin ${profileId} ${pin}`).digest("base64url");

export async function savePin(session: FoundSession, pin: string, actor: Actor): Promise<Outcome<null>> {
  if (!isPin(pin)) return notAPin;
  const { id, accountId, name } = session.user;
  const [secret] = getSigningSecrets();
  const hashed = await hashPassword(keyed(id, pin, secret), turnOfMember(actor.ip ?? id, accountId));
  if (!hashed.ok) return hashed;
  return whileSessionValid(session, async (transaction) => {
    const row = { hash: hashed.value, changedAt: new Date(), failures: 0, waitsUntil: null, wrongInDay: 0 };
    await transaction
      .insert(profilePins)
      .values({ userId: id, ...row })
      .onConflictDoUpdate({ target: profilePins.userId, set: row });
    await recordEvent({ kind: "pin_changed", userId: accountId, actor, detail: name }, transaction);
    return done(null);
  });
}

/** A household gets its first child only if the way back to its owner's profile is locked. */
export async function saveFirstPin(session: FoundSession, pin: string, actor: Actor): Promise<Outcome<null>> {
  const { id, isBesideChild } = session.user;
  if (isBesideChild || (await hasPin(id))) return done(null);
  return savePin(session, pin, actor);
}

export function removePin(session: FoundSession, actor: Actor): Promise<Outcome<null>> {
  const { id, accountId, name } = session.user;
  return whileSessionValid(session, async (transaction) => {
    const [removed] = await transaction
      .delete(profilePins)
      .where(eq(profilePins.userId, id))
      .returning({ userId: profilePins.userId });
    if (removed)
      await recordEvent({ kind: "pin_changed", userId: accountId, actor, detail: name }, transaction);
    return done(null);
  });
}

/** Refuses a wrong PIN, and every PIN while the profile has to wait. */
export async function checkPin(
  profileId: string,
  pin: string,
  actor: Actor,
  field: "pin" | "current" = "pin",
): Promise<Outcome<null>> {
  const wrong = refuse("invalid", "The PIN is wrong.", [{ path: field, message: "is wrong" }]);
  if (!isPin(pin)) return wrong;
  const attempt = await countAttempt(profileId);
  if (attempt === null) return waitRefusal(await getWaitMs(profileId));
  const compared = await comparePin(profileId, pin, attempt.hash, actor);
  if (!compared.ok) {
    await takeBack(profileId, { wasRight: false });
    return compared;
  }
  if (compared.value) {
    await takeBack(profileId, { wasRight: true });
    return done(null);
  }
  if (attempt.failures % freeFailures === 0) await recordFailures(profileId, attempt.failures, actor);
  return attempt.failures >= freeFailures ? waitRefusal(await getWaitMs(profileId)) : wrong;
}

async function comparePin(profileId: string, pin: string, hash: string, actor: Actor) {
  for (const secret of getSigningSecrets()) {
    const turn = turnOfMember(actor.ip ?? profileId, profileId);
    const compared = await verifyPassword(keyed(profileId, pin, secret), hash, turn);
    if (!compared.ok || compared.value) return compared;
  }
  return done(false);
}

/**
 * Counts the PIN as wrong before it is compared, so that concurrent guesses cannot exceed the limit. Null if the
 * profile has to wait or has no PIN.
 */
async function countAttempt(profileId: string): Promise<{ hash: string; failures: number } | null> {
  const count = sql`case when waits_until < now() - interval '1 day' then 1 else failures + 1 end`;
  const waitMs = sql`least(${maxWaitMs}, ${firstWaitMs} * power(2, least(${count} - ${freeFailures}, 20)))`;
  const isOver = sql`(day_began_at is null or day_began_at <= now() - ${dayMs} * interval '1 millisecond')`;
  const [row] = await db.execute<{ hash: string; failures: number }>(sql`
    update ${profilePins} set failures = ${count},
      waits_until = case when ${count} >= ${freeFailures}
        then now() + ${waitMs} * interval '1 millisecond' end,
      day_began_at = case when ${isOver} then now() else day_began_at end,
      wrong_in_day = case when ${isOver} then 1 else wrong_in_day + 1 end
     where user_id = ${profileId}::uuid and (waits_until is null or waits_until <= now())
       and (${isOver} or wrong_in_day < ${maxWrongInDay})
    returning hash, failures`);
  return row ?? null;
}

async function getWaitMs(profileId: string): Promise<number> {
  const [row] = await db.select().from(profilePins).where(eq(profilePins.userId, profileId));
  const waitsUntil = row?.waitsUntil?.getTime() ?? 0;
  const dayEnds = (row?.wrongInDay ?? 0) >= maxWrongInDay ? (row?.dayBeganAt?.getTime() ?? 0) + dayMs : 0;
  return Math.max(0, Math.max(waitsUntil, dayEnds) - Date.now());
}

function waitRefusal(waitMs: number): Refusal {
  const text = `Too many wrong PINs. Wait ${waitText(waitMs)}, or type the password of the account.`;
  return { ...refuse("forbidden", text), waitMs };
}

function waitText(waitMs: number): string {
  const left = Math.max(1, Math.ceil(waitMs / minutes(1)));
  if (left > 90) return `${Math.ceil(waitMs / hours(1))} hours`;
  return left === 1 ? "a minute" : `${left} minutes`;
}

/** Undoes `countAttempt` for a right PIN, which also ends the wait, and for a PIN that could not be compared. */
async function takeBack(profileId: string, { wasRight }: { wasRight: boolean }): Promise<void> {
  const counts = wasRight ? afterProof : { failures: sql`greatest(0, failures - 1)`, waitsUntil: null };
  await db
    .update(profilePins)
    .set({ ...counts, wrongInDay: sql`greatest(0, wrong_in_day - 1)` })
    .where(eq(profilePins.userId, profileId));
}

/**
 * The right PIN or the password ends the wait, but for a day the next wrong PIN starts it again. Otherwise a child
 * could guess five times more whenever a grown-up has entered the profile.
 */
const afterProof = { failures: sql`least(failures, ${freeFailures - 1})`, waitsUntil: sql`now()` };

export async function forgetFailures(profileId: string): Promise<void> {
  await db.update(profilePins).set(afterProof).where(eq(profilePins.userId, profileId));
}

async function recordFailures(profileId: string, failures: number, actor: Actor) {
  const [profile] = await db
    .select({ accountId: users.accountId, name: users.name })
    .from(users)
    .where(eq(users.id, profileId));
  if (!profile) return;
  const userId = profile.accountId ?? profileId;
  await recordEvent({ kind: "pins_failed", userId, actor, detail: `${profile.name}: ${failures}` });
}

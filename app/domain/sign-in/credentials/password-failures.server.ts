import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { recordEvent } from "#app/domain/events/events.server.ts";
import { inSeconds, minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { signInFailures } from "#db/schema/accounts.ts";

/**
 * The limit for wrong passwords of one account, on every form that asks for it. Clients whose IP address has signed in
 * to the account before are exempt, so that an attacker cannot lock the member out.
 */
const maxFailures = 300;
const failureWindow = minutes(15);
/**
 * Only these numbers of failures are recorded as events. Fewer are typing errors, and an event for each failure would
 * let strangers fill the record.
 */
const recordedFailures = new Set([10, 100, maxFailures]);
/**
 * The tolerated clock difference between instances. A window that begins further in the future dates from before the
 * clock was set back and would last too long, so it is ignored.
 */
const maxClockDifference = minutes(1);

type FailureCount = { failures: number | null; windowStart: Date | null; knownAddress: string | null };

export function isThrottled({ failures, windowStart, knownAddress }: FailureCount) {
  if (knownAddress !== null || failures === null || windowStart === null) return false;
  const elapsedMs = Date.now() - windowStart.getTime();
  return failures >= maxFailures && elapsedMs >= -maxClockDifference && elapsedMs < failureWindow;
}

/** The SQL condition that a window of this length is over. */
export const isWindowOver = (windowStart: AnyColumn, lengthMs: number, now: string): SQL =>
  sql`(${windowStart} > ${now}::timestamptz + ${inSeconds(maxClockDifference)} * interval '1 second'
    or ${windowStart} <= ${now}::timestamptz - ${inSeconds(lengthMs)} * interval '1 second')`;

/**
 * Runs in the background: waiting for this write would make the answer for a known email slower than for an unknown
 * one.
 */
export async function countFailure(userId: string, ip: string) {
  const now = new Date().toISOString();
  const isOver = isWindowOver(signInFailures.windowStart, failureWindow, now);
  const [counted] = await db.execute<{ failures: number }>(sql`
    insert into ${signInFailures} (user_id, window_start, failures) values (${userId}, ${now}::timestamptz, 1)
    on conflict (user_id) do update set
      failures = case when ${isOver} then 1 else ${signInFailures.failures} + 1 end,
      window_start = case when ${isOver} then excluded.window_start else ${signInFailures.windowStart} end
    returning failures`);
  if (counted && recordedFailures.has(counted.failures))
    await recordEvent({
      kind: "sign_ins_failed",
      userId,
      actor: { kind: "member", ip },
      detail: `${counted.failures} within ${failureWindow / minutes(1)} minutes`,
    });
}

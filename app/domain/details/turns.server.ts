import { sql } from "drizzle-orm";
import { hours, minutes, seconds } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { detailState } from "#db/schema/details.ts";
import { after, type QueueClock, type QueueRun } from "./clock.ts";
import { aniList } from "./sources/anilist.server.ts";

/**
 * The rate limit for requests to the source. It is in the database, so that all instances share it and a restart does
 * not reset it.
 */

type DetailState = Omit<typeof detailState.$inferSelect, "only">;

const firstState: DetailState = {
  nextAt: new Date(0),
  day: "",
  askedToday: 0,
  batchSize: 50,
  failures: 0,
  failingSince: null,
  problem: null,
  lastPerson: 0,
  lastCharacter: 0,
};

export async function readDetailState(): Promise<DetailState> {
  const [row] = await db.select().from(detailState);
  return row ?? firstState;
}

/** The number of titles that were asked for on this day. */
export const askedOn = (today: string, { day, askedToday }: DetailState): number =>
  day === today ? askedToday : 0;

const write = (values: Record<string, unknown>) =>
  db
    .insert(detailState)
    .values({})
    .onConflictDoNothing()
    .then(() => db.update(detailState).set(values));

/** The time between two requests. */
export const paceMs = minutes(1) / aniList.requestsPerMinute;

/**
 * Waits until a request may be sent. Returns false if that is more than `maxWaitMs` away, or if the signal aborted
 * meanwhile.
 */
export async function takeTurn({ clock, signal }: QueueRun, maxWaitMs: number): Promise<boolean> {
  const now = clock.now();
  const nowText = now.toISOString();
  const latest = after(clock, maxWaitMs).toISOString();
  const gap = sql`interval '1 millisecond' * ${paceMs}`;
  const [turn] = await db.execute<{ waitMs: number }>(sql`
    insert into ${detailState} as own (next_at) values (${nowText}::timestamptz + ${gap})
    on conflict ("only") do update set next_at = greatest(own.next_at, ${nowText}::timestamptz) + ${gap}
      where own.next_at <= ${latest}::timestamptz
    returning 1000 * extract(epoch from next_at - ${gap} - ${nowText}::timestamptz)::float8 as "waitMs"`);
  if (turn === undefined) return false;
  if (turn.waitMs > 0) await clock.sleep(turn.waitMs, signal);
  return !signal.aborted;
}

const notBefore = (at: Date) => sql`greatest(${detailState.nextAt}, ${at.toISOString()}::timestamptz)`;

/** Delays the next request by at least this time, if the source asks for it. */
export const delayNext = (clock: QueueClock, waitMs: number) =>
  write({ nextAt: notBefore(after(clock, waitMs)) });

const noFailure = { failures: 0, failingSince: null, problem: null };

/** The source answers, whatever it was asked. */
export const recordAnswer = () => write(noFailure);

/** After a good answer about titles, requests become larger again, one title at a time. */
export const recordGoodAnswer = () =>
  write({
    ...noFailure,
    batchSize: sql`least(${aniList.titlesPerRequest}, ${detailState.batchSize} + 1)`,
  });

export const recordTooLarge = (asked: number) => write({ batchSize: Math.max(1, Math.floor(asked / 2)) });

const firstBackOffMs = seconds(30);
const maxBackOffMs = hours(1);

/** `waitMs`: the wait that the source asked for. Otherwise it grows with each failure in a row, up to an hour. */
export async function recordFailure(
  clock: QueueClock,
  message: string,
  waitMs: number | null,
): Promise<void> {
  const { failures } = await readDetailState();
  const backOffMs = Math.min(maxBackOffMs, firstBackOffMs * 2 ** Math.min(failures, 20));
  await write({
    failures: failures + 1,
    failingSince: sql`coalesce(${detailState.failingSince}, ${clock.now().toISOString()}::timestamptz)`,
    problem: message,
    nextAt: notBefore(after(clock, waitMs ?? backOffMs)),
  });
}

import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { env } from "#app/platform/process/env.server.ts";
import { areDetailsOn } from "#app/platform/site-settings.server.ts";
import { days } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { detailPictures, titleDetails } from "#db/schema/details.ts";
import { detailReasons } from "#db/schema/enumerations.ts";
import { countPictureBytes, maxPictureBytes } from "./pictures.server.ts";
import { maxTitlesPerDay } from "./queue.server.ts";
import { askedOn, paceMs, readDetailState } from "./turns.server.ts";

/** The state of the queue of details, for operators. */

export type DetailProgress = {
  isForbidden: boolean;
  isOn: boolean;
  /** The host to which the numbers of titles are sent. */
  host: string;
  /** The titles that have details. */
  answered: number;
  /** The titles that are asked for next, by reason. */
  waiting: { reason: (typeof detailReasons)[number]; count: number }[];
  /** How long all of them take if nothing fails; null if none waits. */
  remainingMs: number | null;
  askedToday: number;
  maxTitlesPerDay: number;
  /** Why the source does not answer, since when, and when it is asked again. Null if it answers. */
  problem: { text: string; since: Date; nextAt: Date } | null;
  /** Titles that failed, those that fail most often first. */
  failed: { malId: number; title: string; problem: string; dueAt: Date }[];
  failedCount: number;
  pictures: { waiting: number; failed: number; bytes: number; maxBytes: number };
};

const { host } = new URL(env.DETAILS_URL);

const maxListed = 50;

export async function getDetailProgress(): Promise<DetailProgress> {
  const now = new Date();
  const isFailed = and(isNotNull(titleDetails.problem), isNotNull(titleDetails.reason));
  const [state, waiting, answered, failed, failedCount, [pictures], bytes] = await Promise.all([
    readDetailState(),
    db
      .select({ reason: titleDetails.reason, count: sql<number>`count(*)::int` })
      .from(titleDetails)
      .where(
        and(isNotNull(titleDetails.reason), sql`${titleDetails.dueAt} <= ${now.toISOString()}::timestamptz`),
      )
      .groupBy(titleDetails.reason),
    db.$count(titleDetails, isNotNull(titleDetails.answeredAt)),
    db
      .select({
        malId: titleDetails.malId,
        title: titles.title,
        problem: sql<string>`${titleDetails.problem}`,
        dueAt: titleDetails.dueAt,
      })
      .from(titleDetails)
      .innerJoin(titles, eq(titles.malId, titleDetails.malId))
      .where(isFailed)
      .orderBy(sql`${titleDetails.failures} desc`, asc(titleDetails.dueAt), titleDetails.malId)
      .limit(maxListed),
    db.$count(titleDetails, isFailed),
    db
      .select({
        waiting: sql<number>`(count(*) filter (where due_at is not null))::int`,
        failed: sql<number>`(count(*) filter (where due_at is null and cid is null))::int`,
      })
      .from(detailPictures),
    countPictureBytes(),
  ]);
  const counts = new Map(waiting.map(({ reason, count }) => [reason, count]));
  const waitingCount = waiting.reduce((sum, { count }) => sum + count, 0);
  const askedToday = askedOn(now.toISOString().slice(0, 10), state);
  const { problem, failingSince, nextAt } = state;
  return {
    isForbidden: !env.DETAILS,
    isOn: areDetailsOn(),
    host,
    answered,
    waiting: detailReasons.flatMap((reason) => {
      const count = counts.get(reason) ?? 0;
      return count > 0 ? { reason, count } : [];
    }),
    remainingMs: waitingCount === 0 ? null : remainingMs(waitingCount, askedToday, state.batchSize, now),
    askedToday,
    maxTitlesPerDay,
    problem:
      problem === null || failingSince === null ? null : { text: problem, since: failingSince, nextAt },
    failed,
    failedCount,
    pictures: {
      waiting: pictures?.waiting ?? 0,
      failed: pictures?.failed ?? 0,
      bytes,
      maxBytes: maxPictureBytes,
    },
  };
}

/** Adds up the rest of today, the full days at the daily limit, and the requests of the last day. */
function remainingMs(waiting: number, askedToday: number, batchSize: number, now: Date): number {
  const today = maxTitlesPerDay - askedToday;
  const requestsMs = (titleCount: number) => Math.ceil(titleCount / batchSize) * paceMs;
  if (waiting <= today) return requestsMs(waiting);
  const untilTomorrowMs = days(1) - (now.getTime() % days(1));
  const later = waiting - today;
  const fullDays = Math.ceil(later / maxTitlesPerDay) - 1;
  return untilTomorrowMs + days(fullDays) + requestsMs(later - fullDays * maxTitlesPerDay);
}

/** A shorter outage ends by itself. */
const maxOutageMs = days(1);

/** A sentence for operators if the source has not answered for a day; otherwise null. */
export async function findDetailTrouble(now = new Date()): Promise<string | null> {
  if (!areDetailsOn()) return null;
  const { failingSince, problem } = await readDetailState();
  if (failingSince === null || now.getTime() - failingSince.getTime() < maxOutageMs) return null;
  return `${host} has not told details of titles since ${failingSince.toISOString().slice(0, 10)}: ${problem ?? "it does not say why"}. The site tries again by itself.`;
}

/** The host that the button "Get details" would send numbers of titles to. Null if details are on, or forbidden. */
export const findDetailsOffer = (): { host: string } | null =>
  env.DETAILS && !areDetailsOn() ? { host } : null;

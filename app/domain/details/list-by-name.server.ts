import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { env } from "#app/platform/process/env.server.ts";
import { inSeconds, seconds } from "#app/platform/units.ts";
import { ask } from "./ask-source.server.ts";
import { realClock } from "./clock.ts";
import { aniList, hasList, listQuestionOf } from "./sources/anilist.server.ts";
import { delayNext, recordAnswer, recordFailure, takeTurn } from "./turns.server.ts";

/**
 * Fetches a member's public list from AniList by their user name there. The member asks for it, so it works even if
 * details of titles are off. The request shares the rate limit with the queue of details, which waits one turn longer.
 */

/** Null if the operator forbids it. */
export const findListHost = (): string | null => (env.DETAILS ? new URL(env.DETAILS_URL).host : null);

const maxWaitMs = seconds(20);
const fetching = new Set<string>();

/** Returns the list as JSON that the import of list files can read. */
export async function fetchListByName(
  userId: string,
  name: string,
  signal: AbortSignal,
): Promise<Outcome<string>> {
  if (!env.DETAILS) return refuse("forbidden", "The operator of this site forbids asking AniList");
  if (!/^[\w-]{2,30}$/.test(name)) return refuse("invalid", "This is not a name that AniList gives");
  if (fetching.has(userId))
    return refuse("overloaded", "Your list is being fetched already. Please wait for it.");
  fetching.add(userId);
  try {
    return await fetchList(name, signal);
  } finally {
    fetching.delete(userId);
  }
}

async function fetchList(name: string, signal: AbortSignal): Promise<Outcome<string>> {
  const isTurn = await takeTurn(realClock, { ...aniList, maxWaitMs, signal });
  if (!isTurn)
    return refuse(
      "overloaded",
      `AniList takes no more requests of this site for more than ${inSeconds(maxWaitMs)} seconds. Please try again later.`,
    );
  const reply = await ask(aniList.address, listQuestionOf(name), { clock: realClock, signal });
  // An unknown name has the status 404. Other errors say nothing about the name, even as JSON.
  const isAnswer = reply.kind === "json" && (reply.status === 200 || reply.status === 404);
  if (!isAnswer) {
    const message = reply.kind === "json" ? `The server answered ${reply.status}` : reply.message;
    if (reply.kind !== "failed" && !signal.aborted)
      await recordFailure(realClock, message, reply.kind === "wait" ? reply.waitMs : null);
    return refuse("upstream_failed", "AniList does not answer now. Please try again later.");
  }
  await recordAnswer();
  await delayNext(realClock, reply.paceMs);
  if (!hasList(reply.json))
    return refuse(
      "not_found",
      "AniList shows no list of this name. It may be private, or spelled differently.",
    );
  return done(JSON.stringify(reply.json));
}

import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { env } from "#app/platform/process/env.server.ts";
import { inSeconds, seconds } from "#app/platform/units.ts";
import { download } from "./ask-source.server.ts";
import { realClock } from "./clock.ts";
import { listQuestionOf } from "./sources/anilist.server.ts";
import { delayNext, recordAnswer, recordFailure, takeTurn } from "./turns.server.ts";

/**
 * Fetches a member's public list from AniList by their user name there. The member asks for it, so it works even if
 * details of titles are off. The request shares the rate limit with the queue of details, which waits one turn longer.
 */

/** Null if the operator forbids it. */
export const findListHost = (): string | null => (env.DETAILS ? new URL(env.DETAILS_URL).host : null);

const maxWaitMs = seconds(20);
/** The accounts whose lists are being fetched. */
const fetching = new Set<string>();

export const noListRefusal = refuse(
  "not_found",
  "AniList shows no list of this name. It may be private, or spelled differently.",
);

type Options = { signal: AbortSignal; save: (pieces: AsyncIterable<Uint8Array>) => Promise<void> };

/** Gives the list to `save`, as JSON that the import of list files can read. That import finds out whether it is one. */
export async function fetchListByName(
  accountId: string,
  name: string,
  options: Options,
): Promise<Outcome<void>> {
  if (!env.DETAILS) return refuse("forbidden", "The operator of this site forbids asking AniList");
  if (!/^[\w-]{2,30}$/.test(name)) return refuse("invalid", "This is not a name that AniList gives");
  if (fetching.has(accountId))
    return refuse("overloaded", "A list is being fetched for your account already. Please wait for it.");
  fetching.add(accountId);
  try {
    return await fetchList(name, options);
  } finally {
    fetching.delete(accountId);
  }
}

async function fetchList(name: string, { signal, save }: Options): Promise<Outcome<void>> {
  // A turn cannot be given back. Waits for it also when the client has left, or an account could take turn after turn.
  const isTurn = await takeTurn({ clock: realClock, signal: new AbortController().signal }, maxWaitMs);
  if (!isTurn)
    return refuse(
      "overloaded",
      `AniList takes no more requests of this site for more than ${inSeconds(maxWaitMs)} seconds. Please try again later.`,
    );
  const reply = await download(listQuestionOf(name), { clock: realClock, signal, save });
  // An unknown name has the status 404. Other errors say nothing about the name, even as JSON.
  const isUnknownName = reply.kind === "json" && reply.status === 404;
  if (reply.kind !== "saved" && !isUnknownName) {
    const message = reply.kind === "json" ? `The server answered ${reply.status}` : reply.message;
    if (reply.kind !== "failed" && !signal.aborted)
      await recordFailure(realClock, message, reply.kind === "wait" ? reply.waitMs : null);
    return refuse("upstream_failed", "AniList does not answer now. Please try again later.");
  }
  await recordAnswer();
  await delayNext(realClock, reply.paceMs);
  return isUnknownName ? noListRefusal : done(undefined);
}

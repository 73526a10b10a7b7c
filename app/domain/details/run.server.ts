import { numberTags } from "#app/domain/catalog-import/catalog-import.server.ts";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { oneAtATime } from "#app/platform/limits/one-at-a-time.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { areDetailsOn } from "#app/platform/site-settings.server.ts";
import { hours, minutes, seconds } from "#app/platform/units.ts";
import { runOnOneInstance } from "#db/one-instance.server.ts";
import { ask, type SourceReply } from "./ask-source.server.ts";
import { type QueueClock, type QueueRun, realClock } from "./clock.ts";
import { deleteUnwantedDetails, hasUnwantedDetails } from "./delete-details.server.ts";
import { fetchSomePictures, forgetUnnamedPictures } from "./pictures.server.ts";
import {
  askAgain,
  type Batch,
  isAnythingDue,
  recordAsked,
  recordListed,
  recordOpened,
  recordTitleFailure,
  recordUnknown,
  refreshReasons,
  takeBatch,
} from "./queue.server.ts";
import { aniList } from "./sources/anilist.server.ts";
import type { TitleAnswer } from "./sources/detail-source.ts";
import {
  delayNext,
  readDetailState,
  recordFailure,
  recordGoodAnswer,
  recordTooLarge,
  takeTurn,
} from "./turns.server.ts";
import { storeAnswers } from "./write-details.server.ts";

/**
 * Works through the queue of details. One instance at a time does this, and its lease ends with its process. After an
 * interruption, the next run asks again for every title whose answer was not stored.
 */

/** If the source asks for a longer wait, the run ends and a later one continues. */
const maxWaitInRunMs = minutes(1);

/** Asks for all details that are due, as far as the source's rate limit allows. */
export async function runDetails(settings: Partial<QueueRun> = {}): Promise<void> {
  const { clock = realClock, signal = new AbortController().signal } = settings;
  const run = { clock, signal };
  await runOnOneInstance("details", async () => {
    await deleteUnwantedDetails();
    if (!areDetailsOn()) return;
    await refreshReasons(clock);
    refreshedAt = performance.now();
    let areTitlesDone = false;
    const titles = askForTitles(run).finally(() => {
      areTitlesDone = true;
    });
    const pictures = async () => {
      while (isGoingOn(run)) {
        const wereTitlesDone = areTitlesDone;
        if (await fetchSomePictures(run)) continue;
        if (wereTitlesDone) return;
        await Promise.race([titles, realClock.sleep(seconds(1), signal)]);
      }
    };
    const ends = await Promise.allSettled([titles, pictures()]);
    await forgetUnnamedPictures();
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  });
}

const isGoingOn = ({ signal }: QueueRun) => !signal.aborted && areDetailsOn();

async function askForTitles(run: QueueRun): Promise<void> {
  let hasNews = false;
  while (isGoingOn(run)) {
    const { batchSize } = await readDetailState();
    // Waits for its turn before it chooses titles, so that a title opened during the wait is in this request.
    if ((await takeBatch(run.clock, batchSize)) === null) break;
    if (!(await takeTurn(run, maxWaitInRunMs))) break;
    const batch = await takeBatch(run.clock, batchSize);
    if (batch === null || !isGoingOn(run)) break;
    await recordAsked(batch, run.clock);
    const numbers = batch.titles.map(({ number }) => number);
    const reply = await ask(aniList.questionOf({ by: batch.by, numbers }), run);
    if (run.signal.aborted) break;
    const isStored = await takeReply(run, batch, reply);
    hasNews ||= isStored;
    // After each request, because new relations may change the franchises of its titles.
    if (isStored) await renewFranchises();
  }
  if (hasNews) await numberTags();
}

/** Returns whether details were stored. */
async function takeReply({ clock }: QueueRun, batch: Batch, reply: SourceReply): Promise<boolean> {
  switch (reply.kind) {
    case "wait":
      await recordFailure(clock, reply.message, reply.waitMs);
      return false;
    case "down":
      await recordFailure(clock, reply.message, null);
      return false;
    case "failed":
      await makeSmaller(clock, batch, reply.message);
      return false;
    case "json": {
      const answer = aniList.read(reply.json);
      if (!answer.ok) {
        await makeSmaller(clock, batch, answer.message);
        return false;
      }
      const answers = answersOf(batch, answer.titles);
      await storeAnswers(answers, clock);
      const missing = batch.titles.filter(({ malId }) => !answers.has(malId));
      if (answer.isWhole) await recordUnknown({ ...batch, titles: missing }, clock);
      else await recordTitleFailure(malIdsOf(missing), "The answer about this title failed", clock);
      await recordGoodAnswer();
      await delayNext(clock, reply.paceMs);
      return answers.size > 0;
    }
  }
}

/** Halves the size of the next request. A title that fails even alone has to wait, so that others can be asked for. */
async function makeSmaller(clock: QueueClock, { titles }: Batch, message: string): Promise<void> {
  if (titles.length > 1) {
    await recordTooLarge(titles.length);
    return;
  }
  await recordTitleFailure(malIdsOf(titles), message, clock);
  await recordFailure(clock, message, null);
}

/**
 * Finds the answer about each title. If the source gives the title another MyAnimeList number than the catalog, one of
 * the two is wrong, so that answer is not used.
 */
function answersOf({ by, titles }: Batch, answers: readonly TitleAnswer[]): Map<number, TitleAnswer> {
  const answerOf = new Map<number, TitleAnswer>();
  for (const { malId, number } of titles) {
    const answer = answers.find((one) =>
      by === "mal" ? one.malId === malId : one.number === number && (one.malId ?? malId) === malId,
    );
    if (answer) answerOf.set(malId, answer);
  }
  return answerOf;
}

const everyMs = seconds(30);
/** Titles that are opened or listed join the queue at once; those that get a film, begin to air or are wished for, within this time. */
const refreshEveryMs = minutes(10);
let refreshedAt = Number.NEGATIVE_INFINITY;
let timer: NodeJS.Timeout | undefined;
let stopping: AbortController | undefined;

export function startDetails(): void {
  stopping = new AbortController();
  timer = setInterval(workSoon, everyMs).unref();
  workSoon();
}

/** Call this before the database closes. The next start repeats what was interrupted. */
export async function stopDetails(): Promise<void> {
  clearInterval(timer);
  timer = undefined;
  stopping?.abort();
  await runIfDue();
}

const runIfDue = oneAtATime(async () => {
  if (timer === undefined || !stopping) return;
  const { signal } = stopping;
  try {
    if (await hasWork()) await runDetails({ signal });
  } catch (error) {
    if (!signal.aborted) log.warn("cannot ask for details of titles; trying again", errorFields(error));
  }
});

/** Runs the queue now, if this process is one that does. Other instances notice new work by themselves. */
export const workSoon = (): void => void runIfDue();

/** Checked before each run, because a run occupies a database connection. */
async function hasWork(): Promise<boolean> {
  if (!areDetailsOn()) return hasUnwantedDetails();
  return performance.now() - refreshedAt > refreshEveryMs || isAnythingDue(realClock, maxWaitInRunMs);
}

/** The titles that this process has recorded as opened in the current hour. */
const recorded = { hour: 0, malIds: new Set<number>() };

/**
 * Call this when a member opens a title's page. The page does not wait for it and cannot fail because of it. A title is
 * recorded at most once an hour, because each record is a write.
 */
export function noteOpenedTitle(malId: number): void {
  if (!areDetailsOn()) return;
  const hour = Math.floor(Date.now() / hours(1));
  if (recorded.hour !== hour) {
    recorded.hour = hour;
    recorded.malIds.clear();
  }
  if (recorded.malIds.has(malId)) return;
  recorded.malIds.add(malId);
  recordOpened(malId, realClock)
    .then((isNew) => isNew && workSoon())
    .catch((error: unknown) => {
      recorded.malIds.delete(malId);
      log.warn("cannot note that a title was opened", errorFields(error));
    });
}

/** Call this when a member has put titles on the list. The edit does not wait for it and cannot fail because of it. */
export function noteListedTitles(malIds: readonly number[]): void {
  if (malIds.length === 0 || !areDetailsOn()) return;
  recordListed(malIds, realClock)
    .then((isDue) => isDue && workSoon())
    .catch((error: unknown) => log.warn("cannot note that titles were listed", errorFields(error)));
}

/** Asks for a title again, for an operator. Returns false if no other site can know it. */
export async function askForTitle(malId: number): Promise<boolean> {
  const isAsked = await askAgain(malId, realClock);
  if (isAsked) workSoon();
  return isAsked;
}

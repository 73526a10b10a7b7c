import { readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { log } from "../log.server.ts";
import { mebibytes } from "../units.ts";
import { CannotStart } from "./cannot-start.server.ts";
import { env } from "./env.server.ts";
import { findFfmpeg } from "./ffmpeg.server.ts";
import { getMemoryMb, heapFlags, planMemory } from "./memory-plan.ts";

/** Divides MEMORY for this machine. */

function readIfExists(path: string) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

const totalMb = env.MEMORY ?? getMemoryMb(totalmem(), readIfExists);

const wantedConversions =
  findFfmpeg() === null ? 0 : (env.CONVERSIONS ?? Math.max(1, Math.floor(availableParallelism() / 2)));

const hasEmbeddedDatabase = env.DATABASE_URL === undefined;
/** Where an operator can choose folders of films on the site, there may be films at any time. */
const hasFilms = env.MEDIA_DIR !== undefined || hasEmbeddedDatabase;

export const memoryPlan = planMemory(totalMb, {
  cores: availableParallelism(),
  hasEmbeddedDatabase,
  hasFilms,
  pictureConverters: wantedConversions,
});

/** For operators: which film pictures are not converted for lack of memory. Null if all are. */
export function noConverterText(): string | null {
  if (!hasFilms || wantedConversions === 0) return null;
  if (memoryPlan.pictureConverters === 0)
    return `${totalMb} MiB of memory are too little to convert the pictures of videos: give the site 1,024 MiB or more, or set CONVERSIONS=0`;
  return memoryPlan.hasSmallConverter
    ? `films of more than 1080 lines are too large to convert with ${totalMb} MiB of memory, and others get 720 lines: give the site about 1,400 MiB for 1080 lines`
    : null;
}

/** Divides a part among clients: no client gets more than half of it. */
export const shareOfMemory = (mb: number) => ({ total: mebibytes(mb), perClient: mebibytes(mb) / 2 });

const needed = `with these settings the site needs ${memoryPlan.minMb} MiB`;

/** Call this before anything starts. */
export function requireMemory() {
  const { minMb } = memoryPlan;
  if (env.MEMORY !== undefined && env.MEMORY < minMb)
    throw new CannotStart(`MEMORY (${env.MEMORY}) is too small: ${needed}. Set it to ${minMb} or more.`);
}

/** Logs one line for each setting that can make the site use more memory than there is. */
export function warnAboutMemory() {
  const { minMb, heap, worstCase } = memoryPlan;
  if (totalMb < minMb) log.warn(`${needed} of memory, but the machine or its container has ${totalMb} MiB`);
  if (hasFilms && memoryPlan.filmChildren === 0)
    log.warn("there is too little memory to package films; MKV is offered as it is, which few browsers play");
  const noConverter = noConverterText();
  if (noConverter !== null) log.warn(noConverter);
  else if (hasFilms && memoryPlan.pictureConverters < wantedConversions)
    log.warn(
      `memory suffices for ${memoryPlan.pictureConverters} of ${wantedConversions} conversions of films at once`,
    );
  const limitMb = Math.round(getHeapStatistics().heap_size_limit / mebibytes(1));
  // V8 rounds its limits up.
  if (limitMb > heap + 32 && worstCase - heap + limitMb > totalMb)
    log.warn(
      `the heap may grow to ${limitMb} MiB; start the site with npm start, or node ${heapFlags(memoryPlan).join(" ")}`,
    );
}

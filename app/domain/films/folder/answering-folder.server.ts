import { withTimeLimit } from "#app/platform/limits/time-limit.ts";
import { log } from "#app/platform/log.server.ts";
import { seconds } from "#app/platform/units.ts";

/**
 * Notices when a root does not answer, for example because the server of a network share is gone. Reads then never end,
 * and each holds a thread that the process also needs for other files and for DNS lookups.
 */

/** The folder does not answer, so nothing was read from it. */
export class SilentFolder extends Error {
  override name = "SilentFolder";
}

const maxReadMs = seconds(5);
/** Slow reads in a row before the folder counts as silent. A single one can be a disk that wakes up. */
const maxMissed = 3;
const probeIntervalMs = seconds(15);
/** Node reads files with four threads. So one is left for everything else while reads of the folder hang. */
const maxUnderWay = 3;

/** The functions that run reads of a folder. A read must not begin another one and wait for it. */
export type FolderReader = {
  /** Rejects with SilentFolder when the read takes too long, and at once while the folder does not answer. */
  read<Result>(start: () => Promise<Result>): Promise<Result>;
  /** Waits as long as the folder takes, for the pieces of a file that is being sent. */
  readPiece<Result>(start: () => Promise<Result>): Promise<Result>;
};

/** `probe` reads something of the folder without holding a thread of this process. */
export function createFolderReader(folder: string, probe: () => Promise<unknown>): FolderReader {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let missed = 0;
  let isSilent = false;

  function miss() {
    missed++;
    if (isSilent || missed < maxMissed) return;
    isSilent = true;
    log.error(
      "a folder of films does not answer, so nothing is read from it until it does; check its disk or network share",
      { folder },
    );
    askAgain();
  }

  function askAgain() {
    setTimeout(() => {
      probe().then(() => {
        log.warn("a folder of films answers again", { folder });
        isSilent = false;
        missed = 0;
      }, askAgain);
    }, probeIntervalMs).unref();
  }

  async function readPiece<Result>(start: () => Promise<Result>): Promise<Result> {
    if (underWay === maxUnderWay) await new Promise<void>((begin) => waiting.push(begin));
    else underWay++;
    try {
      return await start();
    } finally {
      const begin = waiting.shift();
      if (begin) begin();
      else underWay--;
    }
  }

  async function read<Result>(start: () => Promise<Result>): Promise<Result> {
    if (isSilent) throw new SilentFolder(`${folder} does not answer`);
    const result = await withTimeLimit(readPiece(start), maxReadMs, () => {
      miss();
      return new SilentFolder(`${folder} does not answer`);
    });
    missed = 0;
    return result;
  }

  return { read, readPiece };
}

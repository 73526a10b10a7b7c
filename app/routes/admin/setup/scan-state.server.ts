import { findRootsTrouble, findScanRequest, listScans } from "#app/domain/films/films.server.ts";
import { isScanUnderWay, scanText } from "#app/domain/films/films.ts";
import { findFirstFilm } from "#app/domain/playback/playback.server.ts";
import { minutes } from "#app/platform/units.ts";
import type { ScanState } from "./first-scan.tsx";

/** Films are read after the scan. The page stops waiting after this time, because a film that cannot be read stays unread. */
const maxReadingMs = minutes(2);

/** The progress of finding the films. */
export async function findScanState(): Promise<ScanState> {
  const [scans, request, { film, registered, unread }] = await Promise.all([
    listScans(6),
    findScanRequest(),
    findFirstFilm(),
  ]);
  const now = new Date();
  const scan =
    scans.find((one) => isScanUnderWay(one, now)) ?? scans.find(({ folder }) => folder === "") ?? scans[0];
  const isBeginning = request !== null && !(scan && isScanUnderWay(scan, now));
  if (!scan || isBeginning)
    return { text: "A scan begins within seconds.", isUnderWay: true, isFailed: false, film };
  const endedAgoMs = now.getTime() - (scan.endedAt ?? now).getTime();
  const isReading = scan.endedAt !== null && film === null && unread > 0 && endedAgoMs < maxReadingMs;
  const isFailed = scan.outcome === "failed";
  const isWhole = scan.folder === "" && scan.outcome === "done";
  const text = isWhole ? foundText(scan.found, registered) : scanText(scan, now);
  return {
    // The folder's own sentence says more than the scan's.
    text:
      (isFailed ? await findRootsTrouble() : null) ??
      (isReading ? `${text} The site now reads what they contain.` : text),
    isUnderWay: isReading || isScanUnderWay(scan, now),
    isFailed,
    film,
  };
}

function foundText(found: number, registered: number) {
  if (found === 0) return "The scan found no videos.";
  const videos = found === 1 ? "1 video" : `${found.toLocaleString("en")} videos`;
  return `The scan found ${videos}. The site knows title and episode of ${registered.toLocaleString("en")}.`;
}

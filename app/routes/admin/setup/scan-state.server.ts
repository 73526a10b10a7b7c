import {
  countPassedOver,
  findRootsTrouble,
  findScanRequest,
  listScans,
} from "#app/domain/films/films.server.ts";
import { isScanUnderWay, scanText } from "#app/domain/films/films.ts";
import { reportFirstFilm } from "#app/domain/playback/playback.server.ts";
import { countUndecidedFilms } from "#app/domain/scanning/scanning.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { countText } from "#app/platform/count-text.ts";
import { minutes } from "#app/platform/units.ts";
import { findTitleNames } from "../title-names.server.ts";
import type { ScanState } from "./first-scan.tsx";

/**
 * After the scan, films are read, and new ones are judged once they are complete. The page stops waiting after this
 * time, because a film that is damaged stays as it is.
 */
const maxReadingMs = minutes(2);

/** The progress of finding the films. */
export async function getScanState(language: TitleLanguage): Promise<ScanState> {
  const [scans, request, { film: first, registered, unread }, open, passedOver] = await Promise.all([
    listScans(6),
    findScanRequest(),
    reportFirstFilm(),
    countUndecidedFilms(),
    countPassedOver(),
  ]);
  const names = await findTitleNames(first === null ? [] : [first.malId], language);
  const film = first && { ...first, ...names.get(first.malId) };
  const now = new Date();
  const scan =
    scans.find((one) => isScanUnderWay(one, now)) ?? scans.find(({ folder }) => folder === "") ?? scans[0];
  const isBeginning = request !== null && !(scan && isScanUnderWay(scan, now));
  if (!scan || isBeginning)
    return { text: "A scan begins within seconds.", isUnderWay: true, isFailed: false, film };
  const endedAgoMs = now.getTime() - (scan.endedAt ?? now).getTime();
  const isRecent = scan.endedAt !== null && endedAgoMs < maxReadingMs;
  const isReading = isRecent && film === null && unread > 0;
  const isFailed = scan.outcome === "failed";
  const isWhole = scan.folder === "" && scan.outcome === "done";
  const text = isWhole
    ? foundText(scan.found, registered) + restText({ ...open, unplayable: passedOver.withoutTitle })
    : scanText(scan, now) + waitingText(open.waiting);
  return {
    // The folder's own sentence says more than the scan's.
    text:
      (isFailed ? await findRootsTrouble() : null) ??
      (isReading ? `${text} The site now reads what they contain.` : text),
    isUnderWay: isReading || (isRecent && open.waiting > 0) || isScanUnderWay(scan, now),
    isFailed,
    film,
  };
}

/** The videos that were found and have no title. Those to decide are listed below the text. */
function restText({ waiting, extras, unplayable }: { waiting: number; extras: number; unplayable: number }) {
  const number = (count: number) => count.toLocaleString("en");
  return [
    waitingText(waiting),
    extras > 0 ? ` ${number(extras)} ${extras === 1 ? "is no episode" : "are no episodes"}.` : "",
    unplayable > 0 ? ` ${number(unplayable)} of the videos cannot be played.` : "",
  ].join("");
}

function waitingText(waiting: number) {
  if (waiting === 0) return "";
  return waiting === 1
    ? " 1 is new, and the site waits until it is complete."
    : ` ${waiting.toLocaleString("en")} are new, and the site waits until they are complete.`;
}

function foundText(found: number, registered: number) {
  if (found === 0) return "The scan found no videos.";
  return `The scan found ${countText(found, "video")}. The site knows title and episode of ${registered.toLocaleString("en")}.`;
}

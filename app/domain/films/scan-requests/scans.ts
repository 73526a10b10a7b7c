import { seconds } from "#app/platform/units.ts";
import type { scanOutcomes, scanReasons } from "#db/schema/enumerations.ts";

/** Describes scans of MEDIA_DIR in words. */

/** The numbers of films that a scan found, judged and registered, and of films that are unsure, missing or moved. */
export const noCounts = { found: 0, judged: 0, registered: 0, unsure: 0, gone: 0, moved: 0 };
export type ScanCounts = typeof noCounts;

export type Scan = ScanCounts & {
  reason: (typeof scanReasons)[number];
  folder: string;
  startedAt: Date;
  seenAt: Date;
  endedAt: Date | null;
  outcome: (typeof scanOutcomes)[number] | null;
  message: string | null;
  problems: readonly string[];
};

/** A running scan updates `seenAt` every second. After this silence it counts as dead. */
const maxSilenceMs = seconds(20);

export const isScanUnderWay = ({ outcome, seenAt }: Pick<Scan, "outcome" | "seenAt">, now: Date): boolean =>
  outcome === null && now.getTime() - seenAt.getTime() < maxSilenceMs;

export const scanReasonTexts = {
  start: "the site started",
  schedule: "its time came",
  events: "files changed",
  operator: "an operator asked for it, or decided about videos",
  hook: "another program said that files changed",
  command: "the command scan",
} as const satisfies Record<Scan["reason"], string>;

export function countsText(scan: ScanCounts): string {
  const { found, judged, registered, unsure, gone, moved } = scan;
  return [
    found === 1 ? "1 video found" : `${found} videos found`,
    ...(judged > 0 ? [`${judged} looked up in the catalog`] : []),
    ...(registered > 0 ? [`${registered} newly matched to a title`] : []),
    ...(unsure > 0 ? [`${unsure} for you to decide`] : []),
    ...(moved > 0 ? [`${moved} in another place than before`] : []),
    ...(gone > 0 ? [`${gone} missing`] : []),
  ].join(", ");
}

export function scanText(scan: Scan, now: Date): string {
  const counts = countsText(scan);
  if (scan.outcome === "failed") return scan.message ?? "It failed.";
  if (isScanUnderWay(scan, now)) return `Under way: ${counts}`;
  if (scan.outcome === "stopped") return `Stopped: ${counts}`;
  return scan.outcome === "done" ? counts : `Cut off: ${counts}. The next scan goes on.`;
}

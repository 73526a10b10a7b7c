import { seconds } from "#app/platform/units.ts";
import type { scanOutcomes, scanReasons } from "#db/schema/enumerations.ts";

/** Describes scans of MEDIA_DIR in words. */

/** How many films a scan has found, judged and registered, and how many are unsure, gone, and at another path. */
export type ScanCounts = {
  found: number;
  judged: number;
  registered: number;
  unsure: number;
  gone: number;
  moved: number;
};

export const noCounts: ScanCounts = { found: 0, judged: 0, registered: 0, unsure: 0, gone: 0, moved: 0 };

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
  operator: "an operator asked for it",
  hook: "another program said that files changed",
  command: "the command scan",
} as const satisfies Record<Scan["reason"], string>;

type Counted = ScanCounts & Pick<Scan, "startedAt" | "endedAt">;

export function countsText(scan: Counted, now: Date): string {
  const { found, judged, registered, unsure, gone, moved, startedAt, endedAt } = scan;
  const lastedSeconds = Math.max(0.1, ((endedAt ?? now).getTime() - startedAt.getTime()) / seconds(1));
  return [
    `${found} found`,
    ...(judged > 0 ? [`${judged} matched (${Math.ceil(judged / lastedSeconds)} a second)`] : []),
    `${registered} registered`,
    ...(unsure > 0 ? [`${unsure} to decide`] : []),
    ...(moved > 0 ? [`${moved} at another path`] : []),
    ...(gone > 0 ? [`${gone} not here at the moment`] : []),
  ].join(", ");
}

export function scanText(scan: Scan, now: Date): string {
  const counts = countsText(scan, now);
  if (scan.outcome === "failed") return scan.message ?? "It failed.";
  if (isScanUnderWay(scan, now)) return `Under way: ${counts}`;
  if (scan.outcome === "stopped") return `Stopped: ${counts}`;
  return scan.outcome === "done" ? counts : `Cut off: ${counts}. The next scan goes on.`;
}

import { log } from "../log.server.ts";
import { counter } from "../metrics.server.ts";
import { minutes } from "../units.ts";

const refused = counter("refused_total", "Requests and connections refused because a share is used up", [
  "kind",
]);

/**
 * Counts refusals of one kind. Logs `warning` at most once a minute, with the number of refusals since the last
 * warning, because a client that is refused a thousand times a second would fill the log.
 */
export function createRefusalCounter(kind: string, warning: string) {
  const count = refused.labels({ kind });
  let unreported = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return () => {
    count.inc();
    unreported++;
    const now = performance.now();
    if (now - warnedAt < minutes(1)) return;
    log.warn(warning, { kind, refused: unreported });
    warnedAt = now;
    unreported = 0;
  };
}

import { once } from "node:events";
import type { RequestOutcome } from "#tests/support/requests/steady-load.ts";
import type { Site } from "#tests/support/site/site-process.ts";

/** Ends a site under load by SIGTERM, and finds the requests that failed. */

export const failed = (outcomes: RequestOutcome[]) =>
  outcomes.filter(({ status }) => status === undefined || status >= 300);

export async function terminate(site: Site) {
  // Waits for `close` instead of `exit`: at `exit`, the last log lines may still be in the pipe.
  const closed = once(site.process, "close");
  site.process.kill("SIGTERM");
  return closed;
}

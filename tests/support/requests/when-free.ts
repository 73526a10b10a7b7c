import { setTimeout as pause } from "node:timers/promises";

const maxTries = 30;

/** An answer to `fetch`, or Playwright's to a request or to the opening of a page. */
type Answer = Response | { status(): number; headers(): Record<string, string> } | null;

/**
 * Sends a request again while the site is busy, after the time that its answer names. On a slow machine, requests that
 * arrive together can wait so long that the site refuses some of them.
 */
export async function whenFree<Kind extends Answer>(send: () => Promise<Kind>): Promise<Kind> {
  for (let tries = 1; ; tries++) {
    const answer = await send();
    const retryAfter = retryAfterOf(answer);
    if (retryAfter === undefined || tries === maxTries) return answer;
    if (answer instanceof Response) await answer.arrayBuffer();
    await pause(1000 * Number(retryAfter));
  }
}

/** Undefined unless the site was busy. */
function retryAfterOf(answer: Answer): string | undefined {
  if (answer instanceof Response)
    return answer.status === 503 ? (answer.headers.get("Retry-After") ?? undefined) : undefined;
  return answer?.status() === 503 ? answer.headers()["retry-after"] : undefined;
}

import { setTimeout as pause } from "node:timers/promises";

/**
 * Sends a request again while the site is busy, after the time that its answer names. On a slow machine, requests that
 * arrive together can wait so long that the site refuses some of them.
 */
export async function whenFree(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send();
    const retryAfter = answer.headers.get("Retry-After");
    if (answer.status !== 503 || retryAfter === null) return answer;
    await answer.arrayBuffer();
    await pause(1000 * Number(retryAfter));
  }
}

import { setTimeout as pause } from "node:timers/promises";

const maxTries = 30;

/**
 * Sends a request again while the site is busy, after the time that its answer names. On a slow machine, requests that
 * arrive together can wait so long that the site refuses some of them.
 */
export async function whenFree(send: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await send();
    const retryAfter = answer.headers.get("Retry-After");
    if (answer.status !== 503 || retryAfter === null || tries === maxTries) return answer;
    await answer.arrayBuffer();
    await pause(1000 * Number(retryAfter));
  }
}

import { setTimeout as pause } from "node:timers/promises";
import type { Site } from "#tests/support/site/running-site.ts";

export const isCountingAlone = ({ message }: Site["logged"][number]) =>
  message?.includes("each instance counts requests for itself") ?? false;

/**
 * Measures a limit that instances share through Redis, each time for another client. On a slow machine Redis can answer
 * too late, and an instance then counts alone. It says so at most once a minute, so measurements of that minute are
 * repeated.
 */
export async function measureSharedLimit<Result>(
  instances: readonly Site[],
  measure: (headers: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  for (let client = 1; ; client++) {
    const minuteBefore = Date.now() - 60_000;
    const result = await measure({ "X-Forwarded-For": `203.0.113.${client}` });
    const hasCountedAlone = instances.some(({ logged }) =>
      logged.some((line) => isCountingAlone(line) && Date.parse(String(line.time)) > minuteBefore),
    );
    if (!hasCountedAlone) return result;
    await pause(1000);
  }
}

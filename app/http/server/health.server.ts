import { withTimeLimit } from "#app/platform/limits/time-limit.ts";
import { seconds } from "#app/platform/units.ts";

/** Whether this process should get requests: the answer of `/readyz`. */

type Check = () => Promise<unknown>;
const checks = new Map<string, Check>();
let draining = false;

/** If the check rejects or takes too long, the process is not ready, with `name` as the reason. */
export const addReadinessCheck = (name: string, check: Check) => void checks.set(name, check);

export const startDraining = () => {
  draining = true;
};

export async function listReasonsNotReady(): Promise<string[]> {
  const failed = await Promise.all(
    [...checks].map(async ([name, check]) => ((await passes(check)) ? [] : [name])),
  );
  return [...(draining ? ["shutting down"] : []), ...failed.flat()];
}

const passes = (check: Check) =>
  withTimeLimit(check(), seconds(2), () => new Error("the check takes too long")).then(
    () => true,
    () => false,
  );

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

async function passes(check: Check) {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), seconds(2));
  });
  const inTime = check().then(
    () => true,
    () => false,
  );
  return Promise.race([inTime, tooLate]).finally(() => clearTimeout(timer));
}

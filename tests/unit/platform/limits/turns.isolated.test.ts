import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { hasActiveOthers, workFor } from "#app/platform/limits/current-client.server.ts";
import { createTurns } from "#app/platform/limits/turns.server.ts";
import { seconds } from "#app/platform/units.ts";

const jobMs = 20;
/** At most three times the duration of the job. */
const restMs = 3 * jobMs;

beforeAll(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
/** Until the clients of the previous test have not used the site for a while. */
beforeEach(() => void vi.advanceTimersByTime(seconds(10)));
afterAll(() => void vi.useRealTimers());

async function settle() {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

async function passMs(ms: number) {
  await settle();
  vi.advanceTimersByTime(ms);
  await settle();
}

function newJobs() {
  const inTurn = createTurns(
    { total: 2, perClient: 1, perAccount: 1, leavesTime: hasActiveOthers },
    () => {},
  );
  const begun: string[] = [];
  const begin = (ip: string) =>
    void workFor(ip, () =>
      inTurn(() => {
        begun.push(ip);
        return new Promise<void>((resolve) => setTimeout(resolve, jobMs));
      }),
    );
  return { begun, begin };
}

test("a client alone begins its next job at once", async () => {
  const { begun, begin } = newJobs();
  begin("192.0.2.1");
  begin("192.0.2.1");
  await passMs(jobMs);
  expect(begun).toEqual(["192.0.2.1", "192.0.2.1"]);
});

test("while another client uses the site, a client leaves time after each job, and the other need not wait for it", async () => {
  const { begun, begin } = newJobs();
  begin("192.0.2.2");
  begin("192.0.2.1");
  begin("192.0.2.1");
  await passMs(jobMs);
  expect(begun).toEqual(["192.0.2.2", "192.0.2.1"]);
  begin("192.0.2.3");
  await passMs(restMs - 1);
  expect(begun.slice(2)).toEqual(["192.0.2.3"]);
  await passMs(1);
  expect(begun.slice(3)).toEqual(["192.0.2.1"]);
});

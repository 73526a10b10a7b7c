import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { startCaddyBefore } from "#tests/support/servers/caddy.ts";
import { startNginx } from "#tests/support/servers/nginx.ts";
import { restartBoth, startWriting } from "#tests/support/site/rolling-restarts.ts";
import { startTwoInstances } from "#tests/support/site/two-instances.ts";

/** Updating a site with two instances behind nginx or Caddy (ops/) loses no request, even when it is repeated. */

const rollingRestarts = 10;
const writes = 20_000;

test.each([
  ["nginx", startNginx],
  ["Caddy", startCaddyBefore],
])(
  "behind %s, over ten rolling restarts and 20,000 writes, no request fails and no write is lost or made twice",
  async (front, startFront) => {
    const site = await startTwoInstances({ RATE_LIMIT_POINTS: "1000000" }, { startFront });
    const load = await startWriting(site);
    const startedAt = performance.now();
    for (let round = 0; round < rollingRestarts; round++) await restartBoth(site);
    await until(() => load.written() >= writes);
    const outcome = await load.stop();
    const seconds = (performance.now() - startedAt) / 1000;
    figure(
      "rolling-restarts",
      `${writes} writes through ${front} over ${rollingRestarts} restarts of both instances`,
      seconds,
      "s",
    );
    expect(outcome).toEqual({ failures: [], lost: [], doubled: [] });
  },
  1_800_000,
);

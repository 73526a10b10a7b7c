import { expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { restartBoth, startWriting } from "#tests/support/site/rolling-restarts.ts";
import { startTwoInstances } from "#tests/support/site/two-instances.ts";

/** An update of a site with two instances behind nginx (ops/nginx.conf). tests/load repeats it ten times. */

test("while the instances restart one after the other, no request fails and no write is lost or made twice", async () => {
  const site = await startTwoInstances({ RATE_LIMIT_POINTS: "1000000" });
  const load = await startWriting(site);
  await until(() => load.written() > 50);
  await restartBoth(site);
  const afterwards = load.written();
  await until(() => load.written() > afterwards + 50);
  expect(await load.stop()).toEqual({ failures: [], lost: [], doubled: [] });
});

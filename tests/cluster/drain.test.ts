import { request as open } from "node:http";
import { expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { type Member, signUpAt } from "#tests/support/requests/session-member.ts";
import { startSteadyLoad } from "#tests/support/requests/steady-load.ts";
import { failed, terminate } from "#tests/support/scaled/drain.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** SIGTERM under load, as during an update of the site. tests/release has streams, and a second instance behind nginx. */

/** Uses a new connection for each request, so that the server either refuses or accepts it. */
function askAlone(url: string, { cookie }: Member): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = open(url, { agent: false, headers: { Cookie: cookie } }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", reject);
    });
    request.once("error", reject);
    request.end();
  });
}

test("a single instance completes every request that it accepted", async () => {
  const site = await startSite({
    RATE_LIMIT_POINTS: "1000000",
    DATABASE_URL: await newDatabase(),
    SESSION_SECRET: "alone with a database ".repeat(2),
  });
  const member = await signUpAt(site.origin, "alone@example.org");
  const load = startSteadyLoad(50, () => askAlone(`${site.origin}/api/user/watchList`, member), {
    // More requests of one account would wait for each other.
    atOnce: 3,
  });
  await until(() => load.outcomes.length > 100);
  const end = await terminate(site);
  expect(end).toEqual([0, null]);
  const outcomes = await load.stop();
  // The operating system resets connections that the process has not accepted when it closes its port.
  const broken = failed(outcomes).filter(
    ({ error }) => !["ECONNREFUSED", "ECONNRESET"].includes(error ?? ""),
  );
  expect(broken).toEqual([]);
  const accepted = site.logged.filter(({ path }) => path === "/api/user/watchList");
  expect(accepted.filter(({ left }) => left)).toEqual([]);
  expect(accepted).toHaveLength(outcomes.filter(({ status }) => status === 200).length);
});

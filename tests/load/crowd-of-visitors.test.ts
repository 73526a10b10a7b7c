import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A link spreads, and everybody opens it from a separate address. On Linux, all of 127.0.0.0/8 is this machine. */

const site = await startSite({ PUBLIC_CACHE: "1", RATE_LIMIT_PAGE_POINTS: "" }, { isQuiet: true });

const personOf = (at: number) => `127.4.${Math.floor(at / 200)}.${(at % 200) + 1}`;

async function ask(at: number, path: string) {
  const asked = sendRequest(site.origin + path, { agent: false, localAddress: personOf(at) }).end();
  const [response] = await once(asked, "response");
  return { status: response.statusCode as number, body: await text(response) };
}

/** The log has a line for each answer that the router rendered, and none for answers from the cache. */
const rendered = (path: string) =>
  site.logged.filter((line) => line.message === "request" && line.path === path).length;

test("1,000 people at once get one page, which is rendered once, whatever query parameters their links have", async () => {
  const path = "/seasons/1998/spring";
  await ask(0, "/browse");
  const asked = Array.from({ length: 1000 }, (_, at) => ask(at, `${path}?utm_source=${at % 7}&fbclid=${at}`));
  const answers = await Promise.all(asked);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  await until(() => rendered(path) > 0);
  await pause(500);
  expect(rendered(path)).toBe(1);
});

import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Many people come at once, each from a separate address. On Linux, all of 127.0.0.0/8 is this machine. */

const site = await startSite({ PUBLIC_CACHE: "0", RATE_LIMIT_PAGE_POINTS: "" }, { isQuiet: true });

type Answer = { status: number | undefined; retryAfter: string | undefined; ms: number; bytes: number };

async function ask(from: string, path = "/"): Promise<Answer> {
  const startedAt = performance.now();
  const asked = sendRequest(site.origin + path, { agent: false, localAddress: from }).end();
  const [response] = await once(asked, "response");
  const body = await text(response);
  const retryAfter = response.headers["retry-after"];
  return { status: response.statusCode, retryAfter, ms: performance.now() - startedAt, bytes: body.length };
}

const personOf = (at: number) => `127.1.${Math.floor(at / 200)}.${(at % 200) + 1}`;

const crowds = 3;

test("when 300 people open the home page at once, each gets the page or a 503 with a retry time, and the next visitor gets the page", async () => {
  for (let warmUp = 0; warmUp < 10; warmUp++) expect((await ask("127.2.0.1")).status).toBe(200);
  const slowestMs: number[] = [];
  const nextMs: number[] = [];
  for (let crowd = 0; crowd < crowds; crowd++) {
    const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => ask(personOf(at))));
    slowestMs.push(Math.max(...answers.map(({ ms }) => ms)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeLessThan(answers.length);
    for (const { status, retryAfter, bytes } of refused) {
      expect([status, retryAfter]).toEqual([503, "2"]);
      expect(bytes).toBeLessThan(1000);
    }
    const next = await ask("127.2.0.2");
    expect(next.status).toBe(200);
    nextMs.push(next.ms);
  }
  figure("crowd", "slowest answer of the quickest crowd of 300", Math.min(...slowestMs), "ms");
  figure("crowd", "the next visitor after it", Math.min(...nextMs), "ms");
});

test("eight people behind one address who each open 30 pages as fast as the site answers are never refused", async () => {
  const paths = [
    "/",
    "/browse",
    "/schedule",
    "/anime/1/cowboy-bebop",
    "/seasons/1998/spring",
    "/search?q=naruto",
  ];
  const visit = async (person: number) => {
    const statuses: (number | undefined)[] = [];
    for (let page = 0; page < 30; page++) {
      const path = paths[(person + page) % paths.length] ?? "/";
      statuses.push((await ask("127.3.0.1", path)).status);
    }
    return statuses;
  };
  const statuses = (await Promise.all(Array.from({ length: 8 }, (_, person) => visit(person)))).flat();
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});

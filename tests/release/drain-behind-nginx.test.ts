import { once } from "node:events";
import { type IncomingMessage, request as open } from "node:http";
import { expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { type Member, signUpAt } from "#tests/support/requests/session-member.ts";
import { startSteadyLoad } from "#tests/support/requests/steady-load.ts";
import { failed, terminate } from "#tests/support/scaled/drain.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { startTwoInstances } from "#tests/support/site/two-instances.ts";

/** SIGTERM under load, as during an update of the site: only running streams are cut, and no other request fails. */

const settings = { RATE_LIMIT_POINTS: "1000000", ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1" };

/** An endless film in real time, like a live stream. */
const packet = transportStream(20);
const live = await startUpstream((_asked, response) => {
  response.writeHead(200, { "content-type": "video/mp2t" });
  const timer = setInterval(() => response.write(packet), 50);
  response.once("close", () => clearInterval(timer));
});

async function watch(origin: string) {
  const request = open(`${origin}/api/videoProxy?url=${encodeURIComponent(`${live.origin}/live.ts`)}`, {
    agent: false,
  }).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const watched = { bytes: 0, isCut: false };
  response.on("data", (chunk: Buffer) => {
    watched.bytes += chunk.length;
  });
  response.on("error", () => {});
  response.once("close", () => {
    watched.isCut = true;
  });
  return watched;
}

type Kind = (number: number) => Promise<Response>;

/** Sends requests of these kinds in turn. */
const startKinds = (kinds: readonly Kind[], perSecond: number, atOnce: number) =>
  startSteadyLoad(
    perSecond,
    async (number) => {
      const answer = await kinds[number % kinds.length]!(number);
      await answer.arrayBuffer();
      return answer.status;
    },
    { atOnce },
  );

/** Requests pages and the API, and writes search history. */
function useTheSite(origin: string, member: Member, written: Set<string>) {
  const get = (path: string) => fetch(`${origin}${path}`);
  const api = [
    (number: number) => get(`/api/animes/full?limit_count=3&page=${1 + (number % 100)}`),
    async (number: number) => {
      const query = `sought ${number}`;
      const answer = await member.ask(`${origin}/api/user/searchHistory`, { query });
      if (answer.ok) written.add(query);
      return answer;
    },
    () => member.ask(`${origin}/api/user/watchList`),
  ];
  // The site renders three pages of a client at once. On a slow machine, further ones would be refused.
  const loads = [startKinds(api, 12, 7), startKinds([() => get("/"), () => get("/anime/1")], 8, 3)];
  return {
    outcomes: () => loads.flatMap(({ outcomes }) => outcomes),
    stop: async () => (await Promise.all(loads.map((load) => load.stop()))).flat(),
  };
}

const historyOf = async (member: Member, origin: string) =>
  (await (await member.ask(`${origin}/api/user/searchHistory?limit=500`)).text()).match(/sought \d+/g);

test("behind nginx with a second instance, only the streams of the stopped instance are cut, and no other request fails", async () => {
  const { origin, one, other } = await startTwoInstances(settings);
  const member = await signUpAt(origin, "watcher@example.org");
  const viewers = [await watch(one.origin), await watch(origin), await watch(origin)];
  await until(() => viewers.every(({ bytes }) => bytes > 0));
  const written = new Set<string>();
  const load = useTheSite(origin, member, written);
  await until(() => load.outcomes().length > 100);

  const end = await terminate(one);
  expect(end).toEqual([0, null]);
  const afterwards = load.outcomes().length;
  await until(() => load.outcomes().length > afterwards + 50);
  const outcomes = await load.stop();
  expect(failed(outcomes)).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(0);
  // nginx gave one viewer to each instance; the first viewer is connected directly to the stopped one.
  expect(viewers.map(({ isCut }) => isCut).sort()).toEqual([false, true, true]);
  expect(await historyOf(member, other.origin)).toEqual(expect.arrayContaining([...written]));
});

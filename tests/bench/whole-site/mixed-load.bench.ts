import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { startSteadyLoad } from "#tests/support/requests/steady-load.ts";
import type { Bench, Row } from "../bench.ts";
import { median } from "../measuring/median.ts";
import { type Served, startSite } from "../measuring/servers.ts";

const perSecond = 12;
const warmUpMs = 60_000;
const measuredMs = 180_000;
const samplesPerMedian = 30;

/** Requests of all kinds at once, to see that neither memory nor open handles grow with time. */
const bench: Bench = {
  title: `Three minutes of mixed load, ${perSecond} requests a second, after one minute to warm up`,
  async run() {
    const upstream = await startUpstream();
    const site = await startSite({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1" });
    const load = startSteadyLoad(perSecond, await visitors(site.origin, upstream.origin));
    await pause(warmUpMs);
    const warm = load.outcomes.length;
    const seen = await watch(site);
    const outcomes = (await load.stop()).slice(warm);
    await site.stop();
    upstream.stop();
    const failed = outcomes.filter(({ status }) => status === undefined || status >= 400).length;
    return [
      ...seen,
      ...times(outcomes.map(({ ms }) => ms)),
      { label: "requests that failed", value: failed, unit: "requests" },
    ];
  },
};
export default bench;

/** Samples once a second. The first and the last value are medians, because garbage collection can run at any moment. */
async function watch(site: Served): Promise<Row[]> {
  const memory: number[] = [];
  const handles: number[] = [];
  for (const end = Date.now() + measuredMs; Date.now() < end; await pause(1000)) {
    memory.push(site.residentBytes() / 1024 ** 2);
    handles.push(site.openHandles());
  }
  const rowsOf = (label: string, unit: string, values: number[]): Row[] => {
    const first = median(values.slice(0, samplesPerMedian));
    return [
      { label: `${label}, first half minute`, value: first, unit },
      {
        label: `${label}, last half minute`,
        value: median(values.slice(-samplesPerMedian)),
        unit,
        baseline: first,
      },
      { label: `${label}, maximum`, value: Math.max(...values), unit },
    ];
  };
  return [...rowsOf("resident memory", "MiB", memory), ...rowsOf("open handles", "", handles)];
}

function times(taken: number[]): Row[] {
  const sorted = [...taken].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return [
    { label: "requests that ended", value: taken.length, unit: "requests" },
    { label: "time of a request, median", value: at(0.5), unit: "ms" },
    { label: "time of a request, p99", value: at(0.99), unit: "ms" },
  ];
}

async function visitors(origin: string, upstream: string) {
  const account = { email: "visitor@example.org", password: "Abc123!x", username: "Visitor" };
  const signUp = await send(`${origin}/api/auth/signup`, account);
  const cookie = signUp.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  // Repeated sign-ins end a member's oldest sessions, so another member signs in.
  const other = { ...account, email: "other@example.org" };
  await send(`${origin}/api/auth/signup`, other);
  const get = (path: string) => fetch(origin + path, { headers: { Cookie: cookie } });
  const post = (path: string, json: unknown, method = "POST") => send(origin + path, json, cookie, method);
  const proxied = (path: string) => encodeURIComponent(upstream + path);
  const kinds: ((number: number) => Promise<Response>)[] = [
    (number) => get(`/api/animes/full?limit_count=24&page=${1 + (number % 15)}`),
    () => get("/"),
    (number) => get(`/search?q=${"abcdefghijklmnopqrst"[number % 20]}${number % 7}`),
    () => get("/anime/1"),
    (number) => get(`/api/animes/suggest?q=na${number % 9}`),
    (number) => get(`/poster/1.webp?w=${[160, 240, 320][number % 3]}`),
    (number) => get(`/api/proxy?w=160&url=${proxied(`/${number}.png`)}`),
    (number) => get(`/api/videoProxy?url=${proxied(`/${number}.ts`)}`),
    (number) => post("/api/user/watchList", { animeId: 900000001, type: "Watching", notes: String(number) }),
    (number) => post("/api/user/searchHistory", { query: `sought ${number}` }),
    () => get("/api/user/watchList"),
    () => get("/list"),
    (number) => (number % 5 === 0 ? send(`${origin}/api/auth/signin`, other) : get("/api/auth/session")),
  ];
  return async (number: number) => {
    const answer = await kinds[number % kinds.length]!(number);
    await answer.arrayBuffer();
    return answer.status;
  };
}

const send = (url: string, json: unknown, cookie = "", method = "POST") =>
  fetch(url, {
    method,
    headers: { "Content-Type": "application/json", ...(cookie && { Cookie: cookie }) },
    body: JSON.stringify(json),
  });

async function startUpstream() {
  const png = await sharp({ create: { width: 640, height: 360, channels: 3, background: "#306090" } })
    .png()
    .toBuffer();
  const segment = transportStream(5000);
  const server = createServer((request, response) => {
    const isFilm = request.url?.endsWith(".ts");
    response
      .writeHead(200, { "content-type": isFilm ? "video/mp2t" : "image/png" })
      .end(isFilm ? segment : png);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

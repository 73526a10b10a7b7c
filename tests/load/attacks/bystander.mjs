import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/**
 * Uses the site from its own addresses, one after another, and measures how long each kind of request takes. It runs in its own thread, so
 * that the attacker's work in the test's thread is not measured.
 */

const { origin, addresses, member, cookie, seconds, keepsConnections } = workerData;
const films = ["/film/1/film.webm", "/film/2/film.webm"];
const posters = (await (await fetch(`${origin}/api/animes/full?limit_count=40`)).json()).data.map(
  ({ mal_id }) => mal_id,
);
const pages = ["/", "/browse", "/anime/1/cowboy-bebop", "/schedule", "/search?q=naruto"];

/** The requests, and how many of each are sent per second. */
const kinds = {
  page: [10, (at) => get(pages[at % pages.length])],
  picture: [10, (at) => get(`/poster/${posters[at % posters.length]}.webp?w=${at % 2 ? 240 : 320}`)],
  film: [10, (at) => get(films[at % films.length], { Range: `bytes=${at * 1000}-${at * 1000 + 65_535}` })],
  healthz: [20, () => get("/healthz")],
  ...(cookie && {
    list: [5, () => get("/api/user/watchList", { Cookie: cookie })],
    write: [
      5,
      (at) => send("/api/user/progress", { method: "PUT", headers: { Cookie: cookie }, body: report(at) }),
    ],
  }),
  "sign-in": [1, () => send("/api/auth/signin", { method: "POST", body: JSON.stringify(member) })],
};

const report = (at) =>
  JSON.stringify({ mal_id: posters[at % posters.length], ep: 1, position: at, duration: 1400 });
/** Browsers keep six connections. Otherwise each request opens its own, as everybody's first one does. */
const agent = keepsConnections ? new Agent({ keepAlive: true, maxSockets: 6 }) : false;
const get = (path, headers = {}) => send(path, { method: "GET", headers });

/** For a minute, one address would send more requests than the limits of pages allow. */
const addressNow = () =>
  addresses[Math.floor(((performance.now() - startedAt) / (seconds * 1000)) * addresses.length)] ??
  addresses.at(-1);

async function send(path, { method, headers = {}, body = "" }) {
  const entity = body && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  const asked = request(origin + path, {
    method,
    agent,
    localAddress: addressNow(),
    headers: { ...headers, ...entity, Origin: origin },
  });
  const sentAt = performance.now();
  asked.end(body);
  const [response] = await once(asked, "response");
  response.resume();
  await once(response, "end");
  return { status: response.statusCode, ms: performance.now() - sentAt };
}

const startedAt = performance.now();
const samples = Object.entries(kinds).map(async ([kind, [perSecond, ask]]) => {
  const asked = [];
  for (let at = 0; performance.now() - startedAt < seconds * 1000; at++) {
    asked.push(
      ask(at).catch((error) => ({ status: error.code ?? error.message, ms: Number.POSITIVE_INFINITY })),
    );
    await pause(startedAt + ((at + 1) * 1000) / perSecond - performance.now());
  }
  return [kind, await Promise.all(asked)];
});
parentPort.postMessage(Object.fromEntries(await Promise.all(samples)));

import { createServer } from "node:http";
import sharp from "sharp";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";

/** People who use the whole site, and the server that both proxies fetch from. */

export async function visitors(origin: string, upstream: string) {
  const { cookie } = await signUpAt(origin, "visitor@example.org");
  // Repeated sign-ins end a member's oldest sessions, so another member signs in.
  const other = { email: "other@example.org", password: goodPassword };
  await signUpAt(origin, other.email);
  const get = (path: string) => fetch(origin + path, { headers: { Cookie: cookie } });
  const post = (path: string, json: unknown) => send(origin + path, json, cookie);
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
    (number) =>
      get(`/api/videoProxy?url=${proxied(`/${number % 50}.m3u8?segments=${playlistSizes[number % 3]}`)}`),
    (number) =>
      number % 8 === 0 ? post("/api/user/watchList/import", listOf(500)) : get("/api/user/watchList"),
    (number) =>
      number % 4 === 0 ? get(`/api/proxy?w=640&url=${proxied(`/large-${number}.jpg`)}`) : get("/browse"),
    (number) => (number % 5 === 0 ? send(`${origin}/api/auth/signin`, other) : get("/api/auth/session")),
  ];
  return async (number: number) => {
    const answer = await kinds[number % kinds.length]!(number);
    await answer.arrayBuffer();
    return answer.status;
  };
}

const playlistSizes = [20, 500, 5000];

const listOf = (count: number) => ({
  format: "engawa-list",
  entries: Array.from({ length: count }, (_, at) => ({
    mal_id: 900_000_001 + (at % 300),
    type: "Watching",
    notes: `note ${at}`,
  })),
});

const playlist = (segments: number) =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:4\n${Array.from({ length: segments }, (_, at) => `#EXTINF:4,\nsegment-${at}.ts\n`).join("")}#EXT-X-ENDLIST\n`;

const send = (url: string, json: unknown, cookie = "") =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(cookie && { Cookie: cookie }) },
    body: JSON.stringify(json),
  });

export async function startUpstream() {
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#306090" } });
  const answers: [pattern: RegExp, type: string, body: Buffer][] = [
    [/\.ts$/, "video/mp2t", transportStream(5000)],
    [/\.jpg$/, "image/jpeg", await picture(3000, 2000).jpeg().toBuffer()],
    [/\.png$/, "image/png", await picture(640, 360).png().toBuffer()],
    ...playlistSizes.map((size): [RegExp, string, Buffer] => [
      new RegExp(`segments=${size}$`),
      "application/vnd.apple.mpegurl",
      Buffer.from(playlist(size)),
    ]),
  ];
  const server = createServer(({ url = "" }, response) => {
    const [, type = "", body] = answers.find(([pattern]) => pattern.test(url)) ?? [];
    response.writeHead(body ? 200 : 404, { "content-type": type }).end(body);
  });
  return {
    origin: `http://127.0.0.1:${await listenLocally(server)}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

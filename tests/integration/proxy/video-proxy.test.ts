import { createCipheriv } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { complaintsAbout } from "#tests/support/checks/playlist-checker.ts";
import { fragment, transportStream, vodPlaylist } from "#tests/support/data/film-bytes.ts";
import { bytesOf } from "#tests/support/requests/response-data.ts";
import { startRaw, startUpstream } from "#tests/support/servers/upstream.ts";
import { request } from "#tests/support/site/in-process.ts";

const film = transportStream(400);
const cipher = createCipheriv("aes-128-cbc", Buffer.alloc(16, 7), Buffer.alloc(16, 9));
const encryptedFilm = Buffer.concat([cipher.update(film), cipher.final()]);
const page = `<!doctype html><title>Not found</title><p>${"words ".repeat(30)}`;
const encryptedPlaylist = `#EXTM3U
#EXT-X-TARGETDURATION:4
#EXTINF:4,
clear.html
#EXT-X-KEY:METHOD=AES-128,URI="key"
#EXTINF:4,
1.html
#EXTINF:4,
2.js
#EXT-X-PART:DURATION=1,URI="page.html"
#EXT-X-KEY:METHOD=NONE
#EXTINF:4,
1.html?clear
#EXT-X-ENDLIST
`;
const modified = "Fri, 01 May 2026 12:00:00 GMT";
const liveLine = "#EXT-X-MEDIA-SEQUENCE:77";
const seen: IncomingMessage[] = [];

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const send =
  (body: string | Buffer, type = "text/plain", headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response
      .writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(body), ...headers })
      .end(body);

/** Serves a film as nginx does: with ranges, an ETag and a date. */
const rangedAs =
  (type: string): Answer =>
  (received, response) => {
    const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(received.headers.range ?? "") ?? [];
    const headers = { "content-type": type, etag: '"film"', "last-modified": modified };
    if (received.headers["if-none-match"] === '"film"') return response.writeHead(304, headers).end();
    const condition = received.headers["if-range"];
    if ((first === "" && last === "") || (condition !== undefined && condition !== '"film"'))
      return response.writeHead(200, { ...headers, "content-length": film.length }).end(film);
    const start = first === "" ? film.length - Number(last) : Number(first);
    if (start >= film.length)
      return response.writeHead(416, { "content-range": `bytes */${film.length}` }).end();
    const end = first === "" || last === "" ? film.length - 1 : Math.min(Number(last), film.length - 1);
    response
      .writeHead(206, {
        ...headers,
        "content-range": `bytes ${start}-${end}/${film.length}`,
        "content-length": end - start + 1,
      })
      .end(film.subarray(start, end + 1));
  };
const ranged = rangedAs("video/mp2t");

const answers: Record<string, Answer> = {
  "/ranged.ts": ranged,
  "/ignores-if-range.ts": (received, response) => {
    delete received.headers["if-range"];
    ranged(received, response);
  },
  "/plain.ts": send(film, "text/vnd.trolltech.linguist", { etag: '"plain"' }),
  "/unlabelled.ts": rangedAs("application/octet-stream"),
  "/weak.ts": send(film, "video/mp2t", { etag: 'W/"weak"' }),
  "/fragment.m4s": send(fragment, "application/octet-stream"),
  "/captions.vtt": send(`WEBVTT\n\n${"00:01.000 --> 00:02.000\nrain\n\n".repeat(100)}`),
  "/key": send(Buffer.from("<script>aaaaaaaa"), "application/octet-stream"),
  "/page": send("<!doctype html><script>alert(1)</script>", "video/mp4"),
  "/image.svg": send('<svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml"),
  "/code.js": send("const a = document.cookie", "text/javascript"),
  "/unknown": send(Buffer.from([1, 2, 3, 4, 5]), "application/x-something"),
  "/dir/assets": send('{"ASSETS":[{"URI":"ad/1.m3u8","DURATION":5}]}', "application/json; charset=utf-8"),
  "/cast.json": send('{"cast":["<script>"]}', "application/json"),
  "/dir/vod.m3u8": send(vodPlaylist, "application/x-mpegurl"),
  "/dir/live.m3u8": send(vodPlaylist.replace(/#EXT-X-PLAYLIST.*|#EXT-X-ENDLIST/g, liveLine), "text/plain"),
  "/dir/neither.m3u8": send(vodPlaylist.replace(/#EXT-X-PLAYLIST.*|#EXT-X-ENDLIST/g, "")),
  "/playlist.ts": send(vodPlaylist, "video/mp2t"),
  "/binary.m3u8": send(film, "application/vnd.apple.mpegurl"),
  "/bom.m3u8": send(`\uFEFF${vodPlaylist.replaceAll("\n", "\r\n")}`),
  "/latin.m3u8": send(Buffer.from("#EXTM3U\n#EXTINF:4,caf\xe9\n1.ts\n", "latin1")),
  "/gzip.m3u8": send(gzipSync(vodPlaylist), "text/plain", { "content-encoding": "gzip" }),
  "/gzip.ts": send(gzipSync(film), "video/mp2t", { "content-encoding": "gzip" }),
  "/empty-gzip.ts": send("", "video/mp2t", { "content-encoding": "gzip" }),
  "/zstd.ts": send(film, "video/mp2t", { "content-encoding": "zstd" }),
  "/broken-gzip.m3u8": send("#EXTM3U, not gzip", "text/plain", { "content-encoding": "gzip" }),
  "/secret/index.m3u8": send(encryptedPlaylist),
  "/secret/1.html": (received, response) => {
    const [, first] = /^bytes=(\d+)-/.exec(received.headers.range ?? "") ?? [];
    const part = encryptedFilm.subarray(Number(first ?? 0));
    const range = `bytes ${first}-${encryptedFilm.length - 1}/${encryptedFilm.length}`;
    response
      .writeHead(first === undefined ? 200 : 206, {
        "content-type": "text/html; charset=utf-8",
        "content-length": part.length,
        ...(first !== undefined && { "content-range": range }),
      })
      .end(part);
  },
  "/secret/2.js": send(encryptedFilm, "application/javascript"),
  "/secret/page.html": send(page, "text/html"),
  "/film.mpd": send(
    '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"/>',
    "application/dash+xml",
  ),
  "/film": send("<MPD/>", "text/plain"),
  "/segment": (_request, response) => response.end(film),
  "/part": (_request, response) => response.end(fragment),
  "/huge.m3u8": send(`#EXTM3U\n${"#EXTINF:4,\nsegment.ts\n".repeat(290_000)}`),
  "/bomb.m3u8": send(gzipSync(Buffer.alloc(50_000_000, "#EXTINF:4,\n")), "audio/mpegurl", {
    "content-encoding": "gzip",
  }),
  "/deep.json": send(`{"ASSETS":${"[".repeat(500_000)}${"]".repeat(500_000)}}`, "application/json"),
  "/growing.m3u8": send(`#EXTM3U\n${"..\n".repeat(1_000_000)}`),
  "/empty": send("", "video/mp4"),
  "/empty.m3u8": send("", "application/x-mpegurl"),
  "/204": (_request, response) => response.writeHead(204).end(),
  "/304": (_request, response) => response.writeHead(304).end(),
  "/404": (_request, response) => response.writeHead(404).end(),
  "/410": (_request, response) => response.writeHead(410).end(),
  "/403": (_request, response) => response.writeHead(403).end("<html>secret words"),
  "/503": (_request, response) => response.writeHead(503).end(),
  "/no-head.ts": (received, response) =>
    received.method === "HEAD" ? response.writeHead(405).end() : ranged(received, response),
  "/chunked.ts": (_request, response) => {
    response.writeHead(200, { "content-type": "video/mp2t" });
    for (let at = 0; at < film.length; at += 10_000) response.write(film.subarray(at, at + 10_000));
    response.end();
  },
  "/chunked-small": (_request, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("WEB");
    response.end("VTT\n");
  },
  "/lying-range.ts": (_request, response) =>
    response.writeHead(206, { "content-range": "bytes 5-9/100", "content-length": "5" }).end("12345"),
  "/gzip-range.ts": (_request, response) =>
    response
      .writeHead(206, { "content-range": "bytes 0-4/100", "content-length": "5", "content-encoding": "gzip" })
      .end("12345"),
  "/multipart.ts": (_request, response) =>
    response.writeHead(206, { "content-type": "multipart/byteranges; boundary=x" }).end("--x--"),
  "/cookies.ts": send(film, "video/mp2t", {
    "set-cookie": "a=b",
    "access-control-allow-origin": "https://x.test",
    "content-security-policy": "default-src *",
    "x-powered-by": "y",
  }),
  "/relative": (_request, response) => response.writeHead(302, { location: "dir/../ranged.ts" }).end(),
  "/moved.m3u8": (_request, response) => response.writeHead(301, { location: "/dir/vod.m3u8?v=2" }).end(),
};

const upstream = await startUpstream((received, response) => {
  seen.push(received);
  const [path = ""] = (received.url ?? "").split("?");
  const hops = Number(/^\/hop\/(\d+)$/.exec(path)?.[1] ?? 0);
  if (hops > 0)
    return response.writeHead(302, { location: hops === 1 ? "/ranged.ts" : `/hop/${hops - 1}` }).end();
  const answer = answers[path];
  if (answer) answer(received, response);
  else response.writeHead(404).end();
});

const at = (path: string) => `/api/videoProxy?url=${encodeURIComponent(upstream.origin + path)}`;
const get = (path: string, headers: Record<string, string> = {}) => request(at(path), { headers });
const head = (path: string) => request(at(path), { method: "HEAD" });
const type = (response: Response) => response.headers.get("Content-Type");
const lastSeen = () => seen.at(-1) as IncomingMessage;

async function expectError(response: Response, status: number, words: RegExp | string) {
  const answer = (await response.json()) as unknown;
  expect(answer).toEqual({ error: expect.stringMatching(words), status });
  expect(response.status).toBe(status);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
}

describe("a segment", () => {
  test("without a range arrives whole, with the specified headers", async () => {
    const response = await get("/ranged.ts");
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=86400",
      "content-length": String(film.length),
      "content-type": "video/mp2t",
      etag: '"film"',
      "last-modified": modified,
      "x-content-type-options": "nosniff",
      "x-ratelimit-limit": "100",
    });
    expect(response.headers.get("Content-Security-Policy")).toContain("sandbox");
    expect((await bytesOf(response)).equals(film)).toBe(true);
  });

  test.each(["/ranged.ts", "/plain.ts"])(
    "with a range gets 206, whether the upstream supports ranges or not: %s",
    async (path) => {
      const size = film.length;
      const cases: [string, number, number][] = [
        ["bytes=0-0", 0, 0],
        ["bytes=100-299", 100, 299],
        [`bytes=${size - 10}-`, size - 10, size - 1],
        ["bytes=-188", size - 188, size - 1],
        [`bytes=5-${size * 2}`, 5, size - 1],
      ];
      for (const [range, start, end] of cases) {
        const response = await get(path, { Range: range });
        expect(response.status, range).toBe(206);
        expect(response.headers.get("Content-Range")).toBe(`bytes ${start}-${end}/${size}`);
        expect(response.headers.get("Content-Length")).toBe(String(end - start + 1));
        expect(type(response)).toBe("video/mp2t");
        expect((await bytesOf(response)).equals(film.subarray(start, end + 1)), range).toBe(true);
      }
      const beyond = await get(path, { Range: `bytes=${size}-` });
      expect(beyond.headers.get("Content-Range")).toBe(`bytes */${size}`);
      await expectError(beyond, 416, "Range not satisfiable");
    },
  );

  test("with several ranges, an unknown unit or an invalid range arrives whole", async () => {
    for (const range of ["bytes=0-1,5-9", "rows=1-2", "bytes=9-2", "bytes=x"]) {
      const response = await get("/plain.ts", { Range: range });
      expect(response.status, range).toBe(200);
      expect((await bytesOf(response)).length).toBe(film.length);
    }
  });

  test("with If-Range gets 206 for the current strong ETag, and otherwise arrives whole", async () => {
    for (const [path, tag] of [
      ["/ranged.ts", '"film"'],
      ["/plain.ts", '"plain"'],
      ["/ignores-if-range.ts", '"film"'],
    ] as const) {
      const same = await get(path, { Range: "bytes=0-9", "If-Range": tag });
      expect([same.status, (await bytesOf(same)).length]).toEqual([206, 10]);
      const other = await get(path, { Range: "bytes=0-9", "If-Range": '"old"' });
      expect([other.status, (await bytesOf(other)).length]).toEqual([200, film.length]);
    }
    const weak = await get("/weak.ts", { Range: "bytes=0-9", "If-Range": 'W/"weak"' });
    expect(weak.status).toBe(200);
  });

  test("with If-None-Match gets 304, and the upstream gets the header", async () => {
    const response = await get("/ranged.ts", { "If-None-Match": '"film"' });
    expect([response.status, (await bytesOf(response)).length]).toEqual([304, 0]);
    expect(lastSeen().headers["if-none-match"]).toBe('"film"');
  });

  test("with HEAD gets its length and type without a body, whether the upstream supports HEAD or not", async () => {
    for (const path of ["/ranged.ts", "/plain.ts", "/no-head.ts"]) {
      const response = await head(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get("Content-Length")).toBe(String(film.length));
      expect(type(response)).toBe("video/mp2t");
      expect((await bytesOf(response)).length).toBe(0);
    }
  });

  test("has the type of its bytes, whatever type the upstream states", async () => {
    expect(type(await get("/plain.ts"))).toBe("video/mp2t");
    expect(type(await get("/fragment.m4s"))).toBe("video/mp4");
    expect(type(await get("/captions.vtt"))).toBe("text/vtt");
    expect(type(await get("/unknown"))).toBe("application/octet-stream");
    for (const range of ["bytes=0-1", "bytes=0-999", "bytes=5-9"])
      expect(type(await get("/unlabelled.ts", { Range: range })), range).toBe("video/mp2t");
    const key = await get("/key");
    expect([type(key), (await bytesOf(key)).length]).toEqual(["application/octet-stream", 16]);
  });

  test("that is a document or a script gets 500", async () => {
    for (const path of ["/page", "/image.svg", "/code.js"])
      await expectError(await get(path), 500, "document or a script");
  });

  test("that is text is not compressed and keeps its length", async () => {
    const response = await get("/captions.vtt", { "Accept-Encoding": "br, gzip" });
    expect(response.headers.get("Content-Encoding")).toBeNull();
    expect(Number(response.headers.get("Content-Length"))).toBe((await bytesOf(response)).length);
  });

  test("has no cookie or policy of the upstream, which gets no credentials of the client", async () => {
    const response = await get("/cookies.ts", { Cookie: "session=1", Authorization: "Bearer x" });
    for (const name of ["Set-Cookie", "X-Powered-By"]) expect(response.headers.get(name)).toBeNull();
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Content-Security-Policy")).not.toContain("*");
    for (const name of ["cookie", "authorization", "x-forwarded-for", "referer"])
      expect(lastSeen().headers[name]).toBeUndefined();
  });
});

describe("a playlist", () => {
  const base = () => `${upstream.origin}/dir/vod.m3u8`;

  test("is rewritten, and has the length of its rewritten form", async () => {
    const response = await get("/dir/vod.m3u8");
    const text = await response.text();
    expect(complaintsAbout(vodPlaylist, text, { base: base() })).toEqual([]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=86400, s-maxage=86400",
      "content-length": String(Buffer.byteLength(text)),
      "content-type": "application/vnd.apple.mpegurl",
    });
    const expires = Date.parse(response.headers.get("Expires") ?? "");
    expect(Math.abs(expires - Date.now() - 86_400_000)).toBeLessThan(3_600_000);
    const described = await head("/dir/vod.m3u8");
    expect(described.headers.get("Content-Length")).toBe(String(Buffer.byteLength(text)));
    expect((await bytesOf(described)).length).toBe(0);
  });

  test("with a range gets that part of its rewritten form", async () => {
    const whole = await get("/dir/vod.m3u8");
    const bytes = await bytesOf(whole);
    const tag = whole.headers.get("ETag") ?? "";
    const part = await get("/dir/vod.m3u8", { Range: "bytes=100-199", "If-Range": tag });
    expect(part.status).toBe(206);
    expect(part.headers.get("Content-Range")).toBe(`bytes 100-199/${bytes.length}`);
    expect((await bytesOf(part)).equals(bytes.subarray(100, 200))).toBe(true);
    expect((await get("/dir/vod.m3u8", { Range: "bytes=0-9", "If-Range": '"x"' })).status).toBe(200);
    await expectError(await get("/dir/vod.m3u8", { Range: `bytes=${bytes.length}-` }), 416, "Range");
    expect((await get("/dir/vod.m3u8", { "If-None-Match": tag })).status).toBe(304);
    const unnamed = await get("/playlist.ts", { Range: "bytes=0-99" });
    expect([unnamed.status, type(unnamed)]).toEqual([206, "application/vnd.apple.mpegurl"]);
    expect((await unnamed.text()).startsWith("#EXTM3U")).toBe(true);
  });

  test("is recognized by its first line, its type or its name, in every encoding", async () => {
    for (const path of ["/playlist.ts", "/bom.m3u8", "/gzip.m3u8", "/dir/neither.m3u8"]) {
      const response = await get(path);
      expect(type(response), path).toBe("application/vnd.apple.mpegurl");
      const text = await response.text();
      expect(text.startsWith("#EXTM3U"), path).toBe(true);
      expect(text).toMatch(/^\/api\/videoProxy\?url=.*%2F0\.ts\r?$/m);
    }
    expect(await (await get("/latin.m3u8")).text()).toContain("#EXTINF:4,café\n");
    const binary = await get("/binary.m3u8", { Range: "bytes=188-375" });
    expect([binary.status, type(binary)]).toEqual([206, "video/mp2t"]);
    expect((await bytesOf(binary)).equals(film.subarray(188, 376))).toBe(true);
  });

  test("of a live stream gets no-store, and any other is cached for a day", async () => {
    const response = await get("/dir/live.m3u8");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Expires")).toBeNull();
    const neither = await get("/dir/neither.m3u8");
    expect(neither.headers.get("Cache-Control")).toBe("public, max-age=86400, s-maxage=86400");
  });

  test("after a redirect has URLs below its final URL, and the upstream gets the player's _HLS_ parameters", async () => {
    const response = await request(`${at("/moved.m3u8?a=b%20c")}&_HLS_msn=12&_HLS_part=3&other=1`);
    expect(await response.text()).toContain(encodeURIComponent(`${upstream.origin}/dir/0.ts`));
    expect(upstream.requests.at(-2)).toBe("GET /moved.m3u8?a=b%20c&_HLS_msn=12&_HLS_part=3");
  });

  test("may point to asset lists, which are rewritten, while other JSON is sent unchanged", async () => {
    const list = await get("/dir/assets");
    const text = await list.text();
    expect(JSON.parse(text)).toEqual({ ASSETS: [{ URI: at("/dir/ad/1.m3u8"), DURATION: 5 }] });
    expect(Object.fromEntries(list.headers)).toMatchObject({
      "cache-control": "no-store",
      "content-length": String(Buffer.byteLength(text)),
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
    });
    expect(list.headers.get("Content-Security-Policy")).toContain("sandbox");
    const described = await head("/dir/assets");
    expect(described.headers.get("Content-Length")).toBe(String(Buffer.byteLength(text)));
    const part = await get("/dir/assets", { Range: "bytes=0-9" });
    expect([part.status, await part.text()]).toEqual([206, text.slice(0, 10)]);
    const other = await get("/cast.json");
    expect([type(other), await other.text()]).toEqual(["application/octet-stream", '{"cast":["<script>"]}']);
    expect((await head("/cast.json")).headers.get("Content-Length")).toBe("21");
  });

  test("that is too large or broken gets 500", async () => {
    await expectError(await get("/huge.m3u8"), 500, "too large");
    await expectError(await get("/bomb.m3u8"), 500, "too large");
    await expectError(await get("/growing.m3u8"), 500, "too large");
    await expectError(await get("/deep.json"), 500, "too large");
    await expectError(await get("/broken-gzip.m3u8"), 500, "not HTTP");
  });
});

describe("a segment of a playlist with a key", () => {
  const rewritten = async () => (await (await get("/secret/index.m3u8")).text()).split("\n");

  test.each([
    ["text/html", 6],
    ["JavaScript", 8],
  ])("that is called %s arrives as bytes that no browser runs", async (_name, line) => {
    const address = (await rewritten())[line] ?? "";
    for (const method of ["GET", "HEAD"]) {
      const response = await request(address, { method });
      expect(response.status).toBe(200);
      expect(type(response)).toBe("application/octet-stream");
      expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(response.headers.get("Content-Security-Policy")).toContain("sandbox");
      expect((await bytesOf(response)).equals(method === "GET" ? encryptedFilm : Buffer.alloc(0))).toBe(true);
    }
    const part = await request(address, { headers: { Range: "bytes=1000-" } });
    expect([part.status, type(part)]).toEqual([206, "application/octet-stream"]);
    expect((await bytesOf(part)).equals(encryptedFilm.subarray(1000))).toBe(true);
  });

  test("that is a document gets 500, whole or in part", async () => {
    const address = /URI="([^"]*page\.html[^"]*)"/.exec((await rewritten()).join())?.[1] ?? "";
    for (const headers of [{}, { Range: "bytes=20-" }])
      await expectError(await request(address, { headers }), 500, "document or a script");
  });

  test("is marked from its key to the end of that key, and without the mark gets 500", async () => {
    const lines = await rewritten();
    const marked = lines.filter((line) => line.includes("encrypted=1")).length;
    expect([marked, lines[3], lines.at(-3)]).toEqual([
      3,
      expect.stringMatching(/clear\.html$/),
      expect.stringMatching(/clear&ext=.html$/),
    ]);
    await expectError(await get("/secret/1.html"), 500, "document or a script");
  });
});

test.each(["/film.mpd", "/film"])(
  "a DASH manifest gets 500, which says that DASH is not supported: %s",
  async (path) => {
    await expectError(await get(path), 500, "DASH is not supported");
  },
);

test("a segment without a type and an extension is recognized by its bytes", async () => {
  expect(type(await get("/segment"))).toBe("video/mp2t");
  expect(type(await get("/part"))).toBe("video/mp4");
  expect(type(await get("/segment", { Range: "bytes=0-999" }))).toBe("video/mp2t");
});

describe("unusual upstreams", () => {
  test.each([
    ["/404", 404, "404"],
    ["/410", 404, "410"],
    ["/403", 500, "answered 403"],
    ["/503", 500, "503"],
    ["/204", 500, "204"],
    ["/304", 500, "304"],
    ["/hop/40", 500, "redirects"],
    ["/hop/6", 500, "redirects"],
    ["/zstd.ts", 500, "unknown compression"],
    ["/lying-range.ts", 500, "did not send the requested part"],
    ["/gzip-range.ts", 500, "did not send the requested part"],
    ["/multipart.ts", 500, "did not send the requested part"],
  ])("%s gets %d", async (path, status, words) => {
    await expectError(await get(path), status, words);
    await expectError(await get(path, { Range: "bytes=0-4" }), status, words);
  });

  test("five redirects are followed, relative ones too", async () => {
    for (const path of ["/relative", "/hop/5"])
      expect((await bytesOf(await get(path))).equals(film)).toBe(true);
  });

  test("without a length a film arrives whole, and a short text can be cut by a range", async () => {
    for (const headers of [{}, { Range: "bytes=0-9" }]) {
      const response = await get("/chunked.ts", headers);
      expect([response.status, response.headers.get("Content-Length")]).toEqual([200, null]);
      expect((await bytesOf(response)).equals(film)).toBe(true);
    }
    const small = await get("/chunked-small", { Range: "bytes=3-5" });
    expect([small.status, await small.text()]).toEqual([206, "VTT"]);
  });

  test("an HTTP/1.0 answer ends with its connection, film or playlist", async () => {
    const answers = { "/old.ts": film, "/dir/old.m3u8": Buffer.from(vodPlaylist) };
    const old = await startRaw((path, socket) => {
      socket.end(
        Buffer.concat([
          Buffer.from("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"),
          answers[path as keyof typeof answers],
        ]),
      );
    });
    const from = (path: string) => request(`/api/videoProxy?url=${encodeURIComponent(old + path)}`);
    const whole = await from("/old.ts");
    expect([whole.status, type(whole), whole.headers.get("Content-Length")]).toEqual([
      200,
      "video/mp2t",
      null,
    ]);
    expect((await bytesOf(whole)).equals(film)).toBe(true);
    const playlist = await (await from("/dir/old.m3u8")).text();
    expect(complaintsAbout(vodPlaylist, playlist, { base: `${old}/dir/old.m3u8` })).toEqual([]);
  });

  test("bytes past the range are not sent, because the client would read them as the next answer", async () => {
    const smuggled = `HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n${" ".repeat(1000)}`;
    for (const range of ["bytes 0-0/1", "bytes 7-7/9"]) {
      const odd = await startRaw((_path, socket) =>
        socket.end(`HTTP/1.1 206 OK\r\nContent-Range: ${range}\r\nConnection: close\r\n\r\nx${smuggled}`),
      );
      const headers = range.startsWith("bytes 7") ? { Range: "bytes=7-7" } : {};
      const response = await request(`/api/videoProxy?url=${encodeURIComponent(`${odd}/a.ts`)}`, { headers });
      expect([response.headers.get("Content-Length"), await response.text()], range).toEqual(["1", "x"]);
    }
  });

  test.each([
    ["something other than HTTP", "SSH-2.0-OpenSSH\r\n"],
    ["an invalid length", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n123456"],
    [
      "a length and chunks",
      `HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["an invalid chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    ["a header without end", `HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(100_000)}\r\n\r\n`],
    ["nothing", ""],
  ])("an upstream that sends %s gets 500", async (_what, bytes) => {
    const odd = await startRaw((_path, socket) => socket.end(bytes));
    await expectError(
      await request(`/api/videoProxy?url=${encodeURIComponent(`${odd}/a.ts`)}`),
      500,
      /^[A-Z]/,
    );
    expect((await get("/ranged.ts")).status).toBe(200);
  });

  test("a compressed segment is sent decompressed", async () => {
    const response = await get("/gzip.ts", { "Accept-Encoding": "gzip" });
    expect([type(response), response.headers.get("Content-Encoding")]).toEqual(["video/mp2t", null]);
    expect((await bytesOf(response)).equals(film)).toBe(true);
  });

  test("an empty answer is an empty film and gets no-store, because the film may come later", async () => {
    for (const path of ["/empty", "/empty.m3u8"])
      for (const response of [await get(path), await head(path)]) {
        expect([response.status, response.headers.get("Content-Length")]).toEqual([200, "0"]);
        expect(response.headers.get("Cache-Control")).toBe("no-store");
      }
    const compressed = await get("/empty-gzip.ts");
    expect([compressed.status, compressed.headers.get("Content-Length")]).toEqual([200, "0"]);
    await expectError(await get("/empty", { Range: "bytes=0-" }), 416, "Range");
  });
});

describe("the url parameter", () => {
  const ask = (url: string) => request(`/api/videoProxy?url=${encodeURIComponent(url)}`);

  test("missing or empty gets 400", async () => {
    await expectError(await request("/api/videoProxy"), 400, /^Missing resource URL$/);
    await expectError(await request("/api/videoProxy?url="), 400, /^Missing resource URL$/);
  });

  test.each([
    ["javascript:alert(1)", 400],
    ["ftp://h.test/x", 400],
    ["file:///etc/passwd", 400],
    ["data:video/mp4,x", 400],
    ["not an address", 400],
    ["//h.test/x", 400],
    ["http://", 400],
    ["http://user:word@h.test/x", 400],
    ["http://127.0.0.1:0/x", 400],
    ["http://127.0.0.1:99999/x", 400],
    ["http://10.1.2.3/x", 400],
    ["http://[::1]/x", 400],
    ["http://[::ffff:10.0.0.1]/x", 400],
    ["http://169.254.169.254/latest", 400],
    ["http://0x7f.1:1/", 500],
    ["http://bücher.invalid/x", 500],
    ["http://localhost:3000/api/videoProxy?url=http://x.test", 400],
    ["http://localhost:3000/API/animes/full", 400],
    ["http://localhost:3000/", 400],
  ])("%s gets %d", async (url, status) => {
    await expectError(await ask(url), status, /^[A-Z]/);
  });

  test("may have a fragment, which is not sent, and a scheme in capitals, but line breaks add no header", async () => {
    expect((await ask(`${upstream.origin}/ranged.ts#t=10`)).status).toBe(200);
    expect(lastSeen().url).toBe("/ranged.ts");
    expect((await ask(`HTTP://127.0.0.1:${upstream.port}/ranged.ts`)).status).toBe(200);
    expect((await ask(`${upstream.origin}/a\r\nX-Evil: 1\r\n\r\n`)).status).toBe(404);
    expect(lastSeen().headers["x-evil"]).toBeUndefined();
  });

  test("twice counts the first time; a very long one gets 500 and NUL gets 400", async () => {
    const twice = `${at("/ranged.ts")}&url=${encodeURIComponent("http://10.0.0.1/")}`;
    expect((await request(twice)).status).toBe(200);
    const long = await ask(`${upstream.origin}/ranged.ts?${"x".repeat(64_000)}`);
    await expectError(long, 500, "answered 431");
    expect((await request("/api/videoProxy?url=%00")).status).toBe(400);
  });

  test("that leads back to this proxy gets 400, which the Via header shows", async () => {
    await get("/ranged.ts");
    const via = String(lastSeen().headers.via);
    await expectError(await get("/ranged.ts", { Via: via }), 400, "leads back");
    expect((await get("/ranged.ts", { Via: "1.1 somebody" })).status).toBe(200);
  });

  test("with OPTIONS gets 204, and with POST 405", async () => {
    expect((await request(at("/ranged.ts"), { method: "OPTIONS" })).status).toBe(204);
    const posted = await request(at("/ranged.ts"), { method: "POST" });
    expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

test("the 101st request of a client in a minute gets 429 with the time to wait", async () => {
  const address = "10.200.0.1";
  const ask = () => request(at("/unknown"), { address });
  for (let left = 99; left >= 0; left--) {
    const response = await ask();
    expect(response.headers.get("X-RateLimit-Remaining")).toBe(String(left));
    await response.body?.cancel();
  }
  const refused = await ask();
  expect(refused.status).toBe(429);
  const retryAfter = Number(refused.headers.get("Retry-After"));
  expect(retryAfter).toBeGreaterThan(0);
  expect(await refused.json()).toEqual({ error: "Too many requests", status: 429, retryAfter });
  expect((await get("/unknown")).status).toBe(200);
});

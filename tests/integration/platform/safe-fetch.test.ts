import { once } from "node:events";
import { createServer } from "node:net";
import type { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { kibibytes } from "#app/platform/units.ts";
import { createNameLookup } from "#app/platform/upstream/names/name-lookup.server.ts";
import { createNameQuery, LookupFailure } from "#app/platform/upstream/names/name-query.server.ts";
import { parsePrivateUpstreams } from "#app/platform/upstream/private-upstreams.ts";
import { readUpstreamBody } from "#app/platform/upstream/read-body.server.ts";
import {
  createSafeFetch as createSafeFetchForClients,
  type FetchOptions,
} from "#app/platform/upstream/safe-fetch.server.ts";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";
import { startNameServer } from "#tests/support/servers/name-server.ts";
import { startRaw, startUpstream } from "#tests/support/servers/upstream.ts";

const opened: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map((one) => one.close())));

type Options = Omit<FetchOptions, "client">;

/** Fetches for one client. */
function createSafeFetch(settings: Parameters<typeof createSafeFetchForClients>[0]) {
  const made = createSafeFetchForClients(settings);
  opened.push(made);
  return (url: string, options: Options = {}) => made(url, { client: "203.0.113.1", ...options });
}

function newSafeFetch(allowed: string, names: Record<string, string[] | (() => string[])> = {}) {
  return createSafeFetch({
    privateUpstreams: parsePrivateUpstreams(allowed)!,
    resolve: async (hostname) => {
      const found = names[hostname];
      if (!found) throw new LookupFailure("name_not_found");
      const addresses = typeof found === "function" ? found() : found;
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  });
}

const target = await startUpstream((request, response) => {
  const url = new URL(request.url ?? "/", "http://x");
  const to = url.searchParams.get("to");
  if (url.pathname === "/redirect" && to) return response.writeHead(302, { location: to }).end("moved");
  if (url.pathname === "/count") {
    const left = Number(url.searchParams.get("n"));
    return response.writeHead(307, { location: left > 0 ? `count?n=${left - 1}` : "/end" }).end();
  }
  if (url.pathname === "/headers") return response.end(JSON.stringify(request.headers));
  if (url.pathname === "/silent") return;
  if (url.pathname === "/stall") return response.writeHead(200, { "content-length": 10 }).write("half");
  if (url.pathname === "/cut") {
    response.writeHead(200, { "content-length": 10 }).write("half");
    return setImmediate(() => request.socket.destroy());
  }
  const packed = { "/gzip": Buffer.from("hello"), "/bomb": Buffer.alloc(50_000) }[url.pathname];
  if (packed) return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(packed));
  return response.end("hello");
});

async function outcomeOf(fetching: ReturnType<ReturnType<typeof newSafeFetch>>) {
  const outcome = await fetching;
  if (!outcome.ok) return outcome.reason;
  return `${outcome.response.status} ${await text(outcome.response.body)}`;
}

describe("IP addresses", () => {
  const closed = newSafeFetch("0", {
    "good-and-bad.test": ["93.184.216.34", "127.0.0.1"],
    "ten.test": ["10.0.0.1"],
  });

  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0x7f.1",
    "127.0.0.1.",
    "0.0.0.0",
    "0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "①②⑦.⓪.⓪.①",
    "good-and-bad.test",
    "ten.test",
  ])("the host %s is refused without a connection", async (host) => {
    const before = target.connections;
    expect(await outcomeOf(closed(`http://${host}:${target.port}/`))).toBe("refused_address");
    expect(target.connections).toBe(before);
  });

  test("a redirect to a refused address is refused as well", async () => {
    const open = newSafeFetch(`127.0.0.1:${target.port}`);
    for (const to of ["http://127.0.0.2:1/", "http://[::1]:1/", "http://169.254.169.254/", "//10.0.0.1/"])
      expect(await outcomeOf(open(`${target.origin}/redirect?to=${encodeURIComponent(to)}`))).toBe(
        "refused_address",
      );
    expect(await outcomeOf(open(`${target.origin}/redirect?to=file:///etc/passwd`))).toBe("bad_url");
    expect(await outcomeOf(open(`${target.origin}/redirect?to=http://u:p@127.0.0.1/`))).toBe("bad_url");
  });

  test("a name that changes between check and connect reaches the checked address", async () => {
    const other = await startUpstream((_request, response) => response.end("rebound"), "127.0.0.2");
    let asked = 0;
    const changing = newSafeFetch("127.0.0.1", {
      "changing.test": () => (asked++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]),
    });
    expect(await outcomeOf(changing(`http://changing.test:${target.port}/`))).toBe("200 hello");
    expect(await outcomeOf(changing(`http://changing.test:${target.port}/`))).toBe("refused_address");
    expect(asked).toBe(2);
    expect(other.connections).toBe(0);
  });

  test("when the first address of a name refuses the connection, the next one is tried", async () => {
    const both = newSafeFetch("1", { "both.test": ["127.0.0.9", "127.0.0.1"] });
    expect(await outcomeOf(both(`http://both.test:${target.port}/`))).toBe("200 hello");
  });

  test("mayReachLoopback allows loopback for that request only, and its answer is marked as local", async () => {
    const outcome = await closed(`${target.origin}/`, { mayReachLoopback: true });
    expect(outcome.ok && outcome.response.reach).toBe("local");
    if (outcome.ok) outcome.response.body.resume();
    expect(await outcomeOf(closed(`${target.origin}/`))).toBe("refused_address");
    expect(await outcomeOf(closed("http://192.168.0.1/", { mayReachLoopback: true }))).toBe(
      "refused_address",
    );
  });

  test("an answer from a private address that the setting allows is marked as private, also after a redirect", async () => {
    const outcome = await newSafeFetch("1")(`${target.origin}/redirect?to=/end`);
    expect(outcome.ok && [outcome.response.reach, outcome.response.finalUrl.pathname]).toEqual([
      "private",
      "/end",
    ]);
    if (outcome.ok) outcome.response.body.resume();
  });

  test("a refusal says whether a setting could allow the address", async () => {
    expect(await closed("http://10.0.0.1/")).toMatchObject({ settingWouldAllow: true });
    expect(await closed("http://169.254.169.254/")).toMatchObject({ settingWouldAllow: false });
  });
});

describe("requests", () => {
  const open = newSafeFetch("1", { "here.test": ["127.0.0.1"] });

  test.each([
    ["ftp://a.test/", "bad_url"],
    ["blob:http://a.test/x", "bad_url"],
    ["javascript:alert(1)", "bad_url"],
    ["//a.test/", "bad_url"],
    ["http://user@a.test/", "bad_url"],
    ["http://a.test:0/", "bad_url"],
    ["http://", "bad_url"],
    ["http://unknown.test/", "name_not_found"],
  ])("%s fails with %s", async (url, reason) => expect(await outcomeOf(open(url))).toBe(reason));

  test("five redirects are followed, a sixth is not", async () => {
    expect(await outcomeOf(open(`${target.origin}/count?n=4`))).toBe("200 hello");
    expect(await outcomeOf(open(`${target.origin}/count?n=5`))).toBe("too_many_redirects");
  });

  test("only the given headers and those of the proxy itself are sent", async () => {
    const outcome = await open(`http://here.test:${target.port}/headers#f`, {
      headers: { range: "bytes=0-" },
    });
    expect(JSON.parse(outcome.ok ? await text(outcome.response.body) : "{}")).toEqual({
      host: `here.test:${target.port}`,
      connection: "keep-alive",
      "user-agent": expect.any(String),
      via: expect.stringMatching(/^1\.1 engawa-/),
      accept: "*/*",
      "accept-encoding": "identity",
      range: "bytes=0-",
    });
  });

  test("a refused connection fails with connection_refused", async () => {
    const gone = createServer();
    const port = await listenLocally(gone);
    gone.close();
    expect(await outcomeOf(open(`http://127.0.0.1:${port}/`))).toBe("connection_refused");
  });

  test("an upstream that sends nothing, or stops in the middle of the body, fails with timed_out", async () => {
    expect(await open(`${target.origin}/silent`, { firstByteMs: 50 })).toMatchObject({
      reason: "timed_out",
      afterMs: 50,
    });
    expect(await open(`${target.origin}/silent`, { totalMs: 60 })).toMatchObject({
      reason: "timed_out",
      afterMs: 60,
    });
    const stalled = await open(`${target.origin}/stall`, { totalMs: 300 });
    // On a slow machine, the time can end before the body begins.
    const ended = stalled.ok ? await readUpstreamBody(stalled.response, 100) : stalled;
    expect(ended).toMatchObject({ reason: "timed_out" });
  });

  test("a name server that never answers fails with timed_out", async () => {
    const withoutNames = createSafeFetch({
      privateUpstreams: parsePrivateUpstreams("0")!,
      resolve: () => new Promise(() => {}),
    });
    expect(await withoutNames("http://a.test/", { totalMs: 50 })).toMatchObject({
      reason: "timed_out",
      afterMs: 50,
    });
    const impatient = createSafeFetch({
      privateUpstreams: parsePrivateUpstreams("0")!,
      resolve: () => new Promise(() => {}),
      connectMs: 40,
    });
    expect(await impatient("http://a.test/")).toMatchObject({ reason: "timed_out", afterMs: 40 });
  });

  test("an upstream that sends only interim answers fails with timed_out, and its connection is closed", async () => {
    let isOpen = true;
    const hinting = await startRaw((_path, socket) => {
      const hints = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 10);
      socket.on("close", () => {
        clearInterval(hints);
        isOpen = false;
      });
    });
    // The limits of connecting and of the first byte are added. On a slow machine, connecting takes long.
    const impatient = createSafeFetch({ privateUpstreams: parsePrivateUpstreams("1")!, connectMs: 3000 });
    expect(await impatient(`${hinting}/`, { firstByteMs: 60 })).toMatchObject({
      reason: "timed_out",
      afterMs: 60,
    });
    await expect.poll(() => isOpen).toBe(false);
  });

  test("a host name of 300 letters fails with name_not_found", async () => {
    expect(
      await outcomeOf(
        createSafeFetch({ privateUpstreams: parsePrivateUpstreams("0")! })(`http://${"a".repeat(300)}/`),
      ),
    ).toBe("name_not_found");
  });

  test("while 300 hosts do not answer, a request to another host succeeds", async () => {
    const names = Array.from({ length: 300 }, (_, at) => `slow-${at}.test`);
    const many = newSafeFetch(
      "1",
      Object.fromEntries([...names, "quick.test"].map((name) => [name, ["127.0.0.1"]])),
    );
    const leaving = new AbortController();
    const before = target.requests.length;
    const waiting = names.map((name) =>
      many(`http://${name}:${target.port}/silent`, { signal: leaving.signal }),
    );
    await expect.poll(() => target.requests.length - before).toBe(names.length);
    expect(await outcomeOf(many(`http://quick.test:${target.port}/`))).toBe("200 hello");
    leaving.abort();
    await Promise.all(waiting);
  });

  test("a body that breaks off fails with reset", async () => {
    const outcome = await open(`${target.origin}/cut`);
    expect(outcome.ok && (await readUpstreamBody(outcome.response, 100))).toMatchObject({ reason: "reset" });
  });

  test("an abort before or during the request fails with aborted", async () => {
    const asked = (options: Options) => open(`${target.origin}/silent`, options);
    expect(await asked({ signal: AbortSignal.abort() })).toMatchObject({ reason: "aborted" });
    const controller = new AbortController();
    const pending = asked({ signal: controller.signal });
    controller.abort();
    expect(await pending).toMatchObject({ reason: "aborted" });
  });

  test("a body over its limit fails with too_large, also if it exceeds the limit only after decoding", async () => {
    const limited = async (path: string, maxBytes: number) => {
      const outcome = await open(target.origin + path);
      if (!outcome.ok) return outcome.reason;
      const read = await readUpstreamBody(outcome.response, maxBytes);
      return read.ok ? read.bytes.toString() : read.reason;
    };
    expect(await limited("/", 5)).toBe("hello");
    expect(await limited("/", 4)).toBe("too_large");
    expect(await limited("/gzip", 100)).toBe("hello");
    expect(await limited("/bomb", 200)).toBe("too_large");
    expect(await limited("/stall", 9)).toBe("too_large");
  });

  test("a URL of this site is read in the process, or refused as a loop, also after a redirect", async () => {
    const { Readable } = await import("node:stream");
    const before = target.requests.length;
    const readOwn: FetchOptions["readOwn"] = (url) => {
      if (url.hostname !== "own.test") return null;
      if (url.pathname.startsWith("/api/")) return "loop";
      return { status: 200, headers: {}, body: Readable.from([Buffer.from(`own ${url.pathname}`)]) };
    };
    expect(await outcomeOf(open("http://own.test/poster/1.webp", { readOwn }))).toBe(
      "200 own /poster/1.webp",
    );
    expect(await outcomeOf(open("http://own.test/api/proxy?url=x", { readOwn }))).toBe("loop");
    expect(target.requests.length).toBe(before);
    const redirected = `${target.origin}/redirect?to=http://own.test/api/proxy`;
    expect(await outcomeOf(open(redirected, { readOwn }))).toBe("loop");
  });
});

describe("host names", () => {
  test("while one client requests names that no server answers, another client's names are resolved at once", async () => {
    let isSilent = true;
    const nameServer = await startNameServer((name, family) => {
      if (name.startsWith("silent")) return isSilent ? "silent" : "missing";
      return { addresses: family === 4 ? ["127.0.0.1"] : [] };
    });
    // No time limit ends the look-ups of the first client before the other client's look-up, even on a slow machine.
    const longMs = 60_000;
    const query = createNameQuery({ servers: [nameServer.address], deadlineMs: longMs });
    const fetching = createSafeFetchForClients({
      privateUpstreams: parsePrivateUpstreams("1")!,
      resolve: createNameLookup({ query }),
      connectMs: longMs,
    });
    opened.push(fetching);
    let ended = 0;
    const stranger = Array.from({ length: 60 }, async (_, at) => {
      const reason = await outcomeOf(fetching(`http://silent-${at}.test/`, { client: "203.0.113.1" }));
      if (reason !== "busy") ended++;
      return reason;
    });
    const url = `http://good.test:${target.port}/`;
    expect(await outcomeOf(fetching(url, { client: "203.0.113.2" }))).toBe("200 hello");
    // The first client's look-ups are still pending.
    expect(ended).toBe(0);
    isSilent = false;
    const reasons = await Promise.all(stranger);
    expect(ended).toBe(16);
    expect(reasons.filter((reason) => reason === "busy").length).toBe(44);
  });

  test("a name with one private address among public ones is refused, whatever family it has", async () => {
    const nameServer = await startNameServer((_name, family) =>
      family === 4 ? { addresses: ["93.184.216.34"] } : { addresses: ["::1"] },
    );
    const query = createNameQuery({ servers: [nameServer.address] });
    const closed = createSafeFetch({
      privateUpstreams: parsePrivateUpstreams("0")!,
      resolve: createNameLookup({ query }),
    });
    expect(await outcomeOf(closed("http://mixed.test/"))).toBe("refused_address");
  });
});

describe("an upstream that sends chunks of one byte", () => {
  const digits = Array.from({ length: 15_000 }, (_, at) => at % 10).join("");
  const chunked = (sent: string) => [...sent].map((letter) => `1\r\n${letter}\r\n`).join("");

  const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const lastChunk = "0\r\n\r\n";

  async function openChunks(sent: string, { end = lastChunk, ...options }: Options & { end?: string } = {}) {
    const origin = await startRaw((_, socket) => socket.write(head + chunked(sent) + end));
    const outcome = await newSafeFetch("127.0.0.1")(origin, options);
    if (!outcome.ok) throw new Error(outcome.reason);
    return outcome.response;
  }

  async function partsOf(body: Readable) {
    const parts: string[] = [];
    body.on("data", (part) => parts.push(String(part)));
    await once(body, "end");
    return parts;
  }

  test("has them joined", async () => {
    const { body } = await openChunks(digits);
    const parts = await partsOf(body);
    expect(parts.join("")).toBe(digits);
    expect(parts.length).toBeLessThan(20);
  });

  test("has them passed on although no more follow", async () => {
    const { body } = await openChunks(digits, { end: "" });
    let length = 0;
    for await (const part of body) {
      length += (part as Buffer).byteLength;
      if (length === digits.length) break;
    }
    expect(length).toBe(digits.length);
  });

  test("has them held in one piece while nobody reads", async () => {
    let sent = Promise.resolve();
    const origin = await startRaw((_, socket) => {
      socket.write(head);
      sent = (async () => {
        for (let count = 0; count < 12; count++) {
          socket.write(chunked("ab"));
          await pause(60);
        }
        socket.write(lastChunk);
      })();
    });
    const outcome = await newSafeFetch("127.0.0.1")(origin);
    await sent;
    const parts = outcome.ok ? await partsOf(outcome.response.body) : [];
    expect(parts.join("")).toBe("ab".repeat(12));
    expect(parts.length).toBeLessThan(5);
  });

  test("may send any number if the operator has named it", async () => {
    const { body } = await openChunks(digits.repeat(4), { isConfigured: true });
    expect((await partsOf(body)).join("")).toBe(digits.repeat(4));
  });

  test("is refused with bad_answer if there are more than any server sends", async () => {
    const response = await openChunks(digits.repeat(4));
    expect(await readUpstreamBody(response, kibibytes(100))).toEqual({ ok: false, reason: "bad_answer" });
  });
});

describe("an upstream that closes its connection while its answer is not read", () => {
  /** The part of a body that undici holds: the client pauses at its last byte, and the end of the connection follows. */
  const film = Buffer.alloc(kibibytes(64), "film ");
  const head = "HTTP/1.1 200 OK\r\nConnection: close\r\n";

  async function fetchUnread(headers: string) {
    let end = () => {};
    /** The site has closed its side too. */
    const ended = new Promise<void>((resolve) => (end = resolve));
    const origin = await startRaw((_path, socket) => {
      socket.once("close", end);
      socket.end(Buffer.concat([Buffer.from(`${head}${headers}\r\n`), film]));
    });
    const outcome = await newSafeFetch("127.0.0.1")(origin);
    if (!outcome.ok) throw new Error(outcome.reason);
    outcome.response.body.on("error", () => {});
    await ended;
    return outcome.response.body;
  }

  test.each([
    ["with a length", `Content-Length: ${film.byteLength}\r\n`],
    ["until its end", ""],
  ])("gives the whole body, sent %s", async (_, headers) => {
    expect((await buffer(await fetchUnread(headers))).equals(film)).toBe(true);
  });

  test("gives no whole body if it has sent less than its length", async () => {
    const body = await fetchUnread(`Content-Length: ${film.byteLength + 1}\r\n`);
    await expect(buffer(body)).rejects.toThrow();
  });
});

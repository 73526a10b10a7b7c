import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { insideContext, signalIn } from "#app/http/context.server.ts";
import { type AdmissionLimits, createAdmission } from "#app/http/guards/admission.server.ts";
import { respondWithNode } from "#app/http/server/node-body.server.ts";
import { asOwnMedia } from "#app/http/sharing.ts";
import { registry } from "#app/platform/metrics.server.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { openSocket, sendRaw, statusesIn } from "#tests/support/requests/raw-http.ts";
import { listenTinySite, type Route } from "#tests/support/site/tiny-site.ts";

/** Requests in progress are divided among clients. 127.0.0.1 and 127.0.0.2 are two clients. */

const plenty = { total: 100, perClient: 100 };
const limits: AdmissionLimits = {
  requests: { total: 8, perClient: 4 },
  upstream: { total: 8, perClient: 4 },
  bodies: { total: 4, perClient: 2 },
  uploads: { total: 2, perClient: 1 },
  bodyBytes: { total: 40_000, perClient: 20_000 },
};

let site: Awaited<ReturnType<typeof listenTinySite>>;
let release: () => void;
let entered: number;
let left: number;
let innerStatus: number | undefined;

async function start(changed: Partial<AdmissionLimits> = {}) {
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  entered = 0;
  left = 0;
  innerStatus = undefined;
  const waits: Route = async ({ request, context }) => {
    entered++;
    signalIn(context).addEventListener("abort", () => left++);
    await released;
    await request.arrayBuffer();
    return new Response("waited");
  };
  const inner = Object.assign((() => new Response("inner")) as Route, { sharing: asOwnMedia });
  const asks: Route = async (args) => {
    await waits(args);
    const { signal } = new AbortController();
    innerStatus = (await args.context.get(insideContext)("GET", "/inner", { headers: {}, signal }))?.status;
    return new Response("asked");
  };
  const quick: Route = async ({ request }) => new Response(`${(await request.arrayBuffer()).byteLength}`);
  site = await listenTinySite(
    {
      routes: {
        waits,
        asks,
        inner,
        quick,
        upstream: Object.assign(((args) => waits(args)) as Route, { admission: "upstream" as const }),
        open: Object.assign((() => new Response("open")) as Route, { admission: "open" as const }),
        streams: ({ context }) => respondWithNode(context, Buffer.alloc(100)),
      },
      middleware: [createAdmission({ ...limits, ...changed }).middleware],
    },
    { connections: null },
  );
}
afterEach(async () => {
  release();
  await site.close();
});

type Sent = { from?: string; body?: string | Buffer; headers?: Record<string, string> };

async function ask(path: string, { from = "127.0.0.1", body, headers = {} }: Sent = {}) {
  const asked = sendRequest(`${site.origin}${path}`, {
    agent: false,
    localAddress: from,
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, ...(body !== undefined && { "Content-Length": body.length }) },
  }).end(body);
  const [response] = await once(asked, "response");
  return { status: response.statusCode as number, headers: response.headers, body: await text(response) };
}

const statusOf = async (path: string, sent?: Sent) => (await ask(path, sent)).status;
const other = { from: "127.0.0.2" };

test("a client with a full share of requests in progress gets 503 for more, while another client is answered", async () => {
  await start();
  const waiting = Array.from({ length: 4 }, () => statusOf("/waits"));
  await until(() => entered === 4);
  const refused = await ask("/quick");
  expect([refused.status, refused.headers["retry-after"], JSON.parse(refused.body)]).toEqual([
    503,
    "2",
    { error: "Busy, try again shortly", status: 503 },
  ]);
  expect(await statusOf("/quick", other)).toBe(200);
  expect(await statusOf("/open")).toBe(200);
  release();
  expect(await Promise.all(waiting)).toEqual([200, 200, 200, 200]);
  expect(await statusOf("/quick")).toBe(200);
});

test("when all clients together have used up their shares, health checks and films are still answered", async () => {
  await start();
  const senders = [...Array(4).fill("127.0.0.1"), ...Array(4).fill("127.0.0.2")];
  const waiting = senders.map((from) => statusOf("/waits", { from }));
  await until(() => entered === 8);
  expect(await statusOf("/quick", { from: "127.0.0.3" })).toBe(503);
  expect(await statusOf("/open", { from: "127.0.0.3" })).toBe(200);
  release();
  await Promise.all(waiting);
});

test("requests that wait for an upstream use up only their own share", async () => {
  await start();
  const waiting = Array.from({ length: 4 }, () => statusOf("/upstream"));
  await until(() => entered === 4);
  expect(await statusOf("/upstream")).toBe(503);
  expect(await statusOf("/quick")).toBe(200);
  release();
  await Promise.all(waiting);
});

test("requests whose clients have left count until their routes end", async () => {
  await start();
  for (let asked = 1; asked <= 4; asked++) {
    const socket = await openSocket(site.port);
    socket.write("GET /waits HTTP/1.1\r\nHost: a\r\n\r\n");
    await until(() => entered === asked);
    socket.destroy();
    await until(() => left === asked);
  }
  expect(await statusOf("/quick")).toBe(503);
  expect(await statusOf("/quick", other)).toBe(200);
  release();
  await until(async () => (await statusOf("/quick")) === 200);
});

test("a request inside another one goes on when the client leaves, because others may share its answer", async () => {
  await start();
  const socket = await openSocket(site.port);
  socket.write("GET /asks HTTP/1.1\r\nHost: a\r\n\r\n");
  await until(() => entered === 1);
  socket.destroy();
  await until(() => left === 1);
  release();
  await until(() => innerStatus === 200);
});

test("a request whose short body is still arriving takes no place from others, and is answered", async () => {
  await start({ requests: { total: 1, perClient: 1 } });
  const slow = await openSocket(site.port);
  const answer = text(slow);
  let arrived = 0;
  site.server.on("request", () => arrived++);
  slow.write("POST /quick HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhe");
  await until(() => arrived === 1);
  expect(await statusOf("/quick", { body: "hello" })).toBe(200);
  slow.write("llo");
  expect(statusesIn(await answer)).toEqual([200]);
});

test("slow bodies of one client use up its own share of bodies, and it can still read", async () => {
  await start({ bodyBytes: { total: 1_000_000, perClient: 1_000_000 } });
  const slow = await Promise.all([1, 2].map(() => openSocket(site.port)));
  for (const socket of slow)
    socket.write("POST /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\nx");
  await until(async () => (await statusOf("/quick", { body: "hello" })) === 503);
  expect(await statusOf("/quick")).toBe(200);
  expect((await ask("/quick", { ...other, body: "hello" })).body).toBe("5");
  for (const socket of slow) socket.write("x".repeat(69_999));
  await until(async () => (await statusOf("/quick", { body: "hello" })) === 200);
  for (const socket of slow) socket.destroy();
});

test("announced bytes of slow bodies use up a share, and short ones need no bytes of it", async () => {
  await start({ bodies: plenty, bodyBytes: { total: 200_000, perClient: 100_000 } });
  const long = "x".repeat(9000);
  const holdBytes = async (address?: string) => {
    const slow = await openSocket(site.port, address);
    slow.write("POST /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 95996\r\n\r\nx");
    await until(
      async () => (await statusOf("/quick", { body: long, ...(address && { from: address }) })) === 503,
    );
    return slow;
  };
  const slow = await holdBytes();
  expect(await registry.getSingleMetricAsString("engawa_refused_total")).toContain('kind="body_bytes"');
  expect(await statusOf("/quick", { ...other, body: long })).toBe(200);
  const slowOther = await holdBytes(other.from);
  expect(await statusOf("/quick", { from: "127.0.0.3", body: long })).toBe(503);
  // Nobody's large bodies keep out short ones.
  for (const from of ["127.0.0.1", "127.0.0.3"])
    expect(await statusOf("/quick", { from, body: "hello" })).toBe(200);
  for (const socket of [slow, slowOther]) socket.destroy();
  await until(async () => (await statusOf("/quick", { body: long })) === 200);
});

test("a body that is large or of unknown length counts as an upload, and small bodies have separate room", async () => {
  await start();
  const large = Buffer.alloc(1024 * 1024 + 1);
  const waiting = statusOf("/waits", { body: large });
  await until(() => entered === 1);
  expect(await statusOf("/quick", { body: large })).toBe(503);
  const chunked = "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n1\r\nx\r\n0\r\n\r\n";
  expect(statusesIn(await sendRaw(site.port, `POST /quick HTTP/1.1\r\nHost: a\r\n${chunked}`))).toEqual([
    503,
  ]);
  expect(await statusOf("/quick", { body: "small" })).toBe(200);
  expect(await statusOf("/quick", { ...other, body: large })).toBe(200);
  release();
  expect(await waiting).toBe(200);
});

test("a refused request with a body has its connection closed at once", async () => {
  await start({ bodies: { total: 4, perClient: 0 }, requests: plenty });
  const socket = await openSocket(site.port);
  socket.write("POST /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nx");
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1.1 503 /);
  expect(answer).toContain("Connection: close");
});

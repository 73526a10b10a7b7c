import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { RouterContextProvider } from "react-router";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { signalIn } from "#app/http/context.server.ts";
import { respondWithNode, webStreamOf } from "#app/http/server/node-body.server.ts";
import { settled, until } from "#tests/support/checks/wait-until.ts";
import { openSocket, sendRaw, statusesIn } from "#tests/support/requests/raw-http.ts";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";
import { listenTinySite, type Route } from "#tests/support/site/tiny-site.ts";

/** Large request and response bodies: a client that is slow or disconnects costs at most a few buffers. */

// Random bytes do not compress, so that compressed answers fill sockets as fast as plain ones.
const chunk = randomBytes(64 * 1024);
const gigabyte = 1024 ** 3;
const mebibyte = 1024 ** 2;

const seen = { produced: 0, ended: 0, signal: undefined as AbortSignal | undefined, aborted: 0 };

function* produce() {
  try {
    for (let sent = 0; sent < gigabyte; sent += chunk.byteLength) {
      seen.produced += chunk.byteLength;
      yield chunk;
    }
  } finally {
    seen.ended++;
  }
}

const webStream = () => {
  const chunks = produce();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void chunks.return(),
  });
};

const countingAborts =
  (route: Route): Route =>
  (args) => {
    signalIn(args.context).addEventListener("abort", () => {
      seen.aborted++;
    });
    return route(args);
  };

async function* failing() {
  yield chunk;
  throw new Error("the disk broke");
}

const upstream = createServer((_request, response) => {
  response.writeHead(200, { "Content-Length": "1000000" });
  response.write(chunk, () => response.destroy());
});

const bytes = { headers: { "Content-Type": "video/mp4" } };
const plain = { headers: { "Content-Type": "text/plain" } };

const upstreamUrl = `http://127.0.0.1:${await listenLocally(upstream)}/`;
const site = await listenTinySite({
  routes: {
    node: countingAborts(({ context }) => respondWithNode(context, Readable.from(produce()), bytes)),
    web: countingAborts(() => new Response(webStream(), bytes)),
    text: countingAborts(() => new Response(webStream(), plain)),
    "node-text": countingAborts(({ context }) => respondWithNode(context, Readable.from(produce()), plain)),
    "breaking/node": ({ context }) => respondWithNode(context, Readable.from(failing()), bytes),
    "breaking/web": () => new Response(webStreamOf(Readable.from(failing())), bytes),
    "breaking/upstream": async () => new Response((await fetch(upstreamUrl)).body, bytes),
    replaced: async ({ context }) => {
      respondWithNode(context, Readable.from(produce()), bytes);
      return Response.json({ error: "no" }, { status: 429 });
    },
    "announced/:length": ({ request, context }) =>
      respondWithNode(context, Readable.from([Buffer.from("0123456789")]), {
        headers: { "Content-Length": request.url.split("/").at(-1) ?? "" },
      }),
    refuse: () => Response.json({ error: "no" }, { status: 403 }),
    count: async ({ request }) => {
      let length = 0;
      for await (const part of request.body ?? []) length += part.byteLength;
      return Response.json({ length });
    },
    echo: async ({ request }) => new Response(await request.text()),
    "reads-one-chunk": async ({ request }) => {
      for await (const _ of request.body ?? []) break;
      return Response.json({ error: "no" }, { status: 400 });
    },
    "keeps-the-reader": async ({ request }) => {
      await request.body?.getReader().read();
      return Response.json({ error: "no" }, { status: 400 });
    },
    waits: countingAborts(
      ({ context }) =>
        new Promise((resolve) => {
          seen.produced++;
          signalIn(context).addEventListener("abort", () => resolve(new Response("late")));
        }),
    ),
    alive: () => new Response("yes"),
  },
});
beforeEach(() => {
  Object.assign(seen, { produced: 0, ended: 0, aborted: 0 });
});
afterAll(async () => {
  await site.close();
  upstream.close();
});

const isAlive = async () => (await fetch(`${site.origin}/alive`)).text();

describe("a client that does not read the answer", () => {
  test.each([
    ["of a Node stream", "/node", ""],
    ["of a web stream", "/web", ""],
    ["of text compressed on the way", "/text", "Accept-Encoding: gzip\r\n"],
    ["of a Node stream compressed on the way", "/node-text", "Accept-Encoding: gzip\r\n"],
  ])("%s pauses the source, and ends it by disconnecting", async (_name, path, header) => {
    const socket = await openSocket(site.port);
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n`);
    await until(() => seen.produced > 0);
    const pulled = await settled(() => seen.produced);
    expect(pulled).toBeLessThan(32 * mebibyte);
    socket.destroy();
    await until(() => seen.ended === 1 && seen.aborted === 1);
    expect(await isAlive()).toBe("yes");
  });
});

describe("an answer whose source fails midway", () => {
  test.each(["node", "web", "upstream"])(
    "%s: it has no regular end, and the server keeps running",
    async (kind) => {
      const answer = await sendRaw(site.port, `GET /breaking/${kind} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(statusesIn(answer)).toEqual([200]);
      expect(answer.endsWith("0\r\n\r\n")).toBe(false);
      expect(await isAlive()).toBe("yes");
    },
  );
});

test("a body whose length differs from its Content-Length ends the connection, so its bytes do not become the next answer", async () => {
  const ask = (path: string, rest = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${rest}\r\n`;
  const next = ask("/alive", "Connection: close\r\n");
  for (const length of [3, 30]) {
    const answer = await sendRaw(site.port, ask(`/announced/${length}`) + next);
    expect(statusesIn(answer).length, answer).toBeLessThan(2);
    if (length === 3) expect(answer).not.toContain("3456");
  }
  expect(statusesIn(await sendRaw(site.port, ask("/announced/10") + next))).toEqual([200, 200]);
});

test("HEAD gets the headers, and the body is not produced", async () => {
  for (const path of ["/node", "/web"]) {
    const response = await fetch(`${site.origin}${path}`, { method: "HEAD" });
    expect(response.headers.get("Content-Type")).toBe("video/mp4");
    expect(response.headers.get("X-Node-Body")).toBeNull();
  }
  expect(seen.produced).toBeLessThan(mebibyte);
});

test("an answer that replaces a route's answer is sent with its own body", async () => {
  const response = await fetch(`${site.origin}/replaced`);
  expect([response.status, await response.json()]).toEqual([429, { error: "no" }]);
});

test("outside of a server, a Node stream is an ordinary body", async () => {
  const body = Readable.from([Buffer.from("a"), Buffer.from("b")]);
  const response = respondWithNode(new RouterContextProvider(), body, plain);
  expect(await response.text()).toBe("ab");
});

describe("uploads", () => {
  test("300 MB to a route that refuses them get 403, and the connection closes early", async () => {
    const socket = await openSocket(site.port);
    let answer = "";
    socket.on("data", (data) => {
      answer += data;
    });
    const total = 300 * mebibyte;
    socket.write(`POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: ${total}\r\n\r\n`);
    let sent = 0;
    while (!socket.destroyed && sent < total) {
      sent += chunk.byteLength;
      if (!socket.write(chunk))
        await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => {});
    }
    expect(statusesIn(answer)).toEqual([403]);
    expect(answer).toContain("Connection: close");
    expect(sent).toBeLessThan(32 * mebibyte);
  });

  test("a proxy that sends until the socket is full before it reads still gets the whole answer", async () => {
    const socket = await openSocket(site.port);
    let broke = false;
    socket.pause().on("error", () => {
      broke = true;
    });
    socket.write(`POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: ${300 * mebibyte}\r\n\r\n`);
    let sent = 0;
    const send = () => {
      do sent += chunk.byteLength;
      while (socket.write(chunk));
    };
    socket.on("drain", send);
    send();
    expect(await settled(() => sent)).toBeLessThan(32 * mebibyte);
    expect(broke).toBe(false);
    let answer = "";
    socket.setEncoding("latin1").on("data", (data: string) => {
      answer += data;
    });
    socket.resume();
    await until(() => socket.closed);
    expect(statusesIn(answer)).toEqual([403]);
    expect(answer.endsWith('{"error":"no"}')).toBe(true);
  });

  test("300 MB in chunks to a route that refuses them close the connection early", async () => {
    const socket = await openSocket(site.port);
    socket.resume().write("POST /refuse HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    let sent = 0;
    while (!socket.destroyed && sent < 300 * mebibyte) {
      sent += chunk.byteLength;
      socket.write(`${chunk.byteLength.toString(16)}\r\n`);
      socket.write(chunk);
      if (!socket.write("\r\n"))
        await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => {});
    }
    expect(sent).toBeLessThan(32 * mebibyte);
  });

  test("a small refused upload leaves the connection usable", async () => {
    const refused = "POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
    const last = "GET /alive HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    expect(statusesIn(await sendRaw(site.port, refused + refused + last))).toEqual([403, 403, 200]);
  });

  test.each(["reads-one-chunk", "keeps-the-reader"])(
    "a refused upload that its route began to read leaves the connection usable: %s",
    async (path) => {
      const head = `POST /${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n`;
      const socket = await openSocket(site.port);
      let answer = "";
      socket.setEncoding("latin1").on("data", (data: string) => {
        answer += data;
      });
      socket.write(head + "x".repeat(100_000));
      await until(() => answer.includes("HTTP/1.1 400"));
      socket.write(`${"x".repeat(800_000)}GET /alive HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await once(socket, "close");
      expect(statusesIn(answer)).toEqual([400, 200]);
    },
  );

  test("a route that reads the whole body gets all of it", async () => {
    const body = Buffer.alloc(20 * mebibyte, 1);
    const response = await fetch(`${site.origin}/count`, { method: "POST", body });
    expect(await response.json()).toEqual({ length: body.byteLength });
  });

  test("an upload to a route without its own limit gets 413 at the general limit", async () => {
    const body = Readable.toWeb(Readable.from(produce())) as ReadableStream;
    const sending = fetch(`${site.origin}/count`, { method: "POST", body, duplex: "half" } as RequestInit);
    // The reset after the answer can arrive before the answer is read, and then fetch fails.
    const status = await sending.then(
      (response) => response.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect(seen.produced).toBeLessThan(128 * mebibyte);
    expect(await isAlive()).toBe("yes");
  });

  test("a client that disconnects during an upload does not stop the server", async () => {
    const socket = await openSocket(site.port);
    socket.write(`POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: ${mebibyte}\r\n\r\nhello`, () =>
      socket.destroy(),
    );
    await once(socket, "close");
    expect(await isAlive()).toBe("yes");
  });
});

test("a handler's signal aborts when the client disconnects, and not before", async () => {
  await fetch(`${site.origin}/alive`);
  const socket = await openSocket(site.port);
  socket.write("GET /waits HTTP/1.1\r\nHost: a\r\n\r\n");
  await until(() => seen.produced === 1);
  expect(seen.aborted).toBe(0);
  socket.destroy();
  await until(() => seen.aborted === 1);
  expect(await isAlive()).toBe("yes");
});

test("with 300 half-open connections another client is answered, and they are closed after the time limit", async () => {
  // A busy machine can take long to read the whole request of the other client, too.
  const limits = { headersTimeout: 3000, requestTimeout: 3000, connectionsCheckingInterval: 50 };
  const shortLimitsSite = await listenTinySite({ routes: { alive: () => new Response("yes") } }, { limits });
  const sockets = await Promise.all(Array.from({ length: 300 }, () => openSocket(shortLimitsSite.port)));
  const closed = Promise.all(sockets.map((socket) => once(socket.resume(), "close")));
  for (const socket of sockets) socket.write("GET /alive HTTP/1.1\r\nHost: a\r\nX-Slow: ");
  expect(await (await fetch(`${shortLimitsSite.origin}/alive`)).text()).toBe("yes");
  await closed;
  await shortLimitsSite.close();
});

describe("a body in parts of a few bytes", () => {
  const text = Array.from({ length: 10_000 }, (_, at) => at % 10).join("");
  const headOf = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunked = (sent: string) => `${[...sent].map((letter) => `1\r\n${letter}\r\n`).join("")}0\r\n\r\n`;

  /** The parts of the next body, as Node would hold them until they are read. */
  async function partsOfNext() {
    const parts: string[] = [];
    const [request] = (await once(site.server, "request")) as [IncomingMessage];
    request.on("data", (part) => parts.push(String(part)));
    await once(request, "end");
    return parts;
  }

  test("in chunks, is joined before it is held", async () => {
    const arriving = partsOfNext();
    await sendRaw(site.port, headOf("/refuse") + chunked(text));
    const parts = await arriving;
    expect([parts.length, parts.join("")]).toEqual([3, text]);
  });

  test("in packets, is joined before it is held", async () => {
    const arriving = partsOfNext();
    const socket = await openSocket(site.port);
    socket.setNoDelay();
    socket.write("POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n");
    for (const letter of text.slice(0, 100)) {
      await new Promise((sent) => socket.write(letter, sent));
      // The server, in the same process, reads the packet meanwhile.
      await new Promise((read) => setImmediate(read));
    }
    const parts = await arriving;
    socket.destroy();
    expect(parts).toEqual([text.slice(0, 100)]);
  });

  test("is held up to a limit if it is not read, however long its parts are", async () => {
    const chunk = `bb8\r\n${"b".repeat(3000)}\r\n`;
    const arriving = once(site.server, "request");
    const socket = await openSocket(site.port);
    socket.write(headOf("/waits") + chunk.repeat(3000));
    const [request] = (await arriving) as [IncomingMessage];
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
    await expect.poll(() => request.isPaused() || request.readableLength).toBeGreaterThan(100_000);
    expect(request.readableLength).toBeLessThan(1_000_000);
    socket.destroy();
  });

  test("reaches its route as it was sent", async () => {
    const answer = await sendRaw(site.port, headOf("/echo") + chunked(text));
    expect(answer.split("\r\n\r\n")[1]).toContain(text);
  });

  test("in more chunks than any program sends, gets 413, and the connection closes", async () => {
    const answer = await sendRaw(site.port, headOf("/echo") + chunked(text.repeat(3)));
    expect(statusesIn(answer)).toEqual([413]);
    expect(answer).toContain("too many small parts");
    expect(await isAlive()).toBe("yes");
  });

  test("may have many chunks if they are not tiny", async () => {
    const chunk = `64\r\n${"b".repeat(100)}\r\n`;
    const answer = await sendRaw(site.port, `${headOf("/count")}${chunk.repeat(30_000)}0\r\n\r\n`);
    expect(answer).toContain('{"length":3000000}');
  });
});

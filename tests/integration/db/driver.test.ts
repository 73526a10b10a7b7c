import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { afterEach, expect, test, vi } from "vitest";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";

/**
 * The repairs in `db/postgres.patch` that a server can trigger by closing connections at a bad moment. busy-pool.test.ts
 * tests the repairs for a busy pool, with a real database.
 */

// Without their repair, most of these queries never end.
vi.setConfig({ testTimeout: 60_000 });

const message = (type: string, body: Buffer | string = "") => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(Buffer.byteLength(body) + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const ready = message("Z", "I");
const welcome = Buffer.concat([message("R", Buffer.alloc(4)), ready]);
const complete = (command: string) => message("C", `${command}\0`);
const done = (command: string) => Buffer.concat([complete(command), ready]);

/** The description of one column named `n`, and a row of it. */
const columns = message("T", Buffer.concat([Buffer.from("\0\x01n\0"), Buffer.alloc(18)]));
const row = (digit: string) => message("D", `\0\x01\0\0\0\x01${digit}`);
const failure = message("E", "SFATAL\0C57P01\0Mterminating connection\0\0");

const isClosed = { code: "CONNECTION_CLOSED" };

let server: Server;
afterEach(() => {
  server.close();
});

/** A pool of one connection before a server that treats every new connection as `onConnection` says. */
async function poolBefore(onConnection: (socket: Socket) => void, options = {}) {
  server = createServer((socket) => {
    socket.on("error", () => {});
    onConnection(socket);
  });
  const port = await listenLocally(server);
  const address = { host: "127.0.0.1", port, user: "test", pass: "", ssl: false };
  return postgres({ ...address, max: 1, fetch_types: false, ...options });
}

/** A pool before a server that lets every connection in and leaves every query to `answer`. */
const pretend = (answer: (socket: Socket, query: string) => void, options = {}) =>
  poolBefore((socket) => {
    socket.once("data", () => {
      socket.write(welcome);
      socket.on("data", (data) => answer(socket, data.toString()));
    });
  }, options);

/** Answers the first query, and leaves the later ones to `breakOff`. */
const answerOnce = (breakOff: (socket: Socket) => void) => {
  let queries = 0;
  return (socket: Socket) => {
    queries += 1;
    if (queries === 1) socket.write(done("LISTEN"));
    else breakOff(socket);
  };
};

const listen = (sql: postgres.ISql) => sql`listen changes`.simple();

test("a query on a closed reserved connection fails, and the process survives", async () => {
  const sql = await pretend(answerOnce((socket) => socket.destroy()));
  await listen(sql);
  const reserved = await sql.reserve();
  await expect(listen(reserved)).rejects.toMatchObject(isClosed);
  await expect(listen(reserved)).rejects.toMatchObject(isClosed);
  await sql.end();
});

/** Begins every transaction, and leaves the other queries to `answer`. */
const beginOr = (answer: (socket: Socket, query: string) => void) => (socket: Socket, query: string) => {
  if (query.includes("begin")) socket.write(Buffer.concat([complete("BEGIN"), message("Z", "T")]));
  else answer(socket, query);
};

test("after its connection closed, a transaction sends nothing on the next connection", async () => {
  const received: string[] = [];
  const sql = await pretend(
    beginOr((socket, query) => {
      received.push(query);
      if (query.includes("first")) socket.destroy();
      else socket.write(done("LISTEN"));
    }),
  );
  const running = sql.begin(async (transaction) => {
    await transaction`listen first`.simple().catch(() => {});
    await listen(sql);
    await transaction`listen second`.simple();
  });
  await expect(running).rejects.toMatchObject(isClosed);
  await listen(sql);
  expect(received.join()).not.toMatch(/second|rollback|commit/);
  await sql.end();
});

test("when its connection closes, a transaction's unsent queries fail", async () => {
  const sql = await pretend(
    beginOr((socket) => socket.destroy()),
    { max_pipeline: 1 },
  );
  let queries: Promise<unknown>[] = [];
  const running = sql.begin(async (transaction) => {
    queries = [listen(transaction), listen(transaction), listen(transaction)];
    await Promise.all(queries);
  });
  await expect(running).rejects.toMatchObject(isClosed);
  for (const query of queries) await expect(query).rejects.toMatchObject(isClosed);
  await sql.end();
});

test("a server that accepts a connection and closes it at once fails the query after one attempt", async () => {
  let attempts = 0;
  const sql = await poolBefore((socket) => {
    attempts += 1;
    socket.end();
  });
  await expect(listen(sql)).rejects.toMatchObject(isClosed);
  expect(attempts).toBe(1);
  await sql.end();
});

test("after a connection closed before it sent a query, the next connection sends its own", async () => {
  let client: Socket | undefined;
  const sql = await pretend((socket) => socket.write(done("LISTEN")), {
    socket: async ({ host: [host], port: [port] }: { host: string[]; port: number[] }) => {
      client = connect(port!, host);
      await once(client, "connect");
      return client;
    },
  });
  await listen(sql);
  // Node reports the close in this turn of the event loop, and the driver writes in the next one.
  await nextTurn();
  client?.destroy();
  await expect(listen(sql)).rejects.toMatchObject(isClosed);
  expect(await listen(sql)).toEqual([]);
  await sql.end();
});

test("a query that is sent between a socket's error and its close fails", async () => {
  const sql = await pretend(answerOnce((socket) => socket.resetAndDestroy()));
  await listen(sql);
  // The first failure is the socket's error, and its close comes later in the same turn of the event loop.
  const answers = listen(sql).catch((error) => Promise.allSettled([error, listen(sql)]));
  expect(await answers).toMatchObject([
    { value: { code: "ECONNRESET" } },
    { status: "rejected", reason: isClosed },
  ]);
  await sql.end();
});

test("after a connection broke during a query, the pool ends at once", async () => {
  const sql = await pretend((socket) => socket.destroy());
  await expect(listen(sql)).rejects.toMatchObject(isClosed);
  await sql.end();
});

test.each([
  ["a row", [columns, row("1")]],
  ["an error", [failure]],
])("after a connection broke behind %s, the next query gets only its own answer", async (_, beginning) => {
  let queries = 0;
  const sql = await pretend((socket) => {
    queries += 1;
    if (queries === 1) socket.end(Buffer.concat(beginning));
    else socket.write(Buffer.concat([columns, row("2"), done("SELECT 1")]));
  });
  await expect(listen(sql)).rejects.toMatchObject(isClosed);
  expect(await listen(sql)).toEqual([{ n: "2" }]);
  await sql.end();
});

test("a connection that breaks while reading the types fails only the query", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  const sql = await pretend((socket) => socket.destroy(), { fetch_types: true });
  await expect(listen(sql)).rejects.toMatchObject(isClosed);
  await sql.end();
  await pause(0);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test("a pool that does not end in time closes its sockets to a silent server", async () => {
  let client: Socket | undefined;
  const sql = await pretend(() => {}, {
    socket: async ({ host: [host], port: [port] }: { host: string[]; port: number[] }) => {
      client = connect(port!, host);
      await once(client, "connect");
      return client;
    },
  });
  server.on("connection", (socket) => (socket.allowHalfOpen = true));
  const unanswered = listen(sql);
  unanswered.catch(() => {});
  await vi.waitFor(() => expect(client?.bytesWritten).toBeGreaterThan(0), { timeout: 60_000 });
  await sql.end({ timeout: 0 });
  await expect(unanswered).rejects.toMatchObject({ code: "CONNECTION_DESTROYED" });
  expect(client?.destroyed).toBe(true);
});

test("a transaction sends its settings in one message with its BEGIN", async () => {
  const received: string[] = [];
  const sql = await pretend((socket, query) => {
    received.push(query.slice(5, -1));
    const isCommit = query.includes("commit");
    socket.write(Buffer.concat([complete("SET"), message("Z", isCommit ? "I" : "T")]));
  });
  const settings = "; set local lock_timeout = 4000; set local idle_in_transaction_session_timeout = 5000";
  await sql.begin(settings, () => Promise.resolve());
  expect(received[0]).toBe(`begin ${settings}`);
  expect(received).toHaveLength(2);
  await sql.end();
});

test("a copy refused at its end by the server fails its stream", async () => {
  const sql = await pretend((socket, query) => {
    // CopyDone, which the client sends after its rows.
    if (query.includes("c\0\0\0\x04")) socket.write(Buffer.concat([message("E", "C23503\0\0"), ready]));
    else if (query.includes("copy")) socket.write(message("G", Buffer.alloc(3)));
    else if (query.includes("listen")) socket.write(done("LISTEN"));
  });
  const into = await sql`copy titles from stdin`.writable();
  await expect(finished(into.end("1\n"))).rejects.toMatchObject({ code: "23503" });
  expect(await listen(sql)).toEqual([]);
  await sql.end();
});

test("a copy whose end arrives separately from its rows lets the next query through", async () => {
  const rows = message("d", Buffer.alloc(60_000, "x"));
  const sql = await pretend(async (socket, query) => {
    if (query.includes("copy")) {
      socket.write(Buffer.concat([message("H", Buffer.alloc(3)), rows, rows, message("c")]));
      await pause(50);
      socket.write(done("COPY 2"));
    } else socket.write(done("LISTEN"));
  });
  const copied = await buffer(await sql`copy titles to stdout`.readable());
  expect(copied.length).toBe(120_000);
  expect(await listen(sql)).toEqual([]);
  await sql.end();
});

import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { afterEach, expect, test } from "vitest";

/** The driver as `db/mend-driver.ts` repairs it, before a server that breaks off and dawdles where it hurts. */

const message = (type: string, body: Buffer | string = "") => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(Buffer.byteLength(body) + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const ready = message("Z", "I");
const hello = Buffer.concat([message("R", Buffer.alloc(4)), ready]);

let server: Server;
afterEach(() => {
  server.close();
});

/** Lets everybody in and leaves every question to `answer`. */
async function pretend(answer: (socket: Socket, question: string) => void, options = {}) {
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(hello);
      socket.on("data", (data) => answer(socket, data.toString()));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return postgres({
    host: "127.0.0.1",
    port,
    user: "test",
    pass: "",
    max: 1,
    ssl: false,
    fetch_types: false,
    ...options,
  });
}

test("a copy whose end comes apart from its rows lets the next question through", async () => {
  const row = message("d", Buffer.alloc(60_000, "x"));
  const sql = await pretend(async (socket, question) => {
    if (question.includes("copy")) {
      socket.write(Buffer.concat([message("H", Buffer.alloc(3)), row, row, message("c")]));
      await pause(50);
      socket.write(Buffer.concat([message("C", "COPY 2\0"), ready]));
    } else socket.write(Buffer.concat([message("C", "LISTEN\0"), ready]));
  });
  const copied = await buffer(await sql`copy titles to stdout`.readable());
  expect(copied.length).toBe(120_000);
  expect(await sql`listen changes`.simple()).toEqual([]);
  await sql.end();
});

test("after a connection broke under a question, the pool ends at once", async () => {
  const sql = await pretend((socket) => socket.destroy());
  await expect(sql`listen changes`.simple()).rejects.toThrow();
  await sql.end();
});

test("a connection that breaks while it learns the types fails the question and nothing else", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  const sql = await pretend((socket) => socket.destroy(), { fetch_types: true });
  await expect(sql`listen changes`.simple()).rejects.toThrow();
  await sql.end();
  await pause(0);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

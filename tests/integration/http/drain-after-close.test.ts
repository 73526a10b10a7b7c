import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { signalIn } from "#app/http/context.server.ts";
import { drainOf } from "#app/http/server/listen.server.ts";
import { respondWithNode } from "#app/http/server/node-body.server.ts";
import { mebibytes } from "#app/platform/units.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { openSocket } from "#tests/support/requests/raw-http.ts";
import { open } from "#tests/support/site/on-port.ts";
import { listenTinySite } from "#tests/support/site/tiny-site.ts";

test("a client that leaves while its requests are queued does not delay the drain", async () => {
  let begun = 0;
  const site = await listenTinySite({
    routes: {
      waits: ({ context }) =>
        new Promise((resolve) => {
          begun++;
          signalIn(context).addEventListener("abort", () => resolve(new Response()));
        }),
    },
  });
  const drain = drainOf(site.server);
  const socket = await openSocket(site.port);
  socket.write("GET /waits HTTP/1.1\r\nHost: a\r\n\r\n".repeat(5));
  await until(() => begun === 1);
  socket.destroy();
  // The clock stands still, so the drain's ten seconds for an answer never pass.
  vi.useFakeTimers({ toFake: ["performance"] });
  await expect(drain("SIGINT", new AbortController().signal)).resolves.toBeUndefined();
});

test("a write sent by a proxy on an idle connection after the site stopped listening is answered, then the connection ends", async () => {
  const site = await listenTinySite({
    routes: { writes: async ({ request }) => new Response(`wrote ${await request.text()}`) },
  });
  const socket = await openSocket(site.port);
  let answers = "";
  socket.on("data", (chunk) => {
    answers += chunk;
  });
  const write = (text: string) =>
    socket.write(`POST /writes HTTP/1.1\r\nHost: a\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  write("one");
  await until(() => answers.includes("wrote one"));
  expect(answers).not.toMatch(/connection: close/i);

  const drained = drainOf(site.server)("SIGTERM", new AbortController().signal);
  await until(() => !site.server.listening);
  answers = "";
  write("two");
  await once(socket, "end");
  expect(answers).toContain("wrote two");
  expect(answers).toMatch(/connection: close/i);
  await drained;
});

test("the drain sends the rest of an answer whose client reads slowly", async () => {
  const size = mebibytes(8);
  const site = await listenTinySite({
    routes: {
      large: ({ context }) =>
        respondWithNode(context, Buffer.alloc(size), { headers: { "Content-Length": String(size) } }),
    },
  });
  const answer = await open(`${site.origin}/large`);
  const drained = drainOf(site.server)("SIGINT", new AbortController().signal);
  await until(() => !site.server.listening);
  expect((await buffer(answer)).byteLength).toBe(size);
  await drained;
});

test("the drain closes an unused idle connection", async () => {
  const site = await listenTinySite({ routes: {} });
  const socket = await openSocket(site.port);
  const closed = once(socket.resume(), "close");
  await drainOf(site.server)("SIGTERM", new AbortController().signal);
  await closed;
});

import { Readable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { respondWithNode } from "#app/http/server/node-body.server.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { open } from "#tests/support/site/on-port.ts";
import { listenTinySite } from "#tests/support/site/tiny-site.ts";

/** Clients that open films, or the data of pages, without reading them. 127.0.0.1 and 127.0.0.2 are two clients. */

let openFilms = 0;
const film = () => {
  openFilms++;
  const body = new Readable({
    read() {
      this.push(Buffer.alloc(64 * 1024));
    },
  });
  return body.once("close", () => {
    openFilms--;
  });
};

let openData = 0;
/** The data of a page, as React Router sends it to the browser. */
const pageData = () => {
  openData++;
  return new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    cancel() {
      openData--;
    },
  });
};

const site = await listenTinySite(
  {
    routes: {
      film: ({ context }) => respondWithNode(context, film()),
      data: () => new Response(pageData(), { headers: { "Content-Type": "text/x-script" } }),
      other: () => Response.json("whole"),
    },
  },
  { connections: null },
);
const answers: Awaited<ReturnType<typeof open>>[] = [];
afterEach(() => {
  for (const answer of answers) answer.destroy();
});

async function ask(path: string, localAddress: string) {
  const answer = await open(`${site.origin}${path}`, { localAddress });
  answers.push(answer);
  return answer;
}

test.each([
  ["films", "/film", () => openFilms],
  ["pages' data", "/data", () => openData],
])(
  "a client that reads hundreds of %s slowly gets 503 for more, keeps its other answers, and takes nothing from others",
  async (_what, path, countOpen) => {
    const asked = await Promise.all(Array.from({ length: 400 }, () => ask(path, "127.0.0.1")));
    const refused = asked.filter(({ statusCode }) => statusCode === 503);
    expect(asked.filter(({ statusCode }) => statusCode === 200)).toHaveLength(countOpen());
    expect(countOpen()).toBeLessThanOrEqual(100);
    expect(refused).toHaveLength(400 - countOpen());
    expect(refused[0]?.headers["retry-after"]).toBe("2");
    expect((await ask("/other", "127.0.0.1")).statusCode).toBe(200);
    const other = await ask(path, "127.0.0.2");
    expect(other.statusCode).toBe(200);

    for (const answer of asked) answer.destroy();
    await until(() => countOpen() === 1);
    expect((await ask(path, "127.0.0.1")).statusCode).toBe(200);
  },
);

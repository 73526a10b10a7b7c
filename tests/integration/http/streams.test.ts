import { Readable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { respondWithNode } from "#app/http/server/node-body.server.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { open } from "#tests/support/site/on-port.ts";
import { listenTinySite } from "#tests/support/site/tiny-site.ts";

/** Clients that open films without reading them. 127.0.0.1 and 127.0.0.2 are two clients. */

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

const site = await listenTinySite(
  { routes: { film: ({ context }) => respondWithNode(context, film()), page: () => new Response("page") } },
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

test("a client that reads hundreds of films slowly gets 503 for more, keeps its pages, and takes nothing from others", async () => {
  const asked = await Promise.all(Array.from({ length: 400 }, () => ask("/film", "127.0.0.1")));
  const refused = asked.filter(({ statusCode }) => statusCode === 503);
  expect(asked.filter(({ statusCode }) => statusCode === 200)).toHaveLength(openFilms);
  expect(openFilms).toBeLessThanOrEqual(100);
  expect(refused).toHaveLength(400 - openFilms);
  expect(refused[0]?.headers["retry-after"]).toBe("2");
  expect((await ask("/page", "127.0.0.1")).statusCode).toBe(200);
  expect((await ask("/film", "127.0.0.2")).statusCode).toBe(200);

  for (const answer of asked) answer.destroy();
  await until(() => openFilms === 1);
  expect((await ask("/film", "127.0.0.1")).statusCode).toBe(200);
});

import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request } = await import("#tests/support/site/in-process.ts");
const { db } = await import("#db/client.server.ts");
const { titles } = await import("#db/schema/catalog.ts");

/** This file has no second test: the posters that the test does not wait for are never drawn, because the process ends. */
test("of 400 posters at once, those that cannot wait to be drawn are simple SVGs, not errors", async ({
  task,
}) => {
  const lost = Array.from({ length: 400 }, (_, at) => ({
    malId: 100 + at,
    title: `Lost ${at}`,
    titleKey: `lost ${at}`,
    imageWebp: `http://127.0.0.1:1/${at}.jpg`,
  }));
  await db.insert(titles).values(lost);
  const answers: Response[] = [];
  const startedAt = performance.now();
  for (let id = 100; id < 500; id++) request(`/poster/${id}.webp?w=1`).then((answer) => answers.push(answer));
  // The queue holds half of the posters. The others are answered at once. The count includes a few posters that waited
  // in the queue.
  await expect.poll(() => answers.length).toBeGreaterThan(230);
  figure(task.name, "230 of 400 posters come after", performance.now() - startedAt, "ms");
  const types = answers.map((answer) => `${answer.status} ${answer.headers.get("Content-Type")}`);
  expect(new Set(types)).toEqual(new Set(["200 image/webp", "200 image/svg+xml"]));
  const sketch = answers.find((answer) => answer.headers.get("Content-Type") === "image/svg+xml");
  expect(sketch?.headers.get("Cache-Control")).toMatch(/max-age=10\b/);
});

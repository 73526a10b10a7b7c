import sharp from "sharp";
import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { request } from "#tests/support/site/in-process.ts";

async function convert(body: Buffer, query: string) {
  const response = await request(`/api/proxy?${query}`, { method: "POST", body: body as BodyInit });
  return { bytes: Buffer.from(await response.arrayBuffer()) };
}

test("converting a very large image gives the largest size that the format can hold", async ({ task }) => {
  const long = await plainPng(20_000, 20, "#246");
  expect(await sharp((await convert(long, "w=0")).bytes).metadata()).toMatchObject({ width: 16_383 });
  const large = await sharp({ create: { width: 6000, height: 4000, channels: 3, background: "#246" } })
    .jpeg()
    .toBuffer();
  const startedAt = performance.now();
  const avif = await sharp((await convert(large, "w=4096&format=avif&q=1")).bytes).metadata();
  figure(task.name, "an AVIF of 11 megapixels", performance.now() - startedAt, "ms");
  expect(avif).toMatchObject({ width: 4096, height: 2731 });
});

import { once } from "node:events";
import { expect, test } from "vitest";
import { JoinedWrites } from "#app/http/server/joined-writes.server.ts";

const listen = (body: JoinedWrites) => {
  const pieces: string[] = [];
  body.on("data", (piece) => pieces.push(String(piece)));
  return pieces;
};

test("parts written between two flushes become one piece", async () => {
  const body = new JoinedWrites();
  const pieces = listen(body);
  for (const piece of ["<p>", "ä", new Uint8Array([33])]) body.write(piece);
  body.flush();
  body.write("second");
  body.flush();
  body.flush();
  body.write("last");
  body.end("!");
  await once(body, "end");
  expect(pieces).toEqual(["<p>ä!", "second", "last!"]);
});

test("a piece waits until the previous one is read", async () => {
  const body = new JoinedWrites();
  const large = "x".repeat(100_000);
  for (const piece of [large, "second"]) {
    body.write(piece);
    body.flush();
  }
  expect(body.readableLength).toBe(large.length);
  expect(body.writableLength).toBeGreaterThan(0);
  const pieces = listen(body);
  // No later write would trigger it.
  await expect.poll(() => pieces).toEqual([large, "second"]);
});

test("a part larger than the buffer continues after the reader has read", async () => {
  const body = new JoinedWrites();
  const sizes = [100_000, 2_000_000];
  for (const size of sizes) {
    body.write("x".repeat(size));
    body.flush();
  }
  expect(body.writableNeedDrain).toBe(true);
  const drained = once(body, "drain");
  const pieces = listen(body);
  await drained;
  await expect.poll(() => pieces.map(({ length }) => length)).toEqual(sizes);
});

test("a page whose reader has left closes", async () => {
  const body = new JoinedWrites();
  body.on("error", () => {});
  body.write("x".repeat(100_000));
  body.flush();
  body.write("second");
  body.destroy();
  await once(body, "close");
  expect(body.write("third")).toBe(false);
});

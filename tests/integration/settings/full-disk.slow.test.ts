import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainPng } from "#tests/support/data/plain-picture.ts";

/** MIN_FREE_DISK is set to ten terabytes, so that the disk counts as nearly full. */
process.env.MIN_FREE_DISK = "10000000";
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { someTitle } = await import("#tests/support/data/database-rows.ts");
const { registry } = await import("#app/platform/metrics.server.ts");

const files = (folder: string) => {
  const path = join(process.env.DATA_DIR ?? "", folder);
  return existsSync(path) ? readdirSync(path, { recursive: true }) : [];
};

test("on a nearly full disk, an upload gets 507 before anything is stored, and posters are drawn but not cached", async () => {
  const member = await newMember();
  const picture = await plainPng(9, 9, "red");
  for (const image of [picture.toString("base64"), "https://example.org/me.png"]) {
    const response = await member.request("/api/uploadImage", { json: { image, filename: "me.png" } });
    expect(response.status).toBe(507);
    expect(await response.json()).toMatchObject({
      status: 507,
      error: expect.stringContaining("nearly full"),
    });
  }
  for (const path of ["/api/user/watchList/import", "/api/user/import"])
    expect((await member.request(path, { method: "POST", json: {} })).status).toBe(507);
  const poster = await new Visitor().request(`/poster/${await someTitle()}.webp?w=160`);
  expect([poster.status, (await poster.arrayBuffer()).byteLength > 100]).toEqual([200, true]);
  expect([files("images"), files("image-cache"), files("uploads")]).toEqual([[], [], []]);
});

test("the operator's first page and the metrics say that the disk is nearly full", async () => {
  const operator = await newOperator();
  expect(await (await operator.request("/admin")).text()).toContain("less than 10000000 MB (MIN_FREE_DISK)");
  const text = await registry.metrics();
  expect(Number(/^engawa_disk_free_bytes (\d+)/m.exec(text)?.[1])).toBeGreaterThan(0);
  expect(text).toContain(`engawa_disk_free_min_bytes ${10_000_000 * 1024 * 1024}`);
});

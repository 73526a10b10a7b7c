import { gzipSync } from "node:zlib";
import type { Page, Request } from "playwright";
import { expect } from "vitest";

/** What a page may cost before the player. */
export const mostScriptBytes = 120_000;

/** Compressed bytes of all script that a page asks for, however late. */
export async function scriptBytes(page: Page, address: string): Promise<number> {
  const scripts = new Set<string>();
  const note = (request: Request) => {
    if (request.resourceType() === "script" || request.url().endsWith(".js")) scripts.add(request.url());
  };
  page.on("request", note);
  await page.goto(address, { waitUntil: "networkidle" });
  page.off("request", note);
  const sizes = await Promise.all(
    [...scripts].map(async (url) => gzipSync(await (await fetch(url)).bytes(), { level: 9 }).byteLength),
  );
  expect(scripts.size).toBeGreaterThan(1);
  return sizes.reduce((sum, size) => sum + size, 0);
}

import { gzipSync } from "node:zlib";
import type { Page, Request } from "playwright";
import { expect } from "vitest";

/** The limit for all scripts of a first visit, except the player. */
export const maxScriptBytes = 140_000;
/**
 * The limit for members, whose pages have forms and menus on cards that visitors do not see. Returning members have
 * most scripts in their browser's cache.
 */
export const maxMemberScriptBytes = 146_000;

/** Notes the scripts that a page requests. `bytes` returns their compressed bytes since the last `clear`. */
export function noteScripts(page: Page) {
  const scripts = new Set<string>();
  const note = (request: Request) => {
    if (request.resourceType() === "script" || request.url().endsWith(".js")) scripts.add(request.url());
  };
  page.on("request", note);
  return {
    clear: () => scripts.clear(),
    stop: () => void page.off("request", note),
    async bytes() {
      expect(scripts.size).toBeGreaterThan(1);
      let sum = 0;
      for (const url of scripts) {
        const bytes = known.get(url) ?? (await compressedBytes(url));
        known.set(url, bytes);
        sum += bytes;
      }
      return sum;
    },
  };
}

/** The compressed bytes of all scripts that a page requests until the network is idle. */
export async function scriptBytes(page: Page, pageUrl: string): Promise<number> {
  const scripts = noteScripts(page);
  await page.goto(pageUrl, { waitUntil: "networkidle" });
  scripts.stop();
  return scripts.bytes();
}

/** Pages share most of their scripts. */
const known = new Map<string, number>();

const compressedBytes = async (url: string) =>
  gzipSync(await (await fetch(url)).bytes(), { level: 9 }).byteLength;

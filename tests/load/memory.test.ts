import sharp from "sharp";
import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { totalMiB } from "#tests/support/site/memory.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A site with MEMORY=512 while strangers send the requests that cost most. Its figure should stay below 512. */

const memory = 512;
const site = await startSite({ MEMORY: String(memory), RATE_LIMIT_POINTS: "100000" }, { isQuiet: true });

const post = (path: string, type: string, body: BodyInit, cookie = "") =>
  fetch(site.origin + path, {
    method: "POST",
    body,
    headers: { "Content-Type": type, Origin: site.origin, Cookie: cookie },
  });

/** A drawing of 23 megapixels as a small file. */
const largePicture = (format: "webp" | "png" | "jpeg") => {
  const gradient = `<linearGradient id="a"><stop stop-color="#123"/><stop offset="1" stop-color="#fc8"/></linearGradient>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="4800" height="4800"><defs>${gradient}</defs><rect width="100%" height="100%" fill="url(#a)"/></svg>`;
  return sharp(Buffer.from(svg)).toFormat(format).toBuffer();
};

test("with MEMORY=512, 60 large pictures of each format and 60 imports at the same time are answered", async () => {
  const { cookie } = await signUpAt(site.origin, "importer@example.org");
  const pictures = await Promise.all((["jpeg", "png", "webp"] as const).map(largePicture));
  const entry = { mal_id: 1, type: "Watching", notes: "n".repeat(200) };
  const list = JSON.stringify({
    format: "engawa-list",
    entries: Array.from({ length: 32_000 }, () => entry),
  });
  let most = 0;
  const sampling = setInterval(() => {
    most = Math.max(most, totalMiB(site.process, site.dataDir));
  }, 100);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) => [
      ...pictures.map((picture) => post(`/api/proxy?w=${200 + at}`, "image/png", new Uint8Array(picture))),
      post("/api/user/watchList/import", "application/json", list, cookie),
    ]).flat(),
  );
  clearInterval(sampling);
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses).toContain(200);
  expect(statuses).not.toContain(500);
  expect((await fetch(`${site.origin}/healthz`)).status).toBe(200);
  figure("memory", `all processes of a site with MEMORY=${memory}`, most, "MiB");
});

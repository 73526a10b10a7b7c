import { writeFileSync } from "node:fs";
import { type IncomingMessage, request as sendRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { generatedTitles } from "#tests/support/data/generated-titles.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { totalMiB } from "#tests/support/site/memory.ts";
import { type Site, startSite } from "#tests/support/site/site-process.ts";

/**
 * Forty exports of lists with 12,000 notes run at the same time, and an import of 32 MB beside them. Their clients read
 * slowly, so that all of them overlap. The site must not crash; its memory is recorded as a figure.
 */

const titleCount = 12_000;
const members = 10;
const clients = 40;
const firstId = 30_000_000;
/** A client that reads this much every tenth of a second takes some seconds to read its export. */
const bytesPerRead = 256 * 1024;

test.each([512, 1024])("a site with MEMORY=%i survives forty exports and a large import", async (memory) => {
  const site = await startSite({ MEMORY: String(memory), RATE_LIMIT_POINTS: "100000" }, { isQuiet: false });
  // The accounts are created one after another: on a busy machine, hashing many passwords at once is refused.
  const cookies: string[] = [];
  for (let at = 0; at < members; at++)
    cookies.push((await signUpAt(site.origin, `reader-${at}@example.org`)).cookie);
  await fillLists(site, cookies);
  const beganAt = performance.now();
  expect((await openList(site, cookies[0]!)).status).toBe(200);
  const pageMs = performance.now() - beganAt;
  let most = 0;
  const before = totalMiB(site.process, site.dataDir);
  const sampling = setInterval(() => {
    most = Math.max(most, totalMiB(site.process, site.dataDir));
  }, 100);
  const paths = ["/api/user/export", "/api/user/watchList/export", "/api/user/watchList"];
  const exports = Array.from({ length: clients }, (_, at) =>
    readSlowly(site, paths[at % paths.length]!, cookies[at % members]!, at % 2 === 0),
  );
  const importing = importList(site, largeFile(), cookies[0]!);
  const pages = cookies.map((cookie) => openList(site, cookie));
  const answers = await Promise.all(exports);
  const imported = await importing;
  const shownPages = await Promise.all(pages);
  clearInterval(sampling);
  expect((await fetch(`${site.origin}/healthz`)).status).toBe(200);
  expect(site.process.exitCode).toBeNull();
  const whole = answers.filter(({ status, isComplete }) => status === 200 && isComplete);
  const refused = answers.filter(({ status }) => status === 503);
  expect(whole.length).toBeGreaterThan(0);
  expect(whole.length + refused.length).toBe(clients);
  // Page requests from one address wait for each other, and one that would wait too long is refused with a retry
  // time.
  for (const { status, retryAfter } of shownPages)
    expect([status, retryAfter > 0]).toEqual(status === 200 ? [200, false] : [503, true]);
  const name = `exports, MEMORY=${memory}`;
  figure(name, "all processes before", before, "MiB");
  figure(name, "all processes at most", most, "MiB");
  figure(name, "exports and lists that were read", whole.length, "");
  figure(name, "exports and lists that were refused", refused.length, "");
  figure(name, "status of the import of 32 MB", imported, "");
  figure(
    name,
    "pages of lists that were shown",
    shownPages.filter(({ status }) => status === 200).length,
    "",
  );
  figure(name, "a page of a list before, alone", pageMs, "ms");
  await pause(5000);
  figure(name, "all processes five seconds later", totalMiB(site.process, site.dataDir), "MiB");
});

async function openList({ origin }: Site, cookie: string) {
  const page = await fetch(`${origin}/list`, { headers: { Cookie: cookie } });
  await page.text();
  return { status: page.status, retryAfter: Number(page.headers.get("Retry-After")) };
}

async function importList({ origin }: Site, body: string, cookie: string) {
  const response = await fetch(`${origin}/api/user/watchList/import`, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json", Origin: origin, Cookie: cookie },
  });
  await response.arrayBuffer();
  return response.status;
}

const entriesOf = (notes: string) =>
  Array.from({ length: titleCount }, (_, at) => ({ mal_id: firstId + at, type: "Watching", notes }));
const listFile = (entries: object[]) => JSON.stringify({ format: "engawa-list", version: 1, entries });

/** A file of the maximum size for an import. */
const largeFile = () => {
  const text = listFile(entriesOf("x".repeat(2600)));
  expect(text.length).toBeGreaterThan(31_000_000);
  expect(text.length).toBeLessThan(32 * 1024 * 1024);
  return text;
};

/** Imports the titles with the catalog's own import, and writes the lists through the API. */
async function fillLists(site: Site, cookies: string[]) {
  const titles = join(temporaryFolder("exports"), "titles.ndjson");
  writeFileSync(
    titles,
    generatedTitles(titleCount, firstId)
      .map((title) => JSON.stringify(title))
      .join("\n"),
  );
  runTool(site, "catalog-import", [titles]);
  const file = listFile(entriesOf("Something that I thought about it. ".repeat(15).slice(0, 500)));
  for (const cookie of cookies) expect(await importList(site, file, cookie)).toBe(200);
}

async function readSlowly({ origin }: Site, path: string, cookie: string, isCompressed: boolean) {
  const headers = { Cookie: cookie, ...(isCompressed && { "Accept-Encoding": "br" }) };
  const request = sendRequest(origin + path, { agent: false, headers }).end();
  return new Promise<{ status: number; isComplete: boolean }>((resolve) => {
    request.on("error", () => resolve({ status: 0, isComplete: false }));
    request.on("response", async (response: IncomingMessage) => {
      response.on("error", () => {});
      response.on("close", () =>
        resolve({ status: response.statusCode ?? 0, isComplete: response.complete }),
      );
      while (!response.destroyed && !response.readableEnded) {
        for (let read = 0; read < bytesPerRead; ) {
          const chunk = response.read() as Buffer | null;
          if (chunk === null) break;
          read += chunk.byteLength;
        }
        await pause(100);
      }
    });
  });
}

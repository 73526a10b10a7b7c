import { createReadStream, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright";
import { expect } from "vitest";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { failureNote, isReady, playOn, source, time } from "#tests/support/browser/player.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { addOperator, addSource } from "#tests/support/site/command-line-tools.ts";
import type { Site } from "#tests/support/site/running-site.ts";

/** Sources that fail in different ways, each beside one that plays. */

export const publicFilms = resolve("public/film/1");
export const bebop = 1;
const operator = { email: "operator@example.org", password: "Abc123!x" };

/** An upstream that answers 403 after `isExpired` is set, and always for the paths that `refused` matches. */
export async function startExpiring(folder: string, refused = /^$/) {
  const state = { isExpired: false, refusals: 0 };
  const upstream = await startUpstream((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    if (!state.isExpired && !refused.test(path)) return serveFile(join(folder, path), request, response);
    state.refusals++;
    response.writeHead(403).end("expired");
  });
  return Object.assign(state, { origin: upstream.origin });
}

/** A request for an open range gets only so many bytes, so that the player cannot load the whole file before it expires. */
const sentBytes = 400_000;

export function serveFile(path: string, request: IncomingMessage, response: ServerResponse) {
  const { size } = statSync(path);
  const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? [];
  const [start, end] = [Number(from), to === "" ? size - 1 : Number(to)];
  response.writeHead(request.headers.range ? 206 : 200, {
    "Content-Length": end - start + 1,
    "Content-Range": `bytes ${start}-${end}/${size}`,
    "Accept-Ranges": "bytes",
  });
  const isWhole = to !== "" || size - start < sentBytes;
  createReadStream(path, { start, end: isWhole ? end : start + sentBytes }).pipe(response, { end: isWhole });
}

export function offerBoth(site: Site, episode: number, first: { url: string; type: string }) {
  addSource(site, { title: bebop, episode, ...first, label: "Far away" });
  addSource(site, { title: bebop, episode, url: "/film/1/film.webm", type: "webm", label: "Close by" });
}

export async function openFilm(
  browser: Browser,
  site: Site,
  path: string,
): Promise<{ page: Page; trouble: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const trouble = watchForTrouble(page, site.origin);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  return { page, trouble };
}

const expired = "The link to this source has expired, or its server does not allow access.";

/** Plays the next source in the place where the first one expired. */
export const continuesAfterExpiry = (page: Page, from: number) =>
  continuesWithNextSource(page, expired, from);

/** Expects the player's message about the failed source, and that the other source continues at the same position. */
export async function continuesWithNextSource(page: Page, message: string, from: number) {
  const note = failureNote(page);
  await note.filter({ hasText: message }).waitFor();
  await note.getByRole("button", { name: "Try Close by" }).click();
  await note.waitFor({ state: "hidden" });
  // Until the source changes, what was loaded of the failed one is still ready.
  await expect.poll(() => source(page)).toMatch(/\/film\/1\/film\.webm$/);
  await isReady(page);
  await expect.poll(() => time(page)).toBeGreaterThanOrEqual(from);
  await playOn(page);
}

type FailedPlay = [title: string, episode: string, reason: string, address: string];

/** Expects these rows in the operator's list of failed plays. */
export async function expectFailedPlays(browser: Browser, site: Site, rows: readonly FailedPlay[]) {
  addOperator(site, operator.email, operator.password);
  const { page } = await openFilm(browser, site, "/signin?redirectTo=/admin");
  await page.getByLabel("E-mail address").fill(operator.email);
  await page.getByLabel("Password", { exact: true }).fill(operator.password);
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Failed plays" }).waitFor();
  const local = /^http:\/\/127\.0\.0\.1:\d+\//;
  const failures = async () => {
    await page.reload();
    const listed = await page
      .getByRole("row")
      .evaluateAll((all) => all.slice(1).map((row) => [...row.children].map((cell) => cell.textContent)));
    return listed.map(([, title, episode, reason, address]) => [
      title,
      episode,
      reason,
      address?.replace(local, ""),
    ]);
  };
  // The report of the last failure may still be under way.
  await expect.poll(failures).toEqual(expect.arrayContaining([...rows]));
}

import { createReadStream, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import {
  failureNote,
  isAt,
  isPaused,
  isReady,
  patient,
  play,
  playOn,
  seek,
  showsEpisode,
  source,
  time,
  videoOf,
} from "#tests/support/browser/player.ts";
import { encodedOnce } from "#tests/support/data/encoded-once.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { addOperator, addSource } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Slow player behavior: every way a source can fail, qualities, and the countdown to the next episode. */

const [browser, site] = await Promise.all([
  openBrowser(),
  startSite({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1", RATE_LIMIT_VIDEO_POINTS: "1000" }),
]);
const films = resolve("public/film/1");
const bebop = 1;
const operator = { email: "operator@example.org", password: "Abc123!x" };

/** An upstream that answers 403 after `isExpired` is set, and always for the paths that `refused` matches. */
async function startExpiring(folder: string, refused = /^$/) {
  const state = { isExpired: false, refusals: 0 };
  const upstream = await startUpstream((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    if (!state.isExpired && !refused.test(path)) return serve(join(folder, path), request, response);
    state.refusals++;
    response.writeHead(403).end("expired");
  });
  return Object.assign(state, { origin: upstream.origin });
}

/** A request for an open range gets only so many bytes, so that the player cannot load the whole file before it expires. */
const sentBytes = 400_000;

function serve(path: string, request: IncomingMessage, response: ServerResponse) {
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

function offer(episode: number, first: { url: string; type: string }) {
  addSource(site, { title: bebop, episode, ...first, label: "Far away" });
  addSource(site, { title: bebop, episode, url: "/film/1/film.webm", type: "webm", label: "Close by" });
}

async function watch(path: string): Promise<{ page: Page; trouble: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(patient.timeout);
  const page = await context.newPage();
  const trouble = watchForTrouble(page, site.origin);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  return { page, trouble };
}

/** Expects the player's message about the failed source, and that the other source continues at the same position. */
async function continuesWithNextSource(page: Page, message: string, from: number) {
  const note = failureNote(page);
  await note.filter({ hasText: message }).waitFor({ timeout: 60_000 });
  await note.getByRole("button", { name: "Try Close by" }).click();
  await note.waitFor({ state: "hidden" });
  // Until the source changes, what was loaded of the failed one is still ready.
  await expect.poll(() => source(page), patient).toMatch(/\/film\/1\/film\.webm$/);
  await isReady(page);
  await expect.poll(() => time(page), patient).toBeGreaterThanOrEqual(from);
  await playOn(page);
}

/** Records every number in the page: each is visible for one second, and a busy machine could miss it by polling. */
async function countdown(page: Page) {
  const numbers = await page.evaluateHandle(() => {
    const seen: number[] = [];
    const look = () => {
      const shown = /Starts in ([1-9])/.exec(document.body.textContent ?? "")?.[1];
      if (shown !== undefined && seen.at(-1) !== Number(shown)) seen.push(Number(shown));
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return seen;
  });
  return () => numbers.jsonValue();
}

const hasH264 = (page: Page) =>
  page.evaluate(() => MediaSource.isTypeSupported('video/mp4; codecs="avc1.64001f,mp4a.40.2"'));

describe("when a source fails, the player shows the reason and continues with the next source", () => {
  test("after a stream expires during playback", async () => {
    const upstream = await startExpiring(films, /\/0(?:0[4-9]|[12]\d)\.m4s$/);
    offer(1, { url: `${upstream.origin}/master.m3u8`, type: "hls" });
    const { page, trouble } = await watch(`/watch/${bebop}/1`);
    expect(await hasH264(page)).toBe(true);
    await isReady(page);
    await play(page);
    // The player has buffered the start, so refused segments must not disturb it yet.
    await expect.poll(() => upstream.refusals, patient).toBeGreaterThanOrEqual(4);
    expect(await failureNote(page).count()).toBe(0);
    await seek(page, 100);
    await continuesWithNextSource(
      page,
      "The link to this source has expired, or its server does not allow access.",
      99,
    );
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test("not after a failure of a stream whose server answers again", async () => {
    let isBack = false;
    let refusals = 0;
    const upstream = await startUpstream((request, response) => {
      const path = new URL(request.url ?? "/", "http://x").pathname;
      // The player has given up, and asks for the reason.
      isBack ||= request.headers.range === "bytes=0-0";
      if (isBack || !path.endsWith(".m4s")) return serve(join(films, path), request, response);
      refusals++;
      response.writeHead(503).end("later");
    });
    offer(5, { url: `${upstream.origin}/master.m3u8`, type: "hls" });
    const { page } = await watch(`/watch/${bebop}/5`);
    await expect.poll(() => refusals, patient).toBeGreaterThan(2);
    await isReady(page);
    expect(await failureNote(page).count()).toBe(0);
    expect(await source(page)).toMatch(/^blob:/);
    await play(page);
    await page.context().close();
  });

  test("after a file expires during playback", async () => {
    const upstream = await startExpiring(films);
    offer(2, { url: `${upstream.origin}/film.webm`, type: "webm" });
    const { page, trouble } = await watch(`/watch/${bebop}/2`);
    await isReady(page);
    await play(page);
    upstream.isExpired = true;
    await seek(page, 110);
    await continuesWithNextSource(
      page,
      "The link to this source has expired, or its server does not allow access.",
      109,
    );
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test("after a source does not answer in time", async () => {
    const silent = await startUpstream(() => {});
    offer(3, { url: `${silent.origin}/film.webm`, type: "webm" });
    const { page } = await watch(`/watch/${bebop}/3`);
    await continuesWithNextSource(page, "The source does not answer in time.", 0);
    await page.context().close();
  });

  test("by itself after the browser does not support the video codec", async () => {
    const picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=4"];
    const folder = encodedOnce({
      commands: [["ffmpeg", "-v", "error", ...picture, "-c:v", "mpeg4", "old.mp4"]],
    });
    const upstream = await startExpiring(folder);
    offer(4, { url: `${upstream.origin}/old.mp4`, type: "file" });
    const { page } = await watch(`/watch/${bebop}/4`);
    await expect.poll(() => source(page), patient).toMatch(/\/film\/1\/film\.webm$/);
    await isReady(page);
    await page.context().close();
  });

  test("the operator's list of failed plays has each failure with its reason", async () => {
    addOperator(site, operator.email, operator.password);
    const { page } = await watch("/signin?redirectTo=/admin");
    await page.getByLabel("E-mail address").fill(operator.email);
    await page.getByLabel("Password", { exact: true }).fill(operator.password);
    await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Failed plays" }).waitFor();
    const local = /^http:\/\/127\.0\.0\.1:\d+\//;
    const failures = async () => {
      await page.reload();
      const rows = await page
        .getByRole("row")
        .evaluateAll((all) => all.slice(1).map((row) => [...row.children].map((cell) => cell.textContent)));
      return rows.map(([, title, episode, reason, address]) => [
        title,
        episode,
        reason,
        address?.replace(local, ""),
      ]);
    };
    // The report of the last failure may still be under way.
    await expect.poll(failures).toEqual(
      expect.arrayContaining([
        ["Cowboy Bebop", "4", "unsupported", "old.mp4"],
        ["Cowboy Bebop", "3", "slow", "film.webm"],
        ["Cowboy Bebop", "2", "expired", "film.webm"],
      ]),
    );
    await page.context().close();
  });
});

describe("the starter catalog's film, played by HLS", () => {
  test("the chosen quality applies, stays for the next episode, and can be set back to automatic", async () => {
    const { page, trouble } = await watch("/watch/900000001/1");
    expect(await hasH264(page)).toBe(true);
    await isReady(page);
    const height = () => videoOf(page).evaluate((video: HTMLVideoElement) => video.videoHeight);
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    const quality = page.getByLabel("Quality");
    for (const [lines, second] of [
      ["360", 60],
      ["720", 90],
    ] as const) {
      await quality.selectOption(`${lines}p`);
      await seek(page, second);
      await isAt(page, second);
      await expect.poll(height, patient).toBe(Number(lines));
    }
    await quality.selectOption("360p");
    await page.goto(`${site.origin}/watch/900000001/2`);
    await hydrated(page);
    await isReady(page);
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    await expect.poll(() => quality.inputValue()).toBe("360");
    await expect.poll(height, patient).toBe(360);
    await quality.selectOption("Automatic");
    await expect.poll(() => quality.inputValue()).toBe("auto");
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test("at the end a countdown starts the next episode, unless the viewer cancels it", async () => {
    const { page } = await watch("/watch/900000001/1");
    await isReady(page);
    await play(page);
    const next = page.getByRole("region", { name: "Next episode" });
    // The press comes from the page: on a busy machine, the countdown could end before a press of the device.
    const cancelled = page.waitForFunction(() => {
      const card = document.querySelector(".player-next");
      const cancel = [...(card?.querySelectorAll("button") ?? [])].find(
        ({ textContent }) => textContent === "Cancel",
      );
      cancel?.click();
      return cancel && /Starts in \d/.test(card?.textContent ?? "");
    });
    await seek(page, 125);
    await cancelled;
    await next.waitFor({ state: "hidden" });
    expect(page.url()).toMatch(/\/1$/);
    const counted = await countdown(page);
    await page.getByRole("button", { name: "Play again" }).click();
    await seek(page, 125);
    await page.waitForURL("**/watch/900000001/2");
    expect(await counted()).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    await showsEpisode(page, 2);
    await isReady(page);
    await expect.poll(() => time(page), patient).toBeGreaterThan(0.3);
    expect(await isPaused(page)).toBe(false);
    await page.context().close();
  });
});

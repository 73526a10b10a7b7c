import { execFileSync } from "node:child_process";
import { createReadStream, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser.ts";
import {
  failureNote,
  isAt,
  isPaused,
  isReady,
  patient,
  play,
  seek,
  source,
  time,
  videoOf,
} from "#tests/support/player.ts";
import { startSite } from "#tests/support/site.ts";
import { temporaryFolder } from "#tests/support/temporary-folder.ts";
import { addOperator, addSource } from "#tests/support/tools.ts";
import { startUpstream } from "#tests/support/upstream.ts";
import { hydrated, watchForTrouble } from "#tests/support/visit.ts";

/** What takes a watcher's time: sources that fail in each of their ways, qualities, and a countdown to its end. */

const [browser, site] = await Promise.all([
  openBrowser(),
  startSite({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1", RATE_LIMIT_VIDEO_POINTS: "1000" }),
]);
const films = resolve("public/film/1");
const bebop = 1;
const boss = { email: "operator@example.org", password: "Abc123!x" };

/** Another's server, which lets nobody in from some moment on, or to some files. */
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

/** Sent without an end, so much of a file comes and then nothing: nobody has it all before it expires. */
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

/** The player has said why; the other source plays on from where the first one ended. */
async function goesOnElsewhere(page: Page, words: string, from: number) {
  const note = failureNote(page);
  await note.filter({ hasText: words }).waitFor({ timeout: 60_000 });
  await note.getByRole("button", { name: "Try Close by" }).click();
  await note.waitFor({ state: "hidden" });
  await isReady(page);
  expect(await source(page)).toMatch(/\/film\/1\/film\.webm$/);
  expect(await time(page)).toBeGreaterThanOrEqual(from);
  if (await isPaused(page)) await play(page);
}

/** Notes every number that is shown: each stands for a second alone, in which a busy machine may not look. */
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

describe("a source that fails says so in plain words, and the next one plays", () => {
  test("a stream that expires in mid-playback", async () => {
    const upstream = await startExpiring(films, /\/0(?:0[4-9]|[12]\d)\.m4s$/);
    offer(1, { url: `${upstream.origin}/master.m3u8`, type: "hls" });
    const { page, trouble } = await watch(`/watch/${bebop}/1`);
    expect(await hasH264(page)).toBe(true);
    await isReady(page);
    await play(page);
    // What has been loaded before still plays, undisturbed.
    await expect.poll(() => upstream.refusals, patient).toBeGreaterThanOrEqual(4);
    expect(await failureNote(page).count()).toBe(0);
    await seek(page, 100);
    await goesOnElsewhere(page, "The link to this source has expired or is not open to us.", 99);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test("a file that expires in mid-playback", async () => {
    const upstream = await startExpiring(films);
    offer(2, { url: `${upstream.origin}/film.webm`, type: "webm" });
    const { page, trouble } = await watch(`/watch/${bebop}/2`);
    await isReady(page);
    await play(page);
    upstream.isExpired = true;
    await seek(page, 110);
    await goesOnElsewhere(page, "The link to this source has expired or is not open to us.", 109);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test("one that does not answer", async () => {
    const silent = await startUpstream(() => {});
    offer(3, { url: `${silent.origin}/film.webm`, type: "webm" });
    const { page } = await watch(`/watch/${bebop}/3`);
    await goesOnElsewhere(page, "The source does not answer in time.", 0);
    await page.context().close();
  });

  test("a picture in a format that browsers do not know", async () => {
    const folder = temporaryFolder("old-format");
    const picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=4"];
    execFileSync("ffmpeg", ["-v", "error", ...picture, "-c:v", "mpeg4", join(folder, "old.mp4")]);
    const upstream = await startExpiring(folder);
    offer(4, { url: `${upstream.origin}/old.mp4`, type: "file" });
    const { page } = await watch(`/watch/${bebop}/4`);
    await goesOnElsewhere(page, "Your browser cannot play the format of this source.", 0);
    await page.context().close();
  });

  test("and the operator finds each of them with its reason", async () => {
    addOperator(site, boss.email, boss.password);
    const { page } = await watch("/signin?redirectTo=/admin");
    await page.getByLabel("E-mail address").fill(boss.email);
    await page.getByLabel("Password", { exact: true }).fill(boss.password);
    await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Failed plays" }).waitFor();
    const rows = await page
      .getByRole("row")
      .evaluateAll((all) => all.slice(1).map((row) => [...row.children].map((cell) => cell.textContent)));
    const told = rows.map(([, title, episode, reason, address]) => ({ title, episode, reason, address }));
    const local = /^http:\/\/127\.0\.0\.1:\d+\//;
    const expected = [
      ["4", "unsupported", "old.mp4"],
      ["3", "slow", "film.webm"],
      ["2", "expired", "film.webm"],
    ];
    for (const [episode, reason, file] of expected) {
      const row = told.find((one) => one.episode === episode);
      expect(row).toMatchObject({ title: "Cowboy Bebop", reason });
      expect(row?.address?.replace(local, "")).toBe(file);
    }
    await page.context().close();
  });
});

describe("the film of the house, as a stream", () => {
  test("its quality is chosen, kept for the next film, and left to the player again", async () => {
    const { page, trouble } = await watch("/watch/900000001/1");
    expect(await hasH264(page)).toBe(true);
    await isReady(page);
    const height = () => videoOf(page).evaluate((video: HTMLVideoElement) => video.videoHeight);
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    const quality = page.getByLabel("Quality");
    for (const [lines, place] of [
      ["360", 60],
      ["720", 90],
    ] as const) {
      await quality.selectOption(`${lines}p`);
      await seek(page, place);
      await isAt(page, place);
      await expect.poll(height, patient).toBe(Number(lines));
    }
    await quality.selectOption("360p");
    await page.goto(`${site.origin}/watch/900000001/2`);
    await isReady(page);
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    expect(await quality.inputValue()).toBe("360");
    await expect.poll(height, patient).toBe(360);
    await quality.selectOption("Automatic");
    expect(await quality.inputValue()).toBe("auto");
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  test("at its end the next episode is counted down to: called off once, then let come", async () => {
    const { page } = await watch("/watch/900000001/1");
    await isReady(page);
    await play(page);
    const next = page.getByRole("region", { name: "Next episode" });
    await seek(page, 125);
    await next.getByText(/Starts in \d seconds?/).waitFor();
    await next.getByRole("button", { name: "Cancel" }).click();
    await next.waitFor({ state: "hidden" });
    expect(page.url()).toMatch(/\/1$/);
    const counted = await countdown(page);
    await page.getByRole("button", { name: "Play again" }).click();
    await seek(page, 125);
    await page.waitForURL("**/watch/900000001/2");
    expect(await counted()).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    await isReady(page);
    await expect.poll(() => time(page), patient).toBeGreaterThan(0.3);
    expect(await isPaused(page)).toBe(false);
    await page.context().close();
  });
});

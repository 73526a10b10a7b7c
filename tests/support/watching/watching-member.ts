import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { signedIn } from "#tests/support/browser/my-list.ts";
import { hydrated, watchForTrouble } from "#tests/support/browser/pages.ts";
import { isReady, videoOf } from "#tests/support/browser/player.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import type { Site } from "#tests/support/site/running-site.ts";
import { demonstration } from "#tests/support/watching/films-and-viewers.ts";

/** A member watches an episode of the demonstration or of Cowboy Bebop, and the player acts by itself. */

export async function watchAsMember(browser: Browser, site: Site, path: string, preferences?: object) {
  const { context, page } = await signedIn({ browser, site, script: true });
  if (preferences)
    await context.request.post(`${site.origin}/api/saveUserPreferences`, { data: preferences });
  const trouble = watchForTrouble(page, site.origin);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  await isReady(page);
  return { page, trouble };
}

/** Seeks and plays without a key or a click, which would count as a sign of the viewer. */
export const playFromAlone = (page: Page, seconds: number) =>
  videoOf(page).evaluate(async (video: HTMLVideoElement, at) => {
    video.currentTime = at;
    await video.play();
  }, seconds);

/** The card of the next episode. */
export const nextCard = (page: Page) => page.getByRole("region", { name: "Next episode" });

/** The first episode of the demonstration gets an ending. */
export function addEnding(site: Site) {
  const segments = join(temporaryFolder("segments"), "segments.ndjson");
  const ending = { kind: "skip", mal_id: demonstration, number: 1, segment: "outro", start: 100, end: 120 };
  writeFileSync(segments, `${JSON.stringify(ending)}\n`);
  runTool(site, "catalog-import", [segments]);
}

/** Runs in the page. Each of the eight seconds before the next episode lasts only a moment. */
export function withShortCountdown() {
  const usual = globalThis.setTimeout;
  globalThis.setTimeout = ((work: () => void, ms?: number) =>
    usual(work, ms === 1000 ? 10 : ms)) as typeof globalThis.setTimeout;
}

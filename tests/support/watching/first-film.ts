import { appendFileSync, copyFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect } from "vitest";
import { hydrated } from "#tests/support/browser/pages.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A new operator with a folder of films sets up a new site in a browser, without a shell. */

/** Typical names in film collections. The starter catalog does not have all of these titles. */
export const filmNames = [
  ...[1, 2, 3, 4, 5].map((episode) => `[Group] Cowboy Bebop - 0${episode} [1080p].webm`),
  ...[1, 2, 3].map((episode) => `Fullmetal.Alchemist.Brotherhood.S01E0${episode}.720p.x264.webm`),
  ...[1, 2, 3].map((episode) => `Death Note/Death Note - Episode ${episode}.webm`),
  ...[10, 11, 12].map((episode) => `Steins;Gate/${episode}.webm`),
  "Sen to Chihiro no Kamikakushi (2001).webm",
  "Mononoke Hime [BD].webm",
  "[XYZ] Bleach - 366 (END).webm",
  "holiday at the lake.webm",
  "zz 4711.webm",
  "Cowboy Bebop - NCOP1.webm",
];

const longAgo = new Date("2024-01-01");

export function makeFilmFolder() {
  const folder = temporaryFolder("first-film");
  for (const sub of ["Death Note", "Steins;Gate"]) mkdirSync(join(folder, sub), { recursive: true });
  return {
    folder,
    fill() {
      for (const name of filmNames) {
        const file = join(folder, name);
        copyFileSync("public/film/1/film.webm", file);
        // Two films with the same bytes would count as one film that moved.
        appendFileSync(file, name);
        // A scan skips a film that is still being written.
        utimesSync(file, longAgo, longAgo);
      }
    },
    /** Adds a film that is still being copied. */
    addPart() {
      const film = readFileSync("public/film/1/film.webm");
      writeFileSync(join(folder, "Bleach - 12.webm"), film.subarray(0, film.length / 2));
    },
  };
}

/** Starts a site that other machines can reach, as in a container. Its setup asks for the code that the start prints. */
export async function startNewSite(films: string, dataDir?: string) {
  const site = await startSite({
    HOST: "0.0.0.0",
    SIGNUPS: "",
    FILMS: "",
    MEDIA_DIR: films,
    ...(dataDir !== undefined && { DATA_DIR: dataDir }),
  });
  const code = () => /\/setup#([\w-]{43})/.exec(site.said.join("\n"))?.[1] ?? "";
  await expect.poll(code).not.toBe("");
  return { origin: site.origin.replace("0.0.0.0", "127.0.0.1"), code: code() };
}

/** The page's script takes the code from the address. */
export async function openSetup(page: Page, { origin, code }: { origin: string; code: string }) {
  await page.goto(`${origin}/setup#${code}`);
  await expect.poll(() => page.url()).toBe(`${origin}/setup`);
  await hydrated(page);
}

export async function makeAccount(page: Page) {
  await page.getByLabel("Name").fill("Fresh Reader");
  await page.getByLabel("E-mail address").fill("reader@example.org");
  await page.locator('input[type="password"]').fill(goodPassword);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/admin/setup");
}

export const lastStep = (page: Page) => page.getByRole("link", { name: "Watch", exact: true }).click();
export const watchLink = (page: Page) => page.getByRole("link", { name: /^Watch .+, episode \d+$/ });

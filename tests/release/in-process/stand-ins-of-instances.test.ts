import { beforeAll, expect, test } from "vitest";
import { isAlive } from "#tests/support/checks/is-alive.ts";
import {
  addTitle,
  hold,
  isPrepared,
  offer,
  partNamedBy,
  release,
  runsOf,
  settings,
  transport,
  unfinishedIn,
} from "#tests/support/data/stand-ins.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Another instance of the site makes its own Matroska files of films that only ffmpeg reads. */

beforeAll(addTitle);

const dataDir = temporaryFolder("other-instance");
const startOther = (more: Record<string, string> = {}) =>
  startSite({
    ...settings,
    ...more,
    DATABASE_URL: process.env.DATABASE_URL ?? "",
    SESSION_SECRET: process.env.SESSION_SECRET ?? "",
    DATA_DIR: dataDir,
  });
const answerOf = async (url: string) => {
  const response = await fetch(url);
  const { error = "" } = response.ok ? {} : ((await response.json()) as { error?: string });
  return `${response.status} ${error}`;
};

test("another instance makes its own stand-in; killed meanwhile, it leaves no half film and no ffmpeg, and begins again", async () => {
  const known = await offer("21.ts", transport);
  await isPrepared(known.prepared);
  const main = (await partNamedBy(known.page)) ?? "";
  const killed = await startOther();
  await expect.poll(() => answerOf(killed.origin + main)).toBe("200 ");
  expect(runsOf("21.ts")).toHaveLength(2);

  const name = "22.ts";
  hold(name);
  const { prepared } = await offer(name, transport);
  expect(await answerOf(killed.origin + prepared)).toMatch(/^503 This video is being converted/);
  await expect.poll(() => runsOf(name).length).toBe(1);
  await expect.poll(() => unfinishedIn(dataDir)).toHaveLength(1);
  killed.process.kill("SIGKILL");
  await killed.stop();
  const [orphan = 0] = runsOf(name);
  await expect.poll(() => isAlive(orphan)).toBe(false);
  const again = await startOther();
  expect(await answerOf(again.origin + prepared)).toMatch(/^503 This video is being converted/);
  await expect.poll(() => runsOf(name).length).toBe(2);
  // Only the file that the new job writes.
  expect(unfinishedIn(dataDir)).toHaveLength(1);
  release(name);
  await expect.poll(() => answerOf(again.origin + prepared)).toBe("200 ");
  expect(unfinishedIn(dataDir)).toEqual([]);
});

test("another instance without room on its disk says so, and how much it needs", async () => {
  const { prepared } = await offer("23.ts", transport);
  const site = await startOther({ MIN_FREE_DISK: "10000000", FILM_CACHE_SIZE: "2048" });
  await expect
    .poll(() => answerOf(site.origin + prepared))
    .toMatch(/^507 This video has to be stored once .* takes up to \d+ MiB, and the disk .* too little room/);
  expect(runsOf("23.ts")).toEqual([]);
});

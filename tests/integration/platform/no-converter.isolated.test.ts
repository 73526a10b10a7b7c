import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** `npm run config` on a site that has ffmpeg but little memory. */

function settings(memory: string, conversions: string, folder = temporaryFolder("no-converter")): string {
  return execFileSync(process.execPath, [resolve("build/server/config.js")], {
    encoding: "utf8",
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: "",
      MEDIA_DIR: folder,
      // The program is never started, so any existing one will do.
      FFMPEG: process.execPath,
      MEMORY: memory,
      CONVERSIONS: conversions,
    },
  });
}

test("an operator whose memory is too little to convert pictures is told how much is enough", () => {
  const words = /768 MiB of memory are too little to convert the pictures of videos: give the site 1,024 MiB/;
  expect(settings("768", "1")).toMatch(words);
  // Without MEDIA_DIR, an operator can choose folders on the site.
  expect(settings("768", "1", "")).toMatch(words);
  expect(settings("1024", "1")).not.toContain("too little to convert");
  expect(settings("1024", "1")).toContain("more than 1080 lines are too large to convert with 1024 MiB");
  expect(settings("4096", "1")).not.toContain("too large to convert");
  expect(settings("768", "0")).not.toContain("too little to convert");
});

import { existsSync } from "node:fs";
import { join } from "node:path";

/** The first one has no windows, so it takes half the processor time of the others for the same pages. */
const programs = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];
const applications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  join(process.env.PROGRAMFILES ?? "C:\\Program Files", "Google\\Chrome\\Application\\chrome.exe"),
];

/**
 * The path of the browser for tests/e2e: `CHROME_PATH`, an installed Chromium or Chrome, or the browser that Playwright
 * has downloaded. Undefined if none is found.
 */
export async function findBrowser() {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  return onPath() ?? applications.find((path) => existsSync(path)) ?? (await playwrightsOwn());
}

function onPath() {
  const folders = (process.env.PATH ?? "").split(process.platform === "win32" ? ";" : ":");
  return programs
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

async function playwrightsOwn() {
  const { chromium } = await import("playwright");
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

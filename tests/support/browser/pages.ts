import type { Page } from "playwright";
import { runTool } from "../site/command-line-tools.ts";
import type { Site } from "../site/site-process.ts";

/** Imports titles at the limits: a very long name, one letter, mature, years in the future, pictures that fail to load. */
export const importExtremeTitles = (site: Site) =>
  runTool(site, "catalog-import", ["--include-adult", "tests/fixtures/extreme-titles.ndjson"]);

export const longTitle = "/anime/800000001";
const shortTitle = "/anime/800000002/q";
const adultTitle = "/anime/800000003";
const comingTitle = "/anime/800000004/next-year-on-the-porch";
export const brokenPictures = "/anime/800000005/wide-sky";

/** Collects what no visit may cause: errors, violations of the content security policy, requests to other hosts. */
export function watchForTrouble(page: Page, origin: string): string[] {
  const trouble: string[] = [];
  page.on("console", (message) => {
    // The browser reports a missing page or picture. That is no error of the page's script.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      trouble.push(message.text());
  });
  page.on("pageerror", (error) => trouble.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:") && !url.startsWith("blob:"))
      trouble.push(url);
  });
  return trouble;
}

/** Waits until React controls the page. Before that, the page behaves as without scripts. */
export const hydrated = (page: Page, part = "main") =>
  page.waitForFunction(
    (selector) =>
      Object.keys(document.querySelector(selector) ?? {}).some((key) => key.startsWith("__react")),
    part,
  );

/** Waits for the answer to a form that contains `part`. Leaving the page earlier can cancel the request. */
export const answerToForm = (page: Page, part: string) =>
  page.waitForResponse(
    (response) =>
      response.request().method() === "POST" && (response.request().postData() ?? "").includes(part),
  );

/** Every page of the site in each of its states. Call `importExtremeTitles` first. */
export const pagesInEveryState = [
  "/api",
  "/about/data",
  "/",
  "/browse",
  "/browse?genre=action&without=ecchi&type=tv&score=7",
  "/browse?genre=sci-fi&year=1917",
  "/browse?year=2031&season=spring",
  "/browse?page=9999",
  "/search",
  "/search?q=naruto",
  "/search?q=cowbyo+bebob",
  "/search?q=zzzzqqqq",
  "/anime/900000001/engawa",
  "/anime/21/one-piece",
  longTitle,
  shortTitle,
  comingTitle,
  brokenPictures,
  adultTitle,
  "/schedule",
  "/schedule?week=1950-01-02",
  "/seasons/2024/fall",
  "/seasons/1902/winter",
  "/no/such/page",
];

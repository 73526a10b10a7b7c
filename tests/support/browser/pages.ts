import type { Page } from "playwright";
import { runTool } from "../site/command-line-tools.ts";
import type { Site } from "../site/site-process.ts";

/** Titles no real catalog would please us with: very long, one letter, for adults, years away, pictures that fail. */
export const importOddTitles = (site: Site) =>
  runTool(site, "catalog-import", ["--include-adult", "tests/fixtures/odd-titles.ndjson"]);

export const longTitle = "/anime/800000001";
const shortTitle = "/anime/800000002/q";
const adultTitle = "/anime/800000003";
const comingTitle = "/anime/800000004/next-year-on-the-porch";
export const brokenPictures = "/anime/800000005/wide-sky";

/** Everything a visit must not leave behind: errors, refusals of the content policy, questions to other hosts. */
export function watchForTrouble(page: Page, origin: string): string[] {
  const trouble: string[] = [];
  page.on("console", (message) => {
    // A missing page or picture is the browser's to report, and no fault of the page's script.
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

/** Until its script has taken over, a page answers as it does without one. */
export const hydrated = (page: Page, part = "main") =>
  page.waitForFunction(
    (selector) =>
      Object.keys(document.querySelector(selector) ?? {}).some((key) => key.startsWith("__react")),
    part,
  );

/** The answer to a form with this in it. Whoever leaves a page before that may take the request along. */
export const answerToForm = (page: Page, part: string) =>
  page.waitForResponse(
    (response) =>
      response.request().method() === "POST" && (response.request().postData() ?? "").includes(part),
  );

/** Every page of the site in the states it knows, once `importOddTitles` is done. */
export const pagesInEveryState = [
  "/api",
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

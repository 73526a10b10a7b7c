import type { Page } from "playwright";

/**
 * Titles with extreme fields: a very long name, a name of one letter, mature, years in the future, pictures that fail
 * to load.
 */
export const extremeTitles = "tests/fixtures/extreme-titles.ndjson";

/**
 * The film that comes with the starter catalog. On the shared site it has a third episode, so the second one has two
 * neighbors.
 */
export const film = 900000001;
/** On the shared site, the first source of its first episode does not answer, and its other episodes have none. */
export const titleWithBrokenSource = 182;
/** On the shared site, each of its 26 episodes has a film. */
export const titleWithEveryEpisode = 329;

export const filmPage = `/anime/${film}/engawa`;
export const watchPage = `/watch/${film}/1`;
export const longTitle = "/anime/800000001";
const shortTitle = "/anime/800000002/q";
const adultTitle = "/anime/800000003";
const comingTitle = "/anime/800000004/next-year-on-the-porch";
export const brokenPictures = "/anime/800000005/wide-sky";

/** Collects events that no visit may cause: errors, violations of the content security policy, requests to other hosts. */
export function watchForTrouble(page: Page, origin: string): string[] {
  const trouble: string[] = [];
  page.on("console", (message) => {
    // The browser logs a missing page or picture as an error, but no script of the page failed.
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

/** Waits until React controls the page. Until then, the page behaves as it does without scripts. */
export const hydrated = (page: Page, part = "main") =>
  page.waitForFunction(
    (selector) =>
      Object.keys(document.querySelector(selector) ?? {}).some((key) => key.startsWith("__react")),
    part,
  );

/** Waits for the answer to a form whose URL contains `part`. Leaving the page earlier can cancel the request. */
export const answerToForm = (page: Page, part: string) =>
  page.waitForResponse(
    (response) =>
      response.request().method() === "POST" && (response.request().postData() ?? "").includes(part),
  );

/** Every page that visitors can open, in each of its states. The pages need the titles of the shared site. */
export const visitorPages = [
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
  filmPage,
  "/anime/21/one-piece",
  "/anime/1/cowboy-bebop",
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

/** Every page of members and operators in each of its states. */
export const operatorPages = [
  "/",
  filmPage,
  "/anime/1/cowboy-bebop",
  longTitle,
  watchPage,
  `/watch/${titleWithBrokenSource}/1`,
  `/watch/${titleWithBrokenSource}/2`,
  "/watch/30/1",
  "/list",
  "/list?view=grid",
  "/list?tab=collection",
  "/history",
  "/profile",
  "/profile/edit",
  "/profiles",
  "/profiles/manage",
  "/settings",
  "/settings/import",
  "/signup/profile",
  "/signup/tastes",
  "/admin",
  "/admin/users?after=x",
  "/admin/events",
  `/admin/episode?id=${film}&episode=1`,
  `/admin/episode?id=${titleWithBrokenSource}&episode=1`,
  `/admin/title?id=${titleWithBrokenSource}`,
  "/admin/feeds",
  "/admin/details",
  "/admin/films",
  "/admin/setup",
  "/admin/setup?step=found",
  "/admin/films/programs",
];

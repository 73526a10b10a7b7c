import type { Page, Request } from "playwright";
import { demonstrationId } from "#app/paths.ts";

/**
 * Titles with extreme fields: a very long name, a name of one letter, mature, years in the future, pictures that fail
 * to load.
 */
export const extremeTitles = "tests/fixtures/extreme-titles.ndjson";

/**
 * The film that comes with the starter catalog. On the shared site it has a third episode, so the second one has two
 * neighbors.
 */
export const film = demonstrationId;
/** On the shared site, the first source of its first episode does not answer, and its other episodes have none. */
export const titleWithBrokenSource = 182;
/** On the shared site, each of its 26 episodes has a film. */
export const titleWithEveryEpisode = 329;

/** On the shared site, both belong to two titles. */
export const [person, character] = [1_000_001, 1_100_001];

export const filmPage = `/anime/${film}/engawa`;
export const watchPage = `/watch/${film}/1`;
export const longTitle = "/anime/800000001";
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

/**
 * Runs in the page. True once React controls the named part, or the page with all its late parts. On a slow machine the
 * site can refuse a page, so a refused page is loaded again.
 */
export function isHydrated(part?: string): boolean {
  if (document.title.startsWith("The site is busy")) {
    document.title = "Loading again";
    setTimeout(() => location.reload(), 2000);
  }
  const isControlled = (node: Node) => Object.keys(node).some((key) => key.startsWith("__react"));
  const element = document.querySelector(part ?? "main");
  if (element === null || !isControlled(element)) return false;
  if (part !== undefined) return true;
  // The server writes each late part after such a comment, and scripts of the router too.
  const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  while (comments.nextNode()) {
    const { data, nextSibling } = comments.currentNode as Comment;
    const isPart = nextSibling instanceof Element && nextSibling.localName !== "script";
    if (data.startsWith("$") && isPart && !isControlled(nextSibling)) return false;
  }
  return true;
}

/** Until then, the page or the part behaves as it does without scripts. */
export const hydrated = (page: Page, part?: string) => page.waitForFunction(isHydrated, part);

/** Opens the page, runs `act` before its scripts have loaded, and lets them load only then. */
export async function actBeforeScripts(page: Page, url: string, act: () => Promise<unknown>): Promise<void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(url, { waitUntil: "commit" });
  await act();
  release();
}

/** A page draws what it has received within the next frames. */
export const twoFramesDrawn = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/** Waits until the page has loaded its data again and drawn it. */
export async function loadedAgain(page: Page) {
  const path = `${new URL(page.url()).pathname}.data`;
  const isLoad = (request: Request) => request.method() === "GET" && new URL(request.url()).pathname === path;
  // The router can abort a request once it has read all data.
  await Promise.race([
    page.waitForEvent("requestfinished", isLoad),
    page.waitForEvent("requestfailed", isLoad),
  ]);
  await twoFramesDrawn(page);
}

/** Waits for the answer to a form whose URL contains `part`. Leaving the page earlier can cancel the request. */
export const answerToForm = (page: Page, part: string) =>
  page.waitForResponse(
    (response) =>
      response.request().method() === "POST" && (response.request().postData() ?? "").includes(part),
  );

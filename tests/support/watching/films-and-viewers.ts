import type { Browser, BrowserContext, Page } from "playwright";
import { signUp } from "#tests/support/browser/accounts.ts";
import { watchForTrouble } from "#tests/support/browser/pages.ts";
import { addSource } from "#tests/support/site/command-line-tools.ts";
import type { Site } from "#tests/support/site/running-site.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A site with two films beside the demonstration, and those who watch them. */

/** The first one has one episode, and the second one is its sequel. */
export const [movie, sequel] = ["/watch/2759/1", "/anime/3784/evangelion-movie-2-ha"];
export const demonstration = 900000001;

export async function startWithFilms(): Promise<Site> {
  const site = await startSite({
    ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1",
    RATE_LIMIT_POINTS: "100000",
    RATE_LIMIT_VIDEO_POINTS: "1000",
  });
  addSource(site, { title: 2759, episode: 1, url: "/film/1/film.webm", type: "webm", label: "WebM" });
  return site;
}

let members = 0;

type Visit = { context: BrowserContext; page: Page; trouble: string[] };

export async function newVisitor(
  browser: Browser,
  site: Site,
  viewport = { width: 1280, height: 800 },
): Promise<Visit> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  return { context, page, trouble: watchForTrouble(page, site.origin) };
}

export async function newMember(browser: Browser, site: Site): Promise<Visit> {
  const visit = await newVisitor(browser, site, { width: 390, height: 844 });
  members++;
  await signUp(visit.context, site, {
    username: "Mika",
    email: `mika${members}@example.org`,
    password: "Abcdef1!",
  });
  return visit;
}

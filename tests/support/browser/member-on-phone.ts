import { addSource } from "../site/command-line-tools.ts";
import { startSite } from "../site/site-process.ts";
import { chromiumDevice } from "./chromium-device.ts";
import { openBrowser } from "./open-browser.ts";
import { watchForTrouble } from "./pages.ts";

/** The film of the starter catalog, with an episode that has a previous and a next one. */
export const film = 900000001;

/** A site of its own, and a member who visits it with a phone in Chromium. */
export async function openPhoneOfMember() {
  const [browser, site] = await Promise.all([openBrowser(), startSite()]);
  addSource(site, { title: film, episode: 3, url: "/film/1/film.webm", type: "webm", label: "WebM" });
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 700 } });
  const member = { username: "Haruka", email: "haruka@example.org", password: "Abcdef1!" };
  await context.request.post(`${site.origin}/api/auth/signup`, { data: member });
  const page = await context.newPage();
  const trouble = watchForTrouble(page, site.origin);
  return { site, context, page, trouble, device: await chromiumDevice(page, site.origin) };
}

import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Browser } from "playwright";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { startSite } from "#tests/bench/measuring/servers.ts";
import { makePeople, type People } from "#tests/bench/pictures/people.ts";
import { launchChromium } from "#tests/support/browser/launched-browsers.ts";
import { type PageState, picturedPages } from "#tests/support/page-states.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * Takes a picture of every page at each width in each theme, on a new site with the starter catalog.
 * PICTURES names the folder, ONLY a part of the pages' paths, WIDTHS other widths.
 */

const folder = resolve(process.env.PICTURES ?? "pictures");
const only = process.env.ONLY ?? "";
const widths = (process.env.WIDTHS ?? "390,1440").split(",").map(Number);
const themes = ["dark", "light"];
const heights: Record<number, number> = { 390: 844, 768: 1024, 1440: 900, 1920: 1080 };

type Problems = { wide: number; refused: number };

const bench: Bench = {
  title: `Pictures of all pages at ${widths.join(" and ")} px, dark and light, in ${folder}`,
  isLong: true,
  async run() {
    const [dataDir, films] = [temporaryFolder("pictures"), temporaryFolder("films")];
    const site = await startSite({ DATA_DIR: dataDir, MEDIA_DIR: films });
    const browser = await launchChromium();
    await mkdir(folder, { recursive: true });
    const rows = await takeAll(browser, { origin: site.origin, dataDir });
    await browser.close();
    await site.stop();
    return rows;
  },
};
export default bench;

async function takeAll(browser: Browser, site: { origin: string; dataDir: string }): Promise<Row[]> {
  const wanted = picturedPages.filter(({ page, path }) => page.includes(only) || path.includes(only));
  const [first, later] = [
    wanted.filter(({ person }) => person === "stranger"),
    wanted.filter(({ person }) => person !== "stranger"),
  ];
  const problems: Problems = { wide: 0, refused: 0 };
  let taken = 0;
  const take = async (states: readonly PageState[], people?: People) => {
    for (const theme of themes)
      for (const state of states)
        for (const width of widths) {
          await picture({ browser, origin: site.origin, state, people, theme, width, problems });
          taken++;
        }
  };
  await take(first);
  await take(later, await makePeople(browser, site));
  return [
    { label: "Pictures", value: taken, unit: "files" },
    { label: "Pages wider than the window", value: problems.wide, unit: "pages" },
    { label: "Pages with another status than expected", value: problems.refused, unit: "pages" },
  ];
}

type Taken = {
  browser: Browser;
  origin: string;
  state: PageState;
  people: People | undefined;
  theme: string;
  width: number;
  problems: Problems;
};

async function picture({ browser, origin, state, people, theme, width, problems }: Taken) {
  const storageState = people?.states[state.person];
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width, height: heights[width] ?? 900 },
    isMobile: width < 700,
    hasTouch: width < 700,
    ...(storageState && { storageState }),
  });
  const headers = { Origin: origin };
  await context.request.post("/visitor", { form: { theme, redirectTo: "/healthz" }, headers });
  const page = await context.newPage();
  const path = state.path.replace(/\{(\w+)\}/, (_, name: string) => people?.ids[name] ?? "");
  const answer = await page.goto(path, { waitUntil: "networkidle" });
  if (answer?.status() !== (state.status ?? 200)) {
    problems.refused++;
    console.error(`${path} answered ${answer?.status()}`);
  }
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (overflow > 0) {
    problems.wide++;
    console.error(`${path} is ${overflow} px wider than ${width} px`);
  }
  const name = `${state.page === "/" ? "home" : state.page} ${state.state}`
    .replaceAll(/[^\w]+/g, "-")
    .replace(/^-|-$/g, "");
  await page.screenshot({ path: join(folder, `${name}.${theme}.${width}.png`) });
  await context.close();
}

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateTrees, type TreeFilm } from "#tests/support/data/film-trees.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Scans generated folders of films and compares the matches with the titles that the films belong to. */

type Found = {
  path: string;
  match: { malId: number } | null;
  episode: number | null;
  state: string;
  reasons: readonly string[];
};

type TreeReport = {
  count: number;
  right: number;
  sure: number;
  /** Films that would be registered as a wrong title or episode. */
  wrong: string[];
  /** Films that were not found, or were proposed as a wrong title. */
  missed: string[];
};

/** `propose` scans a folder. */
export async function matchTrees(
  filmsOfLayout: number,
  propose: (folder: string) => Promise<readonly Found[]>,
): Promise<Record<string, TreeReport>> {
  const { titles, trees } = generateTrees(filmsOfLayout);
  await importTitles(titles);
  const reports: [string, TreeReport][] = [];
  for (const [layout, films] of Object.entries(trees)) {
    const folder = temporaryFolder("film-trees");
    for (const { path } of films) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), "");
    }
    const found = new Map((await propose(folder)).map((one) => [one.path, one]));
    reports.push([layout, compare(films, found)]);
  }
  return Object.fromEntries(reports);
}

function compare(films: readonly TreeFilm[], found: ReadonlyMap<string, Found>): TreeReport {
  const report: TreeReport = { count: films.length, right: 0, sure: 0, wrong: [], missed: [] };
  for (const film of films) {
    const one = found.get(film.path);
    const isSure = one?.state === "new";
    const isThis = one?.match?.malId === film.malId && one.episode === film.episode;
    // A film whose title the catalog lacks must be left to a person, whatever the proposal says.
    const isRight = film.isExtra ? one?.state === "extra" : film.malId === null ? !isSure : isThis;
    if (isRight) report.right++;
    if (isSure) report.sure++;
    if (isRight) continue;
    const text = `${film.path} is ${film.malId} ${film.episode}, found ${one?.match?.malId} ${one?.episode} ${one?.state} ${one?.reasons}`;
    (isSure ? report.wrong : report.missed).push(text);
  }
  return report;
}

import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import {
  extremeTitles,
  film,
  titleWithBrokenSource,
  titleWithEveryEpisode,
} from "#tests/support/browser/pages.ts";
import buildAndSite from "#tests/support/setup/build-and-site.ts";
import { addSharedPeople } from "#tests/support/setup/shared-people.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { runSite } from "#tests/support/site/running-site.ts";

/** Starts the site that all files of the project share, with the films of its pages. */
export default async function setup(project: TestProject) {
  const removeFilled = await buildAndSite(project);
  const dataDir = temporaryFolder("shared-site");
  // Keeps the owner, because PostgreSQL refuses the files of another account.
  execFileSync("cp", ["-a", `${project.getProvidedContext().filledDataDir}/.`, dataDir]);
  const { stop, listening } = runSite({
    DATA_DIR: dataDir,
    // All members come from one address, and they do in a minute what a household does in a month.
    RATE_LIMIT_POINTS: "1000000",
    RATE_LIMIT_IMAGE_SECONDS: "86400",
  });
  const end = async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    removeFilled();
  };
  try {
    const { origin } = await listening;
    const sources = join(dataDir, "sources.ndjson");
    writeFileSync(sources, sourceRecords().join("\n"));
    await addSharedPeople(dataDir);
    runTool({ dataDir }, "catalog-import", ["--include-adult", extremeTitles, sources]);
    project.provide("sharedSite", { origin, dataDir });
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

function sourceRecords() {
  const playable = {
    kind: "source",
    url: "/film/1/film.webm",
    type: "webm",
    label: "Close by",
    language: null,
  };
  const everyEpisode = Array.from({ length: 26 }, (_, index) => ({
    ...playable,
    mal_id: titleWithEveryEpisode,
    number: index + 1,
  }));
  return [
    ...everyEpisode,
    { ...playable, mal_id: titleWithBrokenSource, number: 1, url: "/film/none.webm", label: "Nowhere" },
    { ...playable, mal_id: titleWithBrokenSource, number: 1 },
    { ...playable, mal_id: film, number: 3 },
  ].map((record) => JSON.stringify(record));
}

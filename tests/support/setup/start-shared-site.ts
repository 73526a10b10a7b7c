import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "#db/embedded/embedded.server.ts";
import {
  character,
  extremeTitles,
  film,
  person,
  titleWithBrokenSource,
  titleWithEveryEpisode,
} from "#tests/support/browser/pages.ts";
import buildAndSite from "#tests/support/setup/build-and-site.ts";
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
    // The browser of each file names an address of its own.
    TRUST_PROXY: "1",
    // The members of a file do in a minute what a household does in a month.
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
    await addSharedDetails(dataDir);
    runTool({ dataDir }, "catalog-import", ["--include-adult", extremeTitles, sources]);
    project.provide("sharedSite", { origin, dataDir });
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/**
 * Stores a person who directs two titles and speaks their main character, and more tags than a title's page shows at
 * first, as details of the titles would.
 */
async function addSharedDetails(dataDir: string) {
  const database = await startEmbedded(dataDir);
  const sql = postgres({ ...database.connection, max: 1 });
  try {
    // Otherwise the site would delete them, because nobody has asked for details.
    await sql`insert into site_settings (details) values (false) on conflict ("only") do update set details = false`;
    for (const [table, id, name] of [
      ["people", person, "Person with a Long Name"],
      ["characters", character, "Character with an Even Longer Name of Four Words"],
    ] as const)
      await sql`
        insert into ${sql(table)} (id, name, source, source_id, key, favorites)
        values (${id}, ${name}, 'anilist', ${`${id}`}, ${name.toLowerCase()}, 12345)`;
    for (const malId of [1, 5]) {
      await sql`insert into title_characters (mal_id, character_id, role, position) values (${malId}, ${character}, 'main', 0)`;
      await sql`insert into character_voices (mal_id, character_id, person_id, language, position) values (${malId}, ${character}, ${person}, 'Japanese', 0)`;
      await sql`insert into title_staff (mal_id, person_id, role, position) values (${malId}, ${person}, 'Director', 0)`;
    }
    await sql`
      insert into title_tags (mal_id, name, rank, is_spoiler)
      select 5, 'Tag ' || number, 100 - number, false from generate_series(1, 15) number`;
  } finally {
    await sql.end();
    await database.stop();
  }
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

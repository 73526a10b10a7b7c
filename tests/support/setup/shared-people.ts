import postgres from "postgres";
import { startEmbedded } from "#db/embedded/embedded.server.ts";
import { character, person } from "#tests/support/browser/pages.ts";

/** Stores a person who directs two titles and speaks their main character, as details of the titles would. */
export async function addSharedPeople(dataDir: string) {
  const database = await startEmbedded({ dataDir, say: () => {} });
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
  } finally {
    await sql.end();
    await database.stop();
  }
}

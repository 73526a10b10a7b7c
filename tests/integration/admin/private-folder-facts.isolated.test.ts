import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { writeOldFilm } from "#tests/support/data/old-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** If films are for members, a picture or text from the folder would reveal to visitors that a film is here. */

const media = temporaryFolder("private-folder-facts");
process.env.MEDIA_DIR = media;
process.env.FILMS = "members";
const { db } = await import("#db/client.server.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { giveFilmsLocalTitle } = await import("#app/domain/local-titles/local-titles.server.ts");
const scanning = await import("#app/domain/scanning/scanning.server.ts");

const plotOf = async (malId: number) =>
  (await db.select().from(titles).where(eq(titles.malId, malId)))[0]?.synopsis;

test("only local titles use files beside their films", async () => {
  await importTitles([{ kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 }]);
  for (const folder of ["Cowboy Bebop", "Zzyx Unheard Of"]) {
    writeOldFilm(media, join(folder, "01.mkv"));
    writeFileSync(join(media, folder, "tvshow.nfo"), "<tvshow><plot>A plot.</plot></tvshow>");
  }
  const scan = () => scanning.scanLibrary({ folder: "", reason: "command" }, { isPatient: false });
  await scan();
  const made = await giveFilmsLocalTitle(
    "Zzyx Unheard Of",
    { folder: "Zzyx Unheard Of", shift: 0 },
    { kind: "command", ip: null },
  );
  if (!made.ok) throw new Error(made.message);
  await scan();
  await scanning.readFolderFacts();
  expect([await plotOf(1), await plotOf(made.value.malId)]).toEqual([null, "A plot."]);
});

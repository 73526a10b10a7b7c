import { and, eq, inArray, sql } from "drizzle-orm";
import {
  mergeEpisodes,
  writeChildren,
  writeTitles,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";
import { db } from "#db/client.server.ts";
import { titleRecords } from "#db/schema/catalog.ts";
import {
  characters,
  detailPictures,
  episodeStills,
  people,
  titleCharacters,
  titleDetails,
  titleStaff,
  titleStreams,
  titleTags,
} from "#db/schema/details.ts";
import { episodeRecords } from "#db/schema/edits.ts";
import { siteSettings } from "#db/schema/site-settings.ts";
import { aniList } from "./sources/anilist.server.ts";

/** Deletes all details after an operator has chosen to. Data from other sources stays. */

const titlesPerStep = 200;
const ofTitles = [titleTags, titleStreams, episodeStills, titleCharacters, titleStaff, titleDetails];

/** True if an operator chose to delete details, and some are left. */
export async function hasUnwantedDetails(): Promise<boolean> {
  if (!(await areUnwanted())) return false;
  const [row] = await db.execute<{ has: boolean }>(sql`
    select exists (select from ${titleDetails}) or exists (select from ${people})
      or exists (select from ${characters}) or exists (select from ${detailPictures}) as has`);
  return row?.has ?? false;
}

/** Deletes a few titles' details at a time. After an interruption, the next run deletes the rest. */
export async function deleteUnwantedDetails(): Promise<void> {
  while (await areUnwanted()) {
    const rows = await db.select({ malId: titleDetails.malId }).from(titleDetails).limit(titlesPerStep);
    if (rows.length === 0) break;
    await deleteDetailsOf(rows.map(({ malId }) => malId));
    await renewFranchises();
  }
  if (!(await hasUnwantedDetails())) return;
  for (const table of [people, characters, detailPictures]) await db.delete(table);
}

async function areUnwanted(): Promise<boolean> {
  const [row] = await db.select({ details: siteSettings.details }).from(siteSettings);
  return (row?.details ?? null) === null;
}

async function deleteDetailsOf(malIds: readonly number[]): Promise<void> {
  const source = aniList.name;
  await changeCatalog(malIds, async (transaction) => {
    await writeTitles(
      transaction,
      malIds.map((malId) => ({
        malId,
        source,
        fields: {},
        isWhole: true,
        isForKnown: true,
      })),
    );
    await transaction
      .delete(titleRecords)
      .where(and(eq(titleRecords.source, source), inArray(titleRecords.malId, [...malIds])));
    await writeChildren(
      transaction,
      malIds.map((from) => ({ kind: "relations", from, only: [], source })),
    );
    const gone = await transaction
      .delete(episodeRecords)
      .where(and(eq(episodeRecords.source, source), inArray(episodeRecords.malId, [...malIds])))
      .returning({ malId: episodeRecords.malId, number: episodeRecords.number });
    await mergeEpisodes(transaction, gone);
    // Deletes episodes that were known only from the details.
    await transaction.execute(sql`
      delete from episodes own using jsonb_to_recordset(${JSON.stringify(gone)}::text::jsonb) as gone ("malId" int, number int)
      where own.mal_id = gone."malId" and own.number = gone.number
        and not exists (select from episode_records known where known.mal_id = own.mal_id and known.number = own.number)
        and not exists (select from episode_sources known where known.mal_id = own.mal_id and known.episode = own.number)
        and not exists (select from episode_subtitles known where known.mal_id = own.mal_id and known.episode = own.number)
        and not exists (select from skip_segments known where known.mal_id = own.mal_id and known.episode = own.number)`);
    for (const table of ofTitles) await transaction.delete(table).where(inArray(table.malId, [...malIds]));
  });
}

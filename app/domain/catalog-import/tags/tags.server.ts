import { sql } from "drizzle-orm";
import { joinedTags, tagFacts } from "#app/domain/catalog/catalog.server.ts";
import type { Tag } from "#app/domain/catalog/catalog.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { chunksOf } from "#app/platform/lists.ts";
import { db } from "#db/client.server.ts";
import { tags, titles } from "#db/schema/catalog.ts";
import { assignNumbers, type NamedTag } from "./assign-numbers.ts";

/** Stores the numbers of tags. */

const tagColumns = { kind: tags.kind, malId: tags.malId, name: tags.name, key: tags.key };

export const listTags = (): Promise<Tag[]> =>
  db
    .select({ kind: tags.kind, malId: tags.malId, name: tags.name })
    .from(tags)
    .orderBy(tags.kind, tags.malId);

/** Assigns numbers in a catalog from a version that had none. */
export async function numberFirstTags(): Promise<void> {
  if ((await db.$count(tags)) === 0) await numberTags();
}

/**
 * Gives every genre, theme, demographic and company in the catalog a number. `numbered` are numbers known from an
 * import. If there is nothing to do, it only reads.
 */
export const numberTags = async (numbered: readonly Tag[] = []): Promise<void> =>
  writeNumbers([...numbered, ...tagFacts], await listUnknownNames());

/** Runs during an import. Names without a number get one at the end of this import or the next. */
export async function numberKnownTags(numbered: readonly Tag[]): Promise<void> {
  if (numbered.length > 0) await writeNumbers(numbered, []);
}

async function writeNumbers(known: readonly Tag[], names: readonly NamedTag[]): Promise<void> {
  if (assignNumbers(await db.select(tagColumns).from(tags), known, names).length === 0) return;
  await changeCatalog([], async (transaction) => {
    // Without the lock, two processes that number tags at once could assign the same number twice.
    await transaction.execute(sql`lock table ${tags} in share row exclusive mode`);
    const changed = assignNumbers(await transaction.select(tagColumns).from(tags), known, names);
    for (const part of chunksOf(changed, tagsPerStatement))
      await transaction
        .insert(tags)
        .values(part)
        .onConflictDoUpdate({
          target: [tags.kind, tags.key],
          set: { malId: sql`excluded.mal_id`, name: sql`excluded.name` },
        });
  });
}

const tagsPerStatement = 5000;

/** Names in titles that match no tag exactly. Some are spelling variants of a tag. */
const listUnknownNames = async (): Promise<NamedTag[]> => [
  ...(await db.execute<NamedTag>(sql`
    select distinct named.kind, named.name from ${titles} ${joinedTags}
     where not exists (select from ${tags} where tags.kind = named.kind and tags.name = named.name)`)),
];

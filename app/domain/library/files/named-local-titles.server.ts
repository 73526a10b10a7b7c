import { searchKey } from "#app/domain/names/names.ts";
import { unrestricted } from "#app/domain/visibility/visibility.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import type { Rows } from "#app/platform/process/stored-rows.ts";
import { db } from "#db/client.server.ts";
import { findListedTitles } from "../list/list-rows.server.ts";
import type { FileLocalTitle } from "./account-file.ts";
import { maxTitleLength, storableText } from "./list-records.ts";

/** All sites give the same ids to their local titles, so a file from another site can mean other titles by them. */

const keyOf = (name: string) => searchKey(storableText(name, maxTitleLength));

export const isOtherLocalTitle = (malId: number, nameInFile: string | null, nameHere: string): boolean =>
  malId >= firstLocalMalId && nameInFile !== null && keyOf(nameInFile) !== keyOf(nameHere);

/** By id, whether a title that the file names has the same name here. It omits titles that this site does not have. */
export async function compareNames(named: Rows<FileLocalTitle>): Promise<ReadonlyMap<number, boolean>> {
  const isSame = new Map<number, boolean>();
  for await (const piece of named.pieces()) {
    const names = new Map(piece.map(({ malId, title }) => [malId, title]));
    for (const [malId, { title }] of await findListedTitles(db, [...names.keys()], unrestricted))
      isSame.set(malId, !isOtherLocalTitle(malId, names.get(malId) ?? null, title));
  }
  return isSame;
}

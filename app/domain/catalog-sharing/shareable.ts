import {
  type EpisodeFields,
  type ProtectedName,
  pictureNames,
  protectedNames,
  type SourcedFields,
  sourceOf,
  type TitleSource,
  termsOf,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import { isStoredImagePath } from "#app/paths.ts";

/** Determines which fields of a title may be shared under the terms of their sources. */

type Protected = { [Name in ProtectedName]: string | null };

/**
 * The texts and picture URLs that may not be shared, each with its source. A value that another source also has may be
 * shared if that source allows it.
 */
export function closedFields(
  title: Protected,
  records: readonly SourcedFields[],
): Partial<Record<ProtectedName, TitleSource>> {
  return closedOf(protectedNames, title, records);
}

const episodeNames = ["description", "imageUrl"] as const;
export type EpisodeText = (typeof episodeNames)[number];

/** The texts and picture URL of an episode that may not be shared, each with its source. */
export const closedEpisodeFields = (
  episode: Record<EpisodeText, string | null>,
  records: readonly { source: TitleSource; fields: EpisodeFields }[],
) => closedOf(episodeNames, episode, records);

function closedOf<Name extends string, Fields extends { [Each in Name]?: unknown }>(
  names: readonly Name[],
  row: Record<Name, string | null>,
  records: readonly { source: TitleSource; fields: Fields }[],
): Partial<Record<Name, TitleSource>> {
  const closed: Partial<Record<Name, TitleSource>> = {};
  for (const name of names) {
    const isOpen = records.some(
      ({ source, fields }) => termsOf[source].mayShareTexts && fields[name] === row[name],
    );
    if (row[name] !== null && !isOpen) closed[name] = sourceOf<Fields>(name, records) ?? "before";
  }
  return closed;
}

/** Pictures uploaded to this installation. Their URLs have no host, so they lead nowhere on another site. */
export const ownPictures = (title: Protected) =>
  pictureNames.filter((name) => isStoredImagePath(title[name] ?? ""));

/** Drops ids that only sources with closed terms have. */
export function shareableIds(ids: readonly string[], records: readonly SourcedFields[]): string[] {
  const isClosed = (id: string) => {
    const sources = records.filter(({ fields }) => fields.externalIds?.includes(id));
    return sources.length > 0 && sources.every(({ source }) => !termsOf[source].mayShareIds);
  };
  return ids.filter((id) => !isClosed(id));
}

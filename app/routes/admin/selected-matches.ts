import { maxMalId } from "#app/domain/catalog/catalog.ts";
import type { UndecidedFilm } from "#app/domain/scanning/scanning.ts";

/**
 * The checkboxes of matches in a form. The value repeats what the page showed, because a scan may change the proposal
 * before the operator accepts it.
 */

const prefix = "match-";

export const selectionName = (film: Pick<UndecidedFilm, "id">): string => prefix + film.id;

/**
 * Null if the film has no match that could be accepted: the parts of one episode would compete for it, and an episode that
 * the title does not have is refused.
 */
export function selectionValue({
  match,
  isBeyondMatch,
  isSpecial,
  piece,
  episode,
  lastEpisode,
}: UndecidedFilm): string | null {
  if (match === null || isBeyondMatch || (piece !== null && !isSpecial)) return null;
  return [
    match.malId,
    ...(isSpecial ? [] : [episode ?? 1, ...(lastEpisode === null ? [] : [lastEpisode])]),
  ].join(" ");
}

/** The selected matches among the fields of a form. */
export function listSelected(fields: Record<string, string>) {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (!name.startsWith(prefix) || !/^\d{1,10}( \d{1,6}){0,2}$/.test(value)) return [];
    const [malId = 0, episode = null, lastEpisode] = value.split(" ").map(Number);
    if (malId > maxMalId) return [];
    return [
      {
        filmId: name.slice(prefix.length),
        malId,
        episode,
        ...(lastEpisode !== undefined && { lastEpisode }),
      },
    ];
  });
}

import type { ExternalId } from "#app/domain/external-ids/external-ids.ts";

/** Title ids of other sites in folder names, as media library programs write them: `{tvdb-76885}`. */

/** `mal` ids are this catalog's own keys. */
export type FilmId = { site: ExternalId["site"] | "mal"; id: string };

/** A Map, because an object would return its own `constructor` for a note that names such a site. */
const sites: ReadonlyMap<string, FilmId["site"][]> = new Map([
  ["anidb", ["anidb"]],
  ["anilist", ["anilist"]],
  ["imdb", ["imdb"]],
  ["kitsu", ["kitsu"]],
  ["mal", ["mal"]],
  ["myanimelist", ["mal"]],
  ["tmdb", ["tmdb-tv", "tmdb-movie"]],
  ["tvdb", ["tvdb"]],
]);

/** The ids that a site name and a text stand for. Empty for an unknown site. */
export function filmIdsOf(site: string, id: string): FilmId[] {
  const known = sites.get(site.toLowerCase()) ?? [];
  return known
    .filter((one) => (one === "imdb" ? /^tt\d{5,10}$/ : /^[1-9]\d{0,9}$/).test(id))
    .map((one) => ({ site: one, id }));
}

const tag = new RegExp(
  String.raw`[\[{(]\s*(?<site>${[...sites.keys()].join("|")})[ _-]?(?:id)?\s*[-=:_ ]\s*(?<id>tt\d{5,10}|\d{1,10})\s*[\]})]`,
  "giu",
);

export function takeIds(text: string): { text: string; ids: FilmId[] } {
  const ids = [...text.matchAll(tag)].flatMap(({ groups }) =>
    filmIdsOf(groups?.site ?? "", groups?.id?.toLowerCase() ?? ""),
  );
  return { text: ids.length === 0 ? text : text.replace(tag, " ").trim(), ids };
}

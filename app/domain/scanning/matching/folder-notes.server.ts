import { dirname } from "node:path/posix";
import { text } from "node:stream/consumers";
import { SaxesParser } from "saxes";
import { hasFilmRoots, openMediaFile } from "#app/domain/films/films.server.ts";
import { isWholeRoot } from "#app/domain/films/films.ts";
import { kibibytes } from "#app/platform/units.ts";
import type { FilmName } from "../names/film-name.ts";
import { type FilmId, filmIdsOf } from "../names/id-tags.ts";

/** Reads title ids from `tvshow.nfo` or `movie.nfo`, which media library programs write into a title's folder. */

const maxNotesBytes = kibibytes(256);

export type NamedFile = { path: string; name: FilmName };

/** Adds the ids from notes to films whose own path has none. */
export async function withNotes(films: readonly NamedFile[]): Promise<NamedFile[]> {
  if (!hasFilmRoots()) return [...films];
  const filmsIn = new Map<string, number>();
  for (const { path, name } of films)
    if (name.language === null && !name.isExtra)
      filmsIn.set(dirname(path), (filmsIn.get(dirname(path)) ?? 0) + 1);
  const known = new Map<string, FilmId[]>();
  const withIds: NamedFile[] = [];
  for (const { path, name } of films) {
    if (name.ids.length > 0) withIds.push({ path, name });
    else {
      const isAlone = filmsIn.get(dirname(path)) === 1;
      withIds.push({ path, name: { ...name, ids: await findNotes(dirname(path), isAlone, known) } });
    }
  }
  return withIds;
}

/** Notes in a root itself are ignored. A `movie.nfo` counts only for the single film of its folder. */
async function findNotes(films: string, isAlone: boolean, known: Map<string, FilmId[]>): Promise<FilmId[]> {
  for (let folder = films; folder !== "." && !isWholeRoot(folder); folder = dirname(folder))
    for (const name of folder === films && isAlone ? ["movie.nfo", "tvshow.nfo"] : ["tvshow.nfo"]) {
      const path = `${folder}/${name}`;
      const ids = known.get(path) ?? (await readNotes(path));
      known.set(path, ids);
      if (ids.length > 0) return ids;
    }
  return [];
}

async function readNotes(path: string): Promise<FilmId[]> {
  const opened = await openMediaFile(path);
  if (!opened.ok || opened.value.size > maxNotesBytes || opened.value.size === 0) return [];
  try {
    return idsOfNotes(await text(opened.value.read(null)));
  } catch {
    // The file is gone or unreadable. The films are matched by name alone.
    return [];
  }
}

const idElement = /^(?<site>[a-z]+?)_?id$/i;

/**
 * Reads only ids directly in the root element: deeper ones are of actors and sets. Errors after them are ignored, since
 * some programs append the URL of a page to the XML.
 */
export function idsOfNotes(xml: string): FilmId[] {
  const ids: FilmId[] = [];
  const parser = new SaxesParser();
  let depth = 0;
  let site = "";
  let value = "";
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    ids.length = 0;
    throw new Error("it has a DOCTYPE");
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth++;
    if (depth === 1 && name !== "tvshow" && name !== "movie") throw new Error(`its root is ${name}`);
    value = "";
    site = name === "uniqueid" ? String(attributes.type ?? "") : (idElement.exec(name)?.groups?.site ?? "");
  });
  parser.on("text", (piece) => {
    value += piece;
  });
  parser.on("closetag", () => {
    if (depth === 2) ids.push(...filmIdsOf(site, value.trim()));
    depth--;
    site = "";
  });
  try {
    parser.write(xml.replace(/^\uFEFF/, "")).close();
  } catch {
    // Ids found before the error are kept.
  }
  return ids;
}

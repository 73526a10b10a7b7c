import { isNamedAfter, readSubtitleName, withoutExtension } from "#app/media/subtitles/subtitle-names.ts";
import { groupBy } from "#app/platform/lists.ts";

/** Folder names for subtitles, either beside the films or with one folder per film: `Subs/Show - 01/2_English.srt`. */
export const subtitleFolder = /^(?:subs?|subtitles?)$/i;

type Place = { folder: readonly string[]; stem: string };

function placeOf(path: string, stem: string): Place {
  return { folder: path.split("/").slice(0, -1), stem };
}

/** Finds the film that each subtitle file belongs to, by folder and file name. */
export function filmsBySubtitles(
  subtitles: readonly string[],
  films: readonly string[],
): ReadonlyMap<string, string> {
  const places = films.map((path) => ({ path, ...placeOf(path, withoutExtension(path)) }));
  const filmsOf = groupBy(places, ({ folder }) => folder.join("/"));
  const besides = new Map<string, string>();
  for (const path of subtitles) {
    const { folder, stem } = nameOfFilm(placeOf(path, readSubtitleName(path).stem));
    const beside = filmsOf.get(folder.join("/")) ?? [];
    const named =
      beside.find((one) => one.stem === stem) ?? beside.find((one) => isNamedAfter(path, one.stem));
    const film = named ?? (stem === "" && beside.length === 1 ? beside[0] : undefined);
    if (film) besides.set(path, film.path);
  }
  return besides;
}

/** Steps out of a subtitle folder. A folder inside one has the name of its film. */
function nameOfFilm({ folder, stem }: Place): Place {
  if (subtitleFolder.test(folder.at(-1) ?? "")) return { folder: folder.slice(0, -1), stem };
  if (subtitleFolder.test(folder.at(-2) ?? ""))
    return { folder: folder.slice(0, -2), stem: folder.at(-1) ?? "" };
  return { folder, stem };
}

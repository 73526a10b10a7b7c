import type { Episode } from "#app/domain/catalog/catalog.ts";
import {
  type Film,
  hasFilmRoots,
  isDemonstrationFilm,
  isReadFilm,
  listFilmsOf,
  type ReadFilm,
  readFilm,
  registerImportedFilms,
} from "#app/domain/films/films.server.ts";
import { isMediaUrl, unreadableOf } from "#app/domain/films/films.ts";
import { playedChapters } from "#app/media/film/edition.ts";
import type { Inspection } from "#app/media/film/inspection.ts";
import { filmPath, packagedFilmPath } from "#app/paths.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { extensionOf } from "#app/platform/media-types.ts";
import { conversions } from "../conversions/film-conversions.server.ts";
import { remuxedContainerOf, standInsLack } from "../conversions/stand-ins.server.ts";
import { bestFirst, type RankedFilm } from "../offers/best-first.ts";
import { skipSegmentsOf } from "../offers/chapters.ts";
import { closedContainerOf } from "../offers/closed-containers.ts";
import { fontName, listServedFonts } from "../offers/listed-fonts.ts";
import {
  type FilmSubtitleForm,
  type ListedSubtitle,
  listSubtitlesOf,
  subtitleFileName,
} from "../offers/listed-subtitles.ts";
import { missingNote } from "../offers/missing-parts.ts";
import { type FilmTracks, filmTracks, isPackageable, isPlayable } from "../offers/packageable.ts";
import type {
  FilmContents,
  PlayableBitmaps,
  PlayableSource,
  PlayableSubtitle,
} from "../offers/playable-episode.ts";
import { defaultSound, mainName, playlistName, preparedName, wholeName } from "../offers/playlists.ts";
import { versionOf } from "../packaged/film-version.server.ts";

/** Adds the facts of the operator's films to episodes: packaged sources, chapters, subtitles, fonts and segments to skip. */

const noTracks: ReturnType<typeof tracksOf> = { inside: [], bitmaps: [], undrawable: [], fonts: [] };

/** The subtitles inside a film, and the addresses of its fonts. */
function tracksOf(film: ReadFilm) {
  const version = versionOf(film);
  const addressOf = (name: string) => packagedFilmPath(film.id, version, name);
  const fonts = listServedFonts(film.inspection).map((number) => addressOf(fontName(number)));
  const listed = listSubtitlesOf(film.inspection);
  const offerOf = (
    { number, language, label, role, isForDeaf }: ListedSubtitle,
    form: FilmSubtitleForm,
  ): PlayableBitmaps => ({
    url: addressOf(subtitleFileName(number, form)),
    language: language ?? "und",
    label,
    role,
    isForDeaf,
  });
  const inside = listed
    .filter((one) => one.script !== null)
    .map((one): PlayableSubtitle => {
      const drawnUrl = addressOf(subtitleFileName(one.number, "ass"));
      return { ...offerOf(one, "vtt"), drawn: one.script === "ass" ? { url: drawnUrl, fonts } : null };
    });
  const bitmaps = listed.filter((one) => one.bitmaps !== null).map((one) => offerOf(one, "sup"));
  const undrawable = listed
    .filter((one) => one.script === null && one.bitmaps === null)
    .map(({ label, codecLabel }) => `${label} (${codecLabel})`);
  return { inside, bitmaps, undrawable, fonts };
}

const isFilmUrl = (url: string) => isDemonstrationFilm(url) || isMediaUrl(url);

/**
 * All episodes must be of one title. For a single episode, waits until its films are read; for several, uses only films
 * that were read before.
 */
export async function readFilmFacts(episodes: readonly Episode[]) {
  const withFilms = episodes.filter(({ sources }) => sources.some(({ url }) => isFilmUrl(url)));
  const films = await readFilms(withFilms, episodes.length === 1);
  return {
    /** The address of a file in MEDIA_DIR. Null if the site knows no such film. */
    fileUrlOf(episode: number, url: string): string | null {
      const known = films.get(keyOf(episode, url));
      return known ? filmPath(known.id) : null;
    },
    /**
     * The site's own player loads subtitles separately, so its playlist leaves them out; the one for other players
     * lists them.
     */
    withFilms(episode: Episode, player: "own" | "other") {
      const knownAt = (url: string) => films.get(keyOf(episode.number, url));
      const filmOf = (url: string) => knownAt(url)?.film ?? null;
      const ordered = bestFirst(episode.sources, ({ url }) => knownAt(url)?.rank);
      const sources = ordered.flatMap((source) => sourcesOf(source, knownAt(source.url), player));
      const ofEpisode = ordered.flatMap(({ url }) => filmOf(url) ?? []);
      const chapters =
        ofEpisode.map(({ inspection }) => playedChapters(inspection)).find(({ length }) => length > 0) ?? [];
      // All subtitles come from one film: the timing of another film's subtitles may be off.
      const subtitled = ofEpisode.find(({ inspection }) => inspection.subtitles.length > 0) ?? ofEpisode[0];
      return {
        sources,
        chapters,
        missing: ofEpisode[0] ? missingNote(ofEpisode[0].inspection) : null,
        // Segments that an operator entered take precedence over the file's chapters.
        skipSegments: episode.skipSegments.length > 0 ? episode.skipSegments : skipSegmentsOf(chapters),
        ...(subtitled ? tracksOf(subtitled) : noTracks),
      };
    },
  };
}

/** `film` is null if the film was not read. */
type KnownFilm = { id: string; film: ReadFilm | null; rank: RankedFilm };
const keyOf = (episode: number, url: string) => `${episode} ${url}`;

async function readFilms(
  episodes: readonly Episode[],
  waits: boolean,
): Promise<ReadonlyMap<string, KnownFilm>> {
  const [first] = episodes;
  if (!first) return new Map();
  const numbers = episodes.map(({ number }) => number);
  const listRows = async () => (await listFilmsOf(first.malId, numbers)).filter(({ url }) => isFilmUrl(url));
  let rows = await listRows();
  const urls = episodes.flatMap(({ sources }) => sources).filter(({ url }) => isFilmUrl(url));
  if (rows.length < urls.length) {
    await registerImportedFilms();
    rows = await listRows();
  }
  const known = rows.map(
    async ({ episode, url, position, size, film: registered }): Promise<[string, KnownFilm]> => {
      const { id, path } = registered;
      const isClosed = !hasFilmRoots() && isMediaUrl(url);
      const film = isClosed ? null : waits ? await readOrForget(registered) : findRead(registered);
      const rank = { path, position, size, inspection: film?.inspection ?? null };
      return [keyOf(episode, url), { id, film, rank }];
    },
  );
  return new Map(await Promise.all(known));
}

const findRead = (film: Film): ReadFilm | null => (isReadFilm(film) ? film : null);

/** A film that cannot be read is offered without packaging. */
async function readOrForget(film: Film): Promise<ReadFilm | null> {
  try {
    return await readFilm(film);
  } catch (error) {
    log.warn("a film could not be read", { film: film.id, ...errorFields(error) });
    return null;
  }
}

/**
 * Lists the packaged source before the file. The site's own player requests a conversion only if its browser needs one;
 * other players get a packaged source only if it plays without conversion.
 */
function sourcesOf(
  source: Episode["sources"][number],
  known: KnownFilm | undefined,
  player: "own" | "other",
): PlayableSource[] {
  if (!known) return [source];
  const { film, rank } = known;
  if (!film) return [player === "own" ? { ...source, extension: extensionOf(rank.path) } : source];
  const isRemuxed = remuxedContainerOf(film) !== null;
  const tracks = filmTracks(film.inspection, conversions);
  const closedContainer = closedContainerOf(film, standInsLack);
  const contents = (uses: FilmTracks | null) =>
    contentsOf(film.inspection, uses, tracks !== null && conversions.isTooLarge(tracks.picture));
  const unreadable = closedContainer ? undefined : unreadableOf(film);
  const holds = {
    ...contents(null),
    ...(closedContainer && { closedContainer }),
    ...(unreadable && { unreadable }),
  };
  const file = holds.picture === null && !closedContainer && !unreadable ? source : { ...source, holds };
  // Other players open the file itself, so that they cannot make the site convert it.
  if (isRemuxed && (standInsLack !== null || player === "other")) return [file];
  if (isRemuxed && film.inspection.standsInFor === null) {
    const prepared = packagedFilmPath(film.id, versionOf(film), preparedName);
    const unknown = { isUnprepared: true as const, picture: null, sounds: [] };
    return [{ ...source, type: "hls", url: prepared, holds: unknown }, file];
  }
  if (!tracks || !(player === "own" ? isPlayable(tracks) : isPackageable(tracks))) return [file];
  const name = playlistName(player === "own" ? mainName : wholeName);
  const url = packagedFilmPath(film.id, versionOf(film), name);
  return [{ ...source, type: "hls", url, holds: contents(tracks) }, file];
}

/** `tracks`: how the tracks can be packaged or converted; null for the unpackaged file. */
function contentsOf(
  { video: [picture], ...held }: Inspection,
  tracks: FilmTracks | null,
  isTooLarge: boolean,
): FilmContents {
  const audio = tracks ? held.audio : held.audio.filter(({ beside }) => !beside);
  const first = defaultSound(audio);
  const sounds = first ? [first, ...audio.filter((one) => one !== first)] : [];
  const usesOf = (number: number) => tracks?.sounds.find((one) => one.number === number);
  return {
    ...(held.container === "matroska" && held.standsInFor === null && { isMatroska: true }),
    picture: picture
      ? {
          codec: tracks?.picture.isPackaged === false ? null : picture.codec,
          codecLabel: picture.codecLabel,
          hasOpenGroups: picture.hasOpenGroups,
          isConvertible: tracks?.picture.isConvertible ?? false,
          ...(isTooLarge && { tooLarge: { widthPx: picture.widthPx, heightPx: picture.heightPx } }),
        }
      : null,
    sounds: sounds.map(({ number, codec, codecLabel, language }) => ({
      codec: usesOf(number)?.isPackaged === false ? null : codec,
      number,
      codecLabel,
      language,
      isConvertible: usesOf(number)?.isConvertible ?? false,
    })),
  };
}

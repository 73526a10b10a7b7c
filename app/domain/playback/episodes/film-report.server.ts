import {
  countFilms,
  countRegisteredFilms,
  type Film,
  isReadFilm,
  listFilmsOf,
  listFirstFilms,
  listNewestFilms,
  listPathsOfSegments,
  mayChooseRoots,
  type ReadFilm,
} from "#app/domain/films/films.server.ts";
import {
  isMediaUrl,
  type UnreadableReason,
  unreadableFilmTexts,
  unreadableOf,
} from "#app/domain/films/films.ts";
import { missingParts } from "#app/media/film/edition.ts";
import type { AudioTrack, VideoTrack } from "#app/media/film/inspection.ts";
import { countText } from "#app/platform/count-text.ts";
import { env } from "#app/platform/process/env.server.ts";
import { filmCache } from "../conversions/film-cache.server.ts";
import { cacheText } from "../conversions/film-cache-size.ts";
import { conversions } from "../conversions/film-conversions.server.ts";
import { cacheBytesFor, standInsLack } from "../conversions/stand-ins.server.ts";
import { closedContainerOf } from "../offers/closed-containers.ts";
import { listServedFonts } from "../offers/listed-fonts.ts";
import { listSubtitlesOf } from "../offers/listed-subtitles.ts";
import { missingFiles } from "../offers/missing-parts.ts";
import { filmTracks, isPackageable, isPlayable } from "../offers/packageable.ts";
import type { FilmReport, ListedFilm } from "../offers/playable-episode.ts";
import { languageNameOf } from "../offers/playlists.ts";

/** Reports for operators: what a film contains, how it plays, and in which browsers it does not. */

export async function reportFilms(malId: number, episode: number): Promise<FilmReport[]> {
  const rows = await listFilmsOf(malId, [episode]);
  const context = await getReportContext(rows);
  return rows.map(({ url, film }) => reportOf(url, film, context));
}

type ReportContext = {
  paths: LinkedPaths;
  /** The size of the film cache. */
  cacheBytes: number;
};

async function getReportContext(rows: readonly { film: Film }[]): Promise<ReportContext> {
  const [paths, cacheBytes] = await Promise.all([getLinkedFiles(rows), filmCache.maxBytes()]);
  return { paths, cacheBytes };
}

type LinkedPaths = ReadonlyMap<string, string>;

/** The paths of the films to which these films refer, by their ids. */
async function getLinkedFiles(rows: readonly { film: Film }[]): Promise<LinkedPaths> {
  const parts = rows.flatMap(({ film }) => (isReadFilm(film) ? missingParts(film.inspection) : []));
  const ids = [...new Set(parts.map(({ segmentId }) => segmentId))];
  const files = ids.length > 0 ? await listPathsOfSegments(ids) : [];
  return new Map(files.map(({ segmentId, path }) => [segmentId, path]));
}

/** `all` and `unread` count the films that are sources of an episode. */
export async function reportNewestFilms(
  most: number,
): Promise<{ films: ListedFilm[]; all: number; unread: number }> {
  const [rows, counts] = await Promise.all([listNewestFilms(most), countFilms()]);
  const context = await getReportContext(rows);
  const films = rows.map(({ malId, title, episode, url, film }): ListedFilm => {
    const { plays, reason, tracks } = reportOf(url, film, context);
    return { malId, title, episode, url, plays, reason, tracks };
  });
  return { films, ...counts };
}

const firstFilms = 30;

/** The operator's first film that a browser plays, how many films have a title, and how many have not been read yet. */
export async function reportFirstFilm(): Promise<{
  film: Pick<ListedFilm, "malId" | "title" | "episode"> | null;
  registered: number;
  unread: number;
}> {
  const [rows, registered, { unread }] = await Promise.all([
    listFirstFilms(firstFilms),
    countRegisteredFilms(),
    countFilms(),
  ]);
  const context = { paths: new Map<string, string>(), cacheBytes: Number.POSITIVE_INFINITY };
  const reports = rows.map(({ film, url, ...about }) => ({ about, ...reportOf(url, film, context) }));
  const playing = reports.filter(({ plays }) => plays !== "nowhere" && plays !== "not read yet");
  // A film that needs no conversion starts sooner. A file that plays as it is with a reason may play in few browsers.
  const best = playing.find(({ plays, reason }) => plays !== "converted" && reason === null) ?? playing[0];
  return { film: best?.about ?? null, registered, unread };
}

function reportOf(url: string, film: Film, { paths, cacheBytes }: ReportContext): FilmReport {
  const filmId = isMediaUrl(url) ? film.id : null;
  if (!isReadFilm(film))
    return { filmId, url, plays: "not read yet", reason: null, tracks: [], chapters: 0, fonts: 0 };
  const { inspection } = film;
  const closed = closedContainerOf(film, standInsLack);
  const isOpened = closed === undefined || closed.site === "converts";
  const { plays, reason } = playabilityOf(film, cacheBytes);
  const missing = missingFiles(inspection, (segmentId) => paths.get(segmentId));
  return {
    filmId,
    url,
    plays,
    reason: [reason, missing].filter((one) => one !== null).join(" ") || null,
    tracks: [
      ...inspection.video.map(pictureOf),
      ...inspection.audio.map(soundOf),
      ...listSubtitlesOf(inspection).map(({ label, codecLabel, script, bitmaps }) => ({
        kind: "Subtitles" as const,
        label: `${label}, ${codecLabel}`,
        missingIn: script === null && bitmaps === null ? allBrowsers : null,
      })),
    ].map((track) => (isOpened ? track : { ...track, missingIn: allBrowsers })),
    chapters: inspection.chapters.length,
    fonts: listServedFonts(inspection).length,
  };
}

const allBrowsers = "all browsers";

/** A site that cannot have a media folder plans no memory for conversions. */
const noFolderText =
  env.MEDIA_DIR === undefined && !mayChooseRoots()
    ? "The site has no media folder (MEDIA_DIR), and converts nothing without one."
    : null;

const closedTexts = {
  ffmpeg: noFolderText ?? "With ffmpeg, the site converts it once and then plays it.",
  memory: noFolderText ?? "The memory of this site is too small to convert it.",
  never: "The site cannot convert it either. Convert it yourself, for example to MKV.",
};

/** Browsers may play a beginning of such a file, or all of it. */
const partlyReadable: ReadonlySet<UnreadableReason> = new Set(["cut-off", "compressed"]);

function playabilityOf(film: ReadFilm, cacheBytes: number): Pick<FilmReport, "plays" | "reason"> {
  const { inspection } = film;
  const { container, obstacle, video, audio } = inspection;
  const closed = closedContainerOf(film, standInsLack);
  if (closed && closed.site !== "converts")
    return { plays: "nowhere", reason: `No browser opens ${closed.name} files. ${closedTexts[closed.site]}` };
  if (closed && inspection.standsInFor === null) {
    const needed = cacheBytesFor(film);
    return needed > cacheBytes
      ? { plays: "nowhere", reason: `It is too large for the film cache. ${cacheText(needed, cacheBytes)}` }
      : {
          plays: "converted",
          reason: `No browser opens ${closed.name} files. The site converts it once, when somebody wants to watch it.`,
        };
  }
  const unreadable = unreadableOf(film);
  if (unreadable !== undefined) {
    const plays = partlyReadable.has(unreadable) && video.length > 0 ? "as it is" : "nowhere";
    return { plays, reason: unreadableFilmTexts[unreadable] };
  }
  const tracks = filmTracks(inspection, conversions);
  if (tracks && isPlayable(tracks))
    return { plays: isPackageable(tracks) ? "packaged" : "converted", reason: null };
  const [picture] = video;
  const unknown = picture?.codec === null ? picture : isSilent(audio) ? audio[0] : undefined;
  if (unknown)
    return { plays: "nowhere", reason: `No browser decodes ${unknown.codecLabel}. ${remedyFor(unknown)}` };
  if (obstacle === "no-index")
    return {
      plays: "as it is",
      reason: "It has no index. The site makes one when somebody opens the episode.",
    };
  if (container === "matroska") return { plays: "as it is", reason: "Not every browser opens MKV files." };
  const isUnknown = container === "other" || picture === undefined;
  return {
    plays: "as it is",
    reason: isUnknown ? "It is damaged, or of a format that the site does not read." : null,
  };
}

const remedyFor = (track: VideoTrack | AudioTrack) =>
  "widthPx" in track && conversions.isTooLarge(track)
    ? "It is too large to convert with the memory of this site, which suffices for 1080 lines."
    : (noFolderText ?? "With ffmpeg, the site converts it.");

/** The film has sound, but no browser decodes any of its tracks. */
const isSilent = (audio: readonly AudioTrack[]) =>
  audio.length > 0 && audio.every(({ codec }) => codec === null);

/**
 * The track's label and the browsers that do not play it. If the site converts the track, those browsers play the
 * conversion.
 */
const missing = (label: string, browsers: string | null, isConverted: boolean) =>
  isConverted && browsers !== null
    ? { label: `${label}, converted for ${browsers}`, missingIn: null }
    : { label, missingIn: browsers };

function pictureOf(track: VideoTrack) {
  const { codecLabel, bitDepth, widthPx, heightPx, codec, hasOpenGroups } = track;
  const depth = bitDepth === null ? "" : `, ${bitDepth} bit`;
  const name = rareAvc.test(codec ?? "") ? "H.264 of 10 bits" : codecLabel;
  const browsers = [lacking[name], hasOpenGroups && openGroups].filter(Boolean).join(", and ") || null;
  return {
    kind: "Picture" as const,
    ...missing(
      `${codecLabel}${depth}, ${widthPx} × ${heightPx}`,
      codec === null ? allBrowsers : browsers,
      conversions.ofPicture(track),
    ),
  };
}

function soundOf(track: AudioTrack) {
  const { codecLabel, language, title, channels, codec } = track;
  const name = language === null ? "Unknown language" : languageNameOf(language);
  const label = title === null ? name : `${name} (${title})`;
  return {
    kind: "Sound" as const,
    ...missing(
      `${label}, ${codecLabel}, ${countText(channels, "channel")}`,
      codec === null ? allBrowsers : (lacking[codecLabel] ?? null),
      conversions.ofSound(track),
    ),
  };
}

/** H.264 of 10 bits, or with more colours than films usually have. */
const rareAvc = /^avc1\.(?:6E|7A|F4)/i;

const openGroups = "Chrome and Edge, because it has open groups of pictures";

/** Browsers that do not decode a codec, by the codec's label. */
const lacking: Readonly<Record<string, string>> = {
  HEVC: "Chromium on Linux, and Chrome, Edge and Firefox on machines that do not decode it",
  "H.264 of 10 bits": "Firefox and Safari",
  AV1: "Safari on machines that do not decode it",
  "AC-3": "Chrome, Chromium and Firefox",
  "E-AC-3": "Chrome, Chromium and Firefox",
};

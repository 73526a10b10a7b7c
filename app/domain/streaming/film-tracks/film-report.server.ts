import { conversions } from "../conversions/film-conversions.server.ts";
import { listFilmsOf } from "../films/film-records.server.ts";
import type { AudioTrack, Inspection, VideoTrack } from "../inspection.ts";
import { isReadFilm } from "../packaging/inspected-films.server.ts";
import { filmTracks, isPackageable, isPlayable } from "../packaging/packageable.ts";
import type { FilmReport } from "../playable-episode.ts";
import { listServedFonts } from "./listed-fonts.ts";
import { listSubtitlesOf } from "./listed-subtitles.ts";

/** What operators see of a film: what it holds, how it plays, and where it does not. */

export async function reportFilms(malId: number, episode: number): Promise<FilmReport[]> {
  const rows = await listFilmsOf(malId, [episode]);
  return rows.map(({ url, film }): FilmReport => {
    if (!isReadFilm(film))
      return { url, plays: "not read yet", obstacle: null, tracks: [], chapters: 0, fonts: 0 };
    const { inspection } = film;
    return {
      url,
      plays: waysOf(inspection),
      obstacle: inspection.obstacle,
      tracks: [
        ...inspection.video.map((track) => pictureOf(track)),
        ...inspection.audio.map((track) => soundOf(track)),
        ...listSubtitlesOf(inspection).map(({ label, codecLabel, script }) => ({
          kind: "Subtitles" as const,
          label: `${label}, ${codecLabel}`,
          missingIn: script === null ? "all browsers" : null,
        })),
      ],
      chapters: inspection.chapters.length,
      fonts: listServedFonts(inspection).length,
    };
  });
}

function waysOf(inspection: Inspection): FilmReport["plays"] {
  const tracks = filmTracks(inspection, conversions);
  if (!tracks || !isPlayable(tracks)) return "as it is";
  return isPackageable(tracks) ? "packaged" : "converted";
}

/** Where a track does not play. In those browsers, a conversion plays instead if the site makes one. */
const missing = (label: string, browsers: string | null, isConverted: boolean) =>
  isConverted && browsers !== null
    ? { label: `${label}, converted for ${browsers}`, missingIn: null }
    : { label, missingIn: browsers };

function pictureOf(track: VideoTrack) {
  const { codecLabel, bitDepth, widthPx, heightPx, codec, hasOpenGroups } = track;
  const depth = bitDepth === null ? "" : `, ${bitDepth} bit`;
  const name = codecLabel === "H.264" && bitDepth === 10 ? "H.264 of 10 bits" : codecLabel;
  const browsers = [lacking[name], hasOpenGroups && openGroups].filter(Boolean).join(", and ") || null;
  return {
    kind: "Picture" as const,
    ...missing(
      `${codecLabel}${depth}, ${widthPx} × ${heightPx}`,
      codec === null ? "all browsers" : browsers,
      conversions.ofPicture(track),
    ),
  };
}

const languageNames = new Intl.DisplayNames(["en"], { type: "language" });

function soundOf(track: AudioTrack) {
  const { codecLabel, language, title, channels, codec } = track;
  const name = language === null ? "Unknown language" : (languageNames.of(language) ?? language);
  const named = title === null ? name : `${name} (${title})`;
  return {
    kind: "Sound" as const,
    ...missing(
      `${named}, ${codecLabel}, ${channels} ${channels === 1 ? "channel" : "channels"}`,
      codec === null ? "all browsers" : (lacking[codecLabel] ?? null),
      conversions.ofSound(track),
    ),
  };
}

const openGroups = "Chrome and Edge, because it has open groups of pictures";

/** The browsers that do not decode what MP4 can hold. */
const lacking: Readonly<Record<string, string>> = {
  HEVC: "Chromium on Linux, and Chrome, Edge and Firefox on machines that do not decode it",
  "H.264 of 10 bits": "Firefox and Safari",
  AV1: "Safari on machines that do not decode it",
  "AC-3": "Chrome, Chromium and Firefox",
  "E-AC-3": "Chrome, Chromium and Firefox",
};

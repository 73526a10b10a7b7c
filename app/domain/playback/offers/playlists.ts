import type { Inspection } from "#app/media/film/inspection.ts";
import type { PlannedSegment } from "#app/media/segments/segment-plan.ts";
import { distinctNames } from "./distinct-names.ts";
import { type ListedSubtitle, subtitleFileName, subtitleName } from "./listed-subtitles.ts";
import type { OfferedTracks, Variant } from "./packageable.ts";

/** Writes the playlists of a packaged film (RFC 8216bis). Their addresses are relative to each other. */

export const mainName = "main";
/** The playlist that also lists the subtitles, for players that get them in no other way. */
export const wholeName = "all";
/** Not a playlist, but the address at which a film is prepared. */
export const preparedName = "prepared";
/** Reads the variant from the name of a multivariant playlist, for example `main-h-c-a3.m3u8`. */
export function variantOf(name: string): Variant | null {
  const [whole, picture, sound, chosen] = /^main(-h)?(-cc?)?(?:-a([1-9]\d{0,8}))?\.m3u8$/.exec(name) ?? [];
  if (whole === undefined) return null;
  return {
    isPictureConverted: picture !== undefined,
    convertedSound: sound === undefined ? "none" : sound === "-c" ? "rare" : "all",
    chosen: chosen === undefined ? null : Number(chosen),
  };
}
export const pictureName = (isConverted: boolean) => (isConverted ? "h" : "v");
export const soundName = (number: number, isConverted: boolean) => `${isConverted ? "c" : "a"}${number}`;
export const playlistName = (name: string) => `${name}.m3u8`;
export const initName = (name: string) => `${name}.mp4`;
export const segmentName = (name: string, index: number) => `${name}-${index}.m4s`;

/** Codec names that HLS spells differently from browsers. */
const hlsNames: Readonly<Record<string, string>> = { flac: "fLaC", opus: "Opus" };
const hlsName = (codec: string) => hlsNames[codec] ?? codec;

type MainOptions = {
  chosen: number | null;
  bitsPerSecond: number;
  subtitles?: readonly ListedSubtitle[];
};

/**
 * `chosen` is the number of the sound track that plays first. CODECS names only that track's codec: a player skips a
 * stream with a codec that it lacks, so naming an AC-3 track beside it would take the whole film away.
 */
export function multivariantPlaylist(
  { picture, sounds }: OfferedTracks,
  { chosen, bitsPerSecond, subtitles = [] }: MainOptions,
): string {
  const first = sounds.find(({ number }) => number === chosen) ?? defaultSound(sounds);
  const names = distinctNames(sounds.map(soundLabel));
  const renditions = sounds.map((sound, index) =>
    attributes("EXT-X-MEDIA", {
      TYPE: "AUDIO",
      "GROUP-ID": quoted("sound"),
      NAME: quoted(names[index] ?? ""),
      LANGUAGE: sound.language === null ? null : quoted(sound.language),
      DEFAULT: sound === first ? "YES" : "NO",
      AUTOSELECT: sound === first || !(sound.isCommentary || sound.isForVisualImpaired) ? "YES" : "NO",
      CHANNELS: quoted(String(sound.channels)),
      CHARACTERISTICS: sound.isForVisualImpaired ? quoted("public.accessibility.describes-video") : null,
      URI: quoted(playlistName(soundName(sound.number, sound.isConverted))),
    }),
  );
  const stream = attributes("EXT-X-STREAM-INF", {
    BANDWIDTH: String(bitsPerSecond),
    CODECS: quoted([picture.codec, ...(first ? [first.codec] : [])].map(hlsName).join(",")),
    RESOLUTION: picture.widthPx > 0 ? `${picture.shownWidthPx ?? picture.widthPx}x${picture.heightPx}` : null,
    AUDIO: first ? quoted("sound") : null,
    SUBTITLES: subtitles.length > 0 ? quoted("subtitles") : null,
  });
  const streams = [stream, playlistName(pictureName(picture.isConverted))];
  const all = [...renditions, ...subtitles.map(subtitleRendition)];
  return lines("#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS", ...all, ...streams);
}

const forTheDeaf =
  "public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound";

const subtitleRendition = ({ number, language, label, role, isForDeaf }: ListedSubtitle) =>
  attributes("EXT-X-MEDIA", {
    TYPE: "SUBTITLES",
    "GROUP-ID": quoted("subtitles"),
    NAME: quoted(label),
    LANGUAGE: language === null ? null : quoted(language),
    DEFAULT: "NO",
    AUTOSELECT: role === "commentary" || role === "descriptions" ? "NO" : "YES",
    FORCED: role === "signs" ? "YES" : "NO",
    CHARACTERISTICS: isForDeaf ? quoted(forTheDeaf) : null,
    URI: quoted(playlistName(subtitleName(number))),
  });

/** The whole subtitle file is one segment. */
export const subtitlePlaylist = (number: number, durationSeconds: number): string =>
  lines(
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    `#EXT-X-TARGETDURATION:${Math.ceil(durationSeconds)}`,
    "#EXT-X-PLAYLIST-TYPE:VOD",
    `#EXTINF:${durationSeconds.toFixed(5)},`,
    subtitleFileName(number, "vtt"),
    "#EXT-X-ENDLIST",
  );

/** The track that the file marks as default. A commentary or an audio description comes first only if there is nothing else. */
export function defaultSound<Sound extends SoundTrack>(sounds: readonly Sound[]): Sound | undefined {
  const ordinary = sounds.filter((one) => !one.isCommentary && !one.isForVisualImpaired);
  return ordinary.find(({ isDefault }) => isDefault) ?? ordinary[0] ?? sounds[0];
}

export function mediaPlaylist(
  name: string,
  segments: readonly Pick<PlannedSegment, "start" | "end">[],
): string {
  const longest = segments.reduce((most, { start, end }) => Math.max(most, end - start), 0);
  return lines(
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.round(longest))}`,
    "#EXT-X-PLAYLIST-TYPE:VOD",
    `#EXT-X-MAP:URI="${initName(name)}"`,
    ...segments.flatMap(({ start, end }, index) => [
      `#EXTINF:${(end - start).toFixed(5)},`,
      segmentName(name, index),
    ]),
    "#EXT-X-ENDLIST",
  );
}

const lines = (...all: string[]) => `${all.join("\n")}\n`;

/** Replaces quotes and line breaks, so that text from the film cannot end the attribute's value. */
const quoted = (text: string) => `"${text.replace(/["\r\n]/g, "'")}"`;

function attributes(tag: string, values: Record<string, string | null>): string {
  const list = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${value}`],
  );
  return `#${tag}:${list.join(",")}`;
}

type SoundTrack = Inspection["audio"][number];

/** The layouts of sound with more than two channels, by the number of channels. */
const layouts: Readonly<Record<number, string>> = { 6: "5.1", 7: "6.1", 8: "7.1" };

const languageNames = new Intl.DisplayNames(["en"], { type: "language" });
export const languageNameOf = (language: string) => languageNames.of(language) ?? language;

/** Some programs title tracks by their layout or codec alone, which does not tell two languages apart. */
const titleOfLayout =
  /^(?:(?:mono|stereo|surround|\d\.\d|\d ?ch|aac|(?:e-?)?ac-?3|flac|opus|l?pcm|dts|hd|ma|truehd|atmos)[\s,()[\]/-]*)+$/i;

/**
 * The title that the file gives the track, otherwise its language, for example "Japanese, 5.1". `index`: the place of
 * the track among the film's sound.
 */
function soundLabel({ title, language, channels, ...track }: SoundTrack, index: number): string {
  const languageName = language === null ? null : languageNameOf(language);
  const layout = layouts[channels];
  const untitled = languageName === null ? `Sound ${index + 1} (no language given)` : languageName;
  const titled =
    title !== null && languageName !== null && titleOfLayout.test(title)
      ? `${languageName}, ${title}`
      : title;
  const name = titled ?? (layout === undefined ? untitled : `${untitled}, ${layout}`);
  const note = track.isForVisualImpaired ? " (audio description)" : track.isCommentary ? " (commentary)" : "";
  return name + note;
}

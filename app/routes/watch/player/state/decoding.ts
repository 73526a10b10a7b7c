import type { FilmContents } from "#app/domain/playback/playback.ts";

/**
 * Finds the tracks of a film that this browser decodes. A browser plays a track that it cannot decode as silence or a
 * black picture.
 */

type ClosedContainer = NonNullable<FilmContents["closedContainer"]>;

export type Decodes = (kind: "video" | "audio", codec: string, hasOpenGroups?: boolean) => boolean;

export const decodesHere: Decodes = (kind, codec, hasOpenGroups = false) =>
  codec === mp3 ||
  typeof MediaSource === "undefined" ||
  (MediaSource.isTypeSupported(`${kind}/${webmCodecs.has(codec) ? "webm" : "mp4"}; codecs="${codec}"`) &&
    !(hasOpenGroups && needsIdrPictures()));

/** Codecs that browsers play in WebM only. Films with them are never packaged. */
const webmCodecs: ReadonlySet<string> = new Set(["vorbis", "vp8"]);

/** MP3 in MP4. All browsers play it, but some report this codec name as unknown. MP3 is never packaged. */
const mp3 = "mp4a.6B";

/**
 * Chromium, also in Edge and other browsers, cannot seek in open groups of pictures. No browser reports how it seeks,
 * so the user agent decides.
 */
const needsIdrPictures = () => navigator.userAgent.includes("Chrome/");

type Sound = FilmContents["sounds"][number];
type Picture = NonNullable<FilmContents["picture"]>;
type Track = Pick<Picture, "codec" | "codecLabel" | "tooLarge">;

const isDecoded = (
  kind: "video" | "audio",
  { codec, hasOpenGroups }: Pick<Picture, "codec" | "hasOpenGroups">,
  decodes: Decodes,
) => codec !== null && decodes(kind, codec, hasOpenGroups);

/** The first sound track that this browser can play, as it is or converted. The film's default track is tried first. */
export const firstAudible = (holds: FilmContents, decodes: Decodes): Sound | undefined =>
  holds.sounds.find(
    (sound) => sound.isConvertible || (isDecoded("audio", sound, decodes) && !isSilent(holds, sound)),
  );

/** Firefox opens Matroska files, but does not play the MP3 sound in them. */
const isSilent = ({ isMatroska = false }: FilmContents, { codec }: Sound) =>
  isMatroska && codec === mp3 && navigator.userAgent.includes("Firefox/");

/**
 * The address of a packaged film for this browser: the film begins with a sound track that the browser decodes, and
 * tracks that the browser does not decode are converted.
 */
export function decodableUrl(
  url: string,
  holds: FilmContents,
  decodes: Decodes,
  convertedSound: "rare" | "all" = "rare",
): string {
  const { picture, sounds } = holds;
  const needsPicture = picture !== null && !isDecoded("video", picture, decodes) && picture.isConvertible;
  const needsSound = sounds.some((sound) => sound.isConvertible && !isDecoded("audio", sound, decodes));
  const first = firstAudible(holds, decodes);
  const chosen = first && first !== sounds[0] ? `-a${first.number}` : "";
  const name = `main${needsPicture ? "-h" : ""}${needsSound ? (convertedSound === "all" ? "-cc" : "-c") : ""}${chosen}.m3u8`;
  return url.replace(/main\.m3u8$/, name);
}

/**
 * The addresses to try one after the other if the browser refuses the film although it says that it decodes it: with
 * the tracks that it says it decodes, with all sound converted, and with the picture converted too.
 */
export function addressesToTry(url: string, holds: FilmContents, decodes: Decodes): string[] {
  const decodesPicture: Decodes = (kind, ...codec) => kind === "video" && decodes(kind, ...codec);
  const addresses = [
    decodableUrl(url, holds, decodes),
    decodableUrl(url, holds, decodesPicture, "all"),
    decodableUrl(url, holds, () => false, "all"),
  ];
  return [...new Set(addresses)];
}

/**
 * The address under which the film begins with the sound track of `rendition`. hls.js keeps the decoder of the codec
 * that it began with, so a track with another codec needs another address. Null if hls.js can change to the track by
 * itself.
 */
export function urlForCodec(
  url: string,
  { sounds }: FilmContents,
  playing: string | undefined,
  rendition: string,
): string | null {
  const trackAt = (address = "") => {
    const [, kind, number = ""] = /\/([ac])([1-9]\d{0,8})\.m3u8$/.exec(address) ?? [];
    const codec = sounds.find((sound) => sound.number === Number(number))?.codec?.split(".")[0];
    return { number, codec: kind === "c" ? "mp4a" : codec };
  };
  const now = trackAt(playing);
  const next = trackAt(rendition);
  if (now.codec === undefined || next.codec === undefined || now.codec === next.codec) return null;
  return url.replace(/(main(?:-h)?(?:-cc?)?)(?:-a\d+)?\.m3u8$/, `$1-a${next.number}.m3u8`);
}

const players: Readonly<Record<string, string>> = {
  "AC-3": "Safari and Edge can.",
  "E-AC-3": "Safari and Edge can.",
  MP3: "Chrome and Edge can.",
  HEVC: "Safari can, and Chrome, Edge and Firefox on many machines.",
  "H.264": "Chrome and Edge can.",
};

/** Says why this browser cannot play the film. Null if it plays both picture and sound. */
export function undecodableText(holds: FilmContents, decodes: Decodes): string | null {
  const { closedContainer, picture, sounds } = holds;
  if (closedContainer) return containerText(closedContainer);
  if (picture && !picture.isConvertible && !isDecoded("video", picture, decodes))
    return picture.hasOpenGroups && isDecoded("video", { ...picture, hasOpenGroups: false }, decodes)
      ? `${openGroupsText} ${adviceFor(picture)}`
      : textOf("picture", picture);
  const [sound] = sounds;
  return sound && !firstAudible(holds, decodes) ? textOf("sound", sound) : null;
}

const inAnotherPlayer = "Open the file in a player on your machine, such as VLC or mpv";

const unreadableTexts = {
  empty: "The file of this video is empty. The operator of this site has to replace it.",
  "cut-off":
    "The file of this video ends too early: it was not copied as a whole. The operator of this site has to replace it.",
  damaged: "The file of this video is damaged, or no video: nothing in it can be read.",
  encrypted: "The file of this video is encrypted, so only programs of its seller can play it.",
  compressed: `The picture or sound of this video is compressed in a way that browsers do not read. ${inAnotherPlayer}.`,
} as const;

/** Says why a file that the site cannot play does not play. Null for all others. */
export const unreadableText = (holds: FilmContents | undefined): string | null =>
  holds?.unreadable ? unreadableTexts[holds.unreadable] : null;

const siteTexts: Record<ClosedContainer["site"], string> = {
  ffmpeg: `${inAnotherPlayer}, or ask the operator of this site: with ffmpeg, it converts such videos.`,
  memory: `${inAnotherPlayer}, or ask the operator of this site: with more memory, it converts such videos.`,
  never: `This site does not convert them either. ${inAnotherPlayer}, or ask the operator of this site to convert the file, for example to MKV.`,
  converts: `${inAnotherPlayer}.`,
};
const containerText = ({ name, site }: ClosedContainer) =>
  `No browser opens ${name} files. ${siteTexts[site]}`;

const advice = `${inAnotherPlayer}, or ask the operator of this site: with ffmpeg, and enough memory for its size, it converts such videos.`;

const openGroupsText =
  "This browser shows nothing of this video after a jump to another place (H.264 with open groups of pictures). Firefox and Safari do.";

const adviceFor = ({ tooLarge }: Pick<Track, "tooLarge">) =>
  tooLarge
    ? `With ${tooLarge.widthPx} × ${tooLarge.heightPx} pixels, the video is too large for this site to convert. ${inAnotherPlayer}, or ask the operator of this site to give it more memory.`
    : advice;

function textOf(what: string, track: Track): string {
  const { codec, codecLabel } = track;
  if (codec === null)
    return `No browser decodes the ${what} of this video (${codecLabel}). ${adviceFor(track)}`;
  const others = players[codecLabel];
  return [`This browser cannot decode the ${what} of this video (${codecLabel}).`, others, adviceFor(track)]
    .filter((one) => one !== undefined)
    .join(" ");
}

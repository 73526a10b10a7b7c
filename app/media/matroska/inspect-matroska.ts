import { type ChapterStart, withEnds } from "../film/chapter-ends.ts";
import { DamagedFilm, type FilmBytes } from "../film/film-bytes.ts";
import {
  type AttachedFont,
  type AudioTrack,
  type EditionPart,
  type Inspected,
  type Inspection,
  inspectionFormat,
  type KeyFrame,
  type LinkedFile,
  type SubtitleTrack,
} from "../film/inspection.ts";
import { findSpans, nanoseconds } from "./clusters.ts";
import { childFields, childrenOf, readEbmlText, readFloat, readUnsigned } from "./ebml.ts";
import { ids } from "./element-ids.ts";
import { type IndexEntry, readIndexEntries } from "./index-entries.ts";
import { type MatroskaFile, openMatroska } from "./matroska-file.ts";
import { hasOpenGroups, listsOtherPictures } from "./open-groups.ts";
import { type MatroskaTracks, readTracks } from "./tracks.ts";

/** Reads the contents of a Matroska film from its head and its index. The picture and the sound are not read. */

/** Null: the file is not Matroska. */
export function inspectMatroska(film: FilmBytes): Inspected | null {
  const file = openMatroska(film);
  if (!file) return null;
  const info = readInfo(file.read(ids.info));
  const { timestampScale } = info;
  const tracks = readTracks(file.read(ids.tracks));
  const [shown] = tracks.video;
  // A file with sound only has an index of its sound.
  const indexed = shown?.number ?? tracks.audio[0]?.number;
  const cues = readIndexEntries(file);
  const listed = indexed === undefined ? [] : keyFramesOf(cues, indexed, timestampScale);
  // A segment can begin at a key frame only, so the site makes an index of its own.
  const isUnusable = shown && listsOtherPictures(film, { ...shown, timestampScale }, listed);
  const keyFrames = isUnusable ? [] : listed;
  const { audio, durationSeconds } = findSpans(film, file, {
    ...info,
    picture: shown?.number,
    audio: tracks.audio,
    keyFrames,
  });
  const { segmentId, linkedFiles } = info;
  const { chapters, edition } = readChapters(file.read(ids.chapters), { segmentId, durationSeconds });
  const inspection: Inspection = {
    format: inspectionFormat,
    container: file.docType === "webm" ? "webm" : "matroska",
    standsInFor: null,
    durationSeconds,
    video: tracks.video.map((track) => ({
      ...track,
      hasOpenGroups:
        track.codecLabel === openedCodec && hasOpenGroups(film, { ...track, timestampScale }, keyFrames),
    })),
    audio: audio.map((track) => (file.docType === "webm" ? withWebmCodec(track) : track)),
    subtitles: tracks.subtitles.map((track) => withLineCount(track, cues)),
    chapters,
    edition,
    segmentId,
    // The specification lets an ordered edition take precedence over linked files.
    linkedFiles: edition ? [] : linkedFiles,
    fonts: listFonts(file),
    soundFiles: [],
    obstacle: obstacleOf(tracks, keyFrames),
  };
  return {
    inspection,
    keyFrames: keyFrames.length === 0 ? null : withSoundBefore(keyFrames, file.firstCluster),
  };
}

/**
 * A still picture is often stored behind the sound of seconds or minutes, because its encoder waits for more pictures.
 * Segments are read from the position of a key frame on, so that of the first one comes before all sound.
 */
export function withSoundBefore(keyFrames: readonly KeyFrame[], firstCluster: number | null): KeyFrame[] {
  const [first, ...others] = keyFrames;
  return first ? [{ ...first, at: firstCluster ?? first.at }, ...others] : [];
}

/** Vorbis has no name in MP4, so it is never packaged. Browsers play it in WebM files. */
const withWebmCodec = (track: AudioTrack): AudioTrack =>
  track.codecLabel === "Vorbis" ? { ...track, codec: "vorbis" } : track;

/** Only H.264 is checked for open groups, because browsers can begin at an open group of other codecs. */
const openedCodec = "H.264";

/** The facts that are needed to make an index. */
export function openForIndex(film: FilmBytes) {
  const file = openMatroska(film);
  const picture = file && readTracks(file.read(ids.tracks)).video[0];
  const firstCluster = file?.firstCluster ?? null;
  if (!file || firstCluster === null || !picture) throw new DamagedFilm("the film has no picture");
  const { timestampScale } = readInfo(file.read(ids.info));
  const { number: track, codecLabel } = picture;
  return { firstCluster, track, timestampScale, canHaveOpenGroups: codecLabel === openedCodec };
}

function obstacleOf(
  { video, audio, compressed, encrypted }: MatroskaTracks,
  keyFrames: readonly KeyFrame[],
): Inspection["obstacle"] {
  const played = [...video.slice(0, 1), ...audio].map(({ number }) => number);
  if (played.some((number) => encrypted.includes(number))) return "encrypted";
  if (played.some((number) => compressed.includes(number))) return "compressed";
  return keyFrames.length === 0 ? "no-index" : null;
}

export const readTimestampScale = (file: MatroskaFile): number =>
  readInfo(file.read(ids.info)).timestampScale;

function readInfo(content: Uint8Array) {
  const fields = childFields(content);
  const scale = fields.get(ids.timestampScale);
  const timestampScale = scale === undefined ? 1_000_000 : readUnsigned(scale);
  if (timestampScale < 1 || timestampScale > 1e9) throw new DamagedFilm("the film has no usable clock");
  const duration = fields.get(ids.duration);
  const seconds = duration === undefined ? Number.NaN : readFloat(duration) * timestampScale * nanoseconds;
  const linkedFile = (place: LinkedFile["place"], id: number, name: number): LinkedFile[] => {
    const segmentId = segmentIdOf(fields.get(id));
    const fileName = fields.get(name);
    return segmentId === null
      ? []
      : [{ place, segmentId, fileName: (fileName && readEbmlText(fileName)) || null }];
  };
  return {
    timestampScale,
    durationSeconds: seconds > 0 && seconds < 1e6 ? seconds : null,
    segmentId: segmentIdOf(fields.get(ids.segmentId)),
    linkedFiles: [
      ...linkedFile("before", ids.previousSegmentId, ids.previousFileName),
      ...linkedFile("after", ids.nextSegmentId, ids.nextFileName),
    ],
  };
}

const segmentIdBytes = 16;

/** Some programs write zeros instead of leaving an id out. */
const segmentIdOf = (content: Uint8Array | undefined): string | null =>
  content?.length === segmentIdBytes && content.some((byte) => byte !== 0)
    ? Buffer.from(content).toString("hex")
    : null;

function keyFramesOf(cues: readonly IndexEntry[], track: number, timestampScale: number): KeyFrame[] {
  const frames = new Map<number, KeyFrame>();
  for (const { ticks, clusterAt: at, ...cue } of cues)
    if (cue.track === track) frames.set(ticks, { seconds: ticks * timestampScale * nanoseconds, at });
  return [...frames.values()].sort((one, other) => one.seconds - other.seconds);
}

/** Counts the lines in the index. Muxers list each line there, because lines are few. */
function withLineCount(track: SubtitleTrack, cues: readonly IndexEntry[]): SubtitleTrack {
  const lines = cues.filter((cue) => cue.track === track.number).length;
  return { ...track, lines: lines === 0 ? null : lines };
}

const maxChapters = 500;

type OfFile = { segmentId: string | null; durationSeconds: number | null };

/** An edition with more parts than `maxChapters` is no real one, so the film is played from its beginning to its end. */
function readChapters(content: Uint8Array, { segmentId, durationSeconds }: OfFile) {
  const editions = [...childrenOf(content)]
    .filter(({ id }) => id === ids.edition)
    .map((one) => [...childrenOf(one.content)]);
  const hasFlag = (edition: (typeof editions)[number], id: number) =>
    edition.some((child) => child.id === id && readUnsigned(child.content) === 1);
  const shown = editions.filter((edition) => !hasFlag(edition, ids.editionFlagHidden));
  const edition = shown.find((one) => hasFlag(one, ids.editionFlagDefault)) ?? shown[0] ?? [];
  const atoms = edition.filter(({ id }) => id === ids.chapterAtom);
  const isOrdered = hasFlag(edition, ids.editionFlagOrdered) && atoms.length <= maxChapters;
  const read = atoms.slice(0, maxChapters).flatMap((atom) => readChapter(atom.content, segmentId) ?? []);
  const starts = read.filter(({ isHidden, otherFile }) => !isHidden && (!isOrdered || otherFile === null));
  return {
    chapters: withEnds(
      starts.map(({ title, start, end }): ChapterStart => ({ title, start, end })),
      durationSeconds,
    ),
    edition: isOrdered ? read : null,
  };
}

/** Null: the chapter has no start, or is not used. Chapters inside of it are not read. */
function readChapter(atom: Uint8Array, ownSegmentId: string | null): EditionPart | null {
  const children = [...childrenOf(atom)];
  const contentOf = (id: number) => children.find((child) => child.id === id)?.content;
  const numberOf = (id: number) => {
    const content = contentOf(id);
    return content && readUnsigned(content);
  };
  const start = numberOf(ids.chapterStart);
  if (start === undefined || numberOf(ids.chapterFlagEnabled) === 0) return null;
  const display = contentOf(ids.chapterDisplay);
  const name = display && [...childrenOf(display)].find(({ id }) => id === ids.chapterName);
  const end = numberOf(ids.chapterEnd);
  const segmentId = segmentIdOf(contentOf(ids.chapterSegmentId));
  return {
    title: (name && readEbmlText(name.content)) || null,
    start: start * nanoseconds,
    end: end === undefined ? null : end * nanoseconds,
    isHidden: numberOf(ids.chapterFlagHidden) === 1,
    otherFile: segmentId === ownSegmentId ? null : segmentId,
  };
}

const maxAttachments = 1000;
const fontTypes = /^(?:font\/|application\/(?:x-)?(?:font|truetype|opentype|vnd\.ms-opentype))/i;

/** Lists the names and positions of the fonts, without reading their bytes. */
function listFonts(file: MatroskaFile): AttachedFont[] {
  const part = file.parts.get(ids.attachments);
  const fonts: AttachedFont[] = [];
  if (!part || part.end === null) return fonts;
  let at = part.start;
  for (let count = 0; at < part.end && count < maxAttachments; count++) {
    const attached = file.readHead(at);
    if (!attached || attached.end === null || attached.end > part.end) break;
    const font = attached.id === ids.attachedFile ? readAttachment(file, attached.start, attached.end) : null;
    if (font && (fontTypes.test(font.type) || /\.(?:ttf|otf|ttc|woff2?)$/i.test(font.name))) fonts.push(font);
    at = attached.end;
  }
  return fonts;
}

function readAttachment(file: MatroskaFile, start: number, end: number): AttachedFont | null {
  const font = { name: "", type: "", at: 0, size: 0 };
  let at = start;
  for (let count = 0; at < end && count < 16; count++) {
    const field = file.readHead(at);
    if (!field || field.end === null || field.end > end) return null;
    const size = field.end - field.start;
    if (field.id === ids.fileName) font.name = readEbmlText(file.readAt(field.start, Math.min(size, 1024)));
    if (field.id === ids.fileMediaType)
      font.type = readEbmlText(file.readAt(field.start, Math.min(size, 256)));
    if (field.id === ids.fileData) Object.assign(font, { at: field.start, size });
    at = field.end;
  }
  return font.size > 0 && at <= file.size ? font : null;
}

import { LRUCache } from "lru-cache";
import { done, type Outcome, refuse, ThrownRefusal } from "#app/domain/errors.ts";
import {
  ChildError,
  type FilmFile,
  findFilmFile,
  isFilmQueueFull,
  orderFilm,
  readKeyFrames,
} from "#app/domain/films/films.server.ts";
import { endOf, piecesOf } from "#app/media/film/edition.ts";
import { type AudioTrack, numberInFile, type SoundFile } from "#app/media/film/inspection.ts";
import type { FilmOrder, FilmVersion } from "#app/media/film-work/film-job.ts";
import { unpackKeyFrames } from "#app/media/segments/key-frames.ts";
import { type PlannedSegment, planPicture, planSound } from "#app/media/segments/segment-plan.ts";
import { createSharedWork } from "#app/platform/limits/shared-work.ts";
import { playlistType } from "#app/platform/media-types.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { mebibytes, seconds } from "#app/platform/units.ts";
import { type Conversion, readConverted } from "../conversions/conversions.server.ts";
import {
  type ConvertedFilm,
  convertFilmSound,
  convertPicture,
} from "../conversions/film-conversions.server.ts";
import { type ListedSubtitle, listSubtitlesOf, subtitleName } from "../offers/listed-subtitles.ts";
import { asItIs, type FilmTracks, filmTracks, offeredTracks } from "../offers/packageable.ts";
import {
  initName,
  mediaPlaylist,
  multivariantPlaylist,
  pictureName,
  playlistName,
  segmentName,
  soundName,
  subtitlePlaylist,
  variantOf,
  wholeName,
} from "../offers/playlists.ts";
import {
  type FilmAddress,
  fileVersionOf,
  noSuchPart,
  openVersion,
  type PartAddress,
} from "./film-version.server.ts";
import { preparationRefusal } from "./preparation.server.ts";

/** Makes the playlists, init segments and segments of a film when they are requested. Any instance can make them. */

/**
 * `isImmutable`: the part is cut from the file without conversion, so it is the same each time it is cut. A repeated
 * conversion has other bytes.
 */
export type PackagedPart = { type: string; bytes: Buffer; isImmutable?: boolean };
export type Requester = { client: string; signal: AbortSignal };

type Track = {
  type: "video/mp4" | "audio/mp4";
  file: FilmVersion;
  /** The track's number in that file. */
  number: number;
  segments: readonly PlannedSegment[];
  /** Null if the segments are cut from the file without conversion. */
  conversion: Conversion | null;
};
type FilmPlan = {
  /** Names the film and the version of its file. */
  key: string;
  tracks: FilmTracks;
  subtitles: ListedSubtitle[];
  durationSeconds: number;
  byName: ReadonlyMap<string, Track>;
  bitsPerSecond: number;
};

/**
 * Players request a part every few seconds. An entry expires after ten, because an operator may hide the film or
 * replace its file.
 */
const filmPlans = new LRUCache<string, FilmPlan>({ max: 50, ttl: seconds(10) });
const parts = new LRUCache<string, Buffer>({
  maxSize: mebibytes(Math.max(1, (3 / 8) * memoryPlan.filmSegments)),
  sizeCalculation: ({ length }) => Math.max(1, length),
});
const cutting = createSharedWork<Buffer>(() => false, isFilmQueueFull);

export async function readPackagedPart(
  address: PartAddress,
  requester: Requester,
): Promise<Outcome<PackagedPart>> {
  try {
    const film = await planOf(address, requester.client);
    if (!film) return noSuchPart;
    const playlist = playlistOf(film, address.name);
    if (playlist !== null) return done({ type: playlistType, bytes: Buffer.from(playlist) });
    const trackPart = findPart(film, address.name);
    if (!trackPart) return noSuchPart;
    const { track, part, segment } = trackPart;
    const bytes = track.conversion
      ? await readConverted(track.conversion, part, requester)
      : await readPart(`${film.key} ${address.name}`, orderOf(track, part, segment), requester);
    return done({ type: track.type, bytes, isImmutable: track.conversion === null });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === noSuchPart) await planAgain(address, requester.client);
    return refusal;
  }
}

/** Reads the changed file, so that the page has the new address when the viewer reloads. */
async function planAgain(address: PartAddress, client: string) {
  filmPlans.delete(keyOf(address));
  await planOf(address, client).catch(() => null);
}

const keyOf = ({ film, version }: FilmAddress) => `${film} ${version}`;

async function planOf(address: PartAddress, client: string): Promise<FilmPlan | null> {
  const known = filmPlans.get(keyOf(address));
  if (known) return known;
  const opened = await openVersion(address, client);
  const tracks = opened && filmTracks(opened.film.inspection, opened.conversions);
  if (!tracks) return null;
  const { film, file } = opened;
  const keyFrames = opened.keyFrames ?? unpackKeyFrames((await readKeyFrames(film.id)) ?? Buffer.alloc(0));
  const lastFrame = keyFrames.at(-1);
  if (!lastFrame) return null;
  const pieces = piecesOf(film.inspection);
  const lastPiece = pieces?.at(-1);
  const durationSeconds = lastPiece
    ? endOf(lastPiece)
    : Math.max(film.inspection.durationSeconds ?? 0, lastFrame.seconds);
  const key = keyOf({ film: film.id, version: fileVersionOf(film) });
  const facts: ConvertedFilm = {
    key,
    file,
    keyFrames,
    durationSeconds,
    isSame: () => isSameFile(film.path, film),
    format: film.inspection.container === "mp4" ? "mp4" : "matroska",
    pieces,
  };
  const soundFiles = await Promise.all(
    film.inspection.soundFiles.map((one, index) => openSound(facts, one, index)),
  );
  const openedSoundFiles = soundFiles.filter((one) => one !== null);
  if (openedSoundFiles.length < soundFiles.length) return null;
  const plan: FilmPlan = {
    key,
    tracks,
    subtitles: listSubtitlesOf(film.inspection).filter(({ script }) => script !== null),
    durationSeconds,
    byName: new Map([
      ...listPackaged(tracks, facts, openedSoundFiles),
      ...listConverted(tracks, facts, openedSoundFiles),
    ]),
    bitsPerSecond: Math.ceil((film.size * 8) / Math.max(1, durationSeconds)),
  };
  filmPlans.set(keyOf(address), plan);
  return plan;
}

async function isSameFile(path: string, { size, modifiedMs }: Pick<FilmFile, "size" | "modifiedMs">) {
  const file = await findFilmFile(path);
  return file?.size === size && file.modifiedMs === modifiedMs;
}

/**
 * Opens a sound file as if it were a film of the same length. Other players too play sound beside a film from its
 * beginning to its end, whatever the edition. Null if the file is gone.
 */
async function openSound(
  film: ConvertedFilm,
  { path, size, modifiedMs, format, keyFrames }: SoundFile,
  index: number,
): Promise<ConvertedFilm | null> {
  const soundFile = await findFilmFile(path);
  if (!soundFile) return null;
  const file = { file: soundFile.file, id: soundFile.id, size, modifiedMs };
  const isSame = () => isSameFile(path, file);
  return { ...film, key: `${film.key} beside ${index}`, isSame, file, format, keyFrames, pieces: null };
}

type NamedTrack = [name: string, track: Track];

const holderOf = (
  sound: AudioTrack,
  film: ConvertedFilm,
  soundFiles: readonly ConvertedFilm[],
): ConvertedFilm => (sound.beside && soundFiles[sound.beside.file]) ?? film;

function listPackaged(
  { picture, sounds }: FilmTracks,
  film: ConvertedFilm,
  soundFiles: readonly ConvertedFilm[],
): NamedTrack[] {
  const tracks: NamedTrack[] = [];
  if (picture.isPackaged) {
    const segments = planPicture(film.keyFrames, film.durationSeconds, film.pieces);
    const { file } = film;
    const { number } = picture;
    tracks.push([pictureName(false), { type: "video/mp4", file, number, segments, conversion: null }]);
  }
  for (const sound of sounds) {
    if (!sound.isPackaged) continue;
    const { file, keyFrames, durationSeconds, pieces } = holderOf(sound, film, soundFiles);
    const track: Track = {
      type: "audio/mp4",
      file,
      number: numberInFile(sound),
      // Planned anew for each part, which takes microseconds. A hostile film has hundreds of sounds, whose plans
      // would fill the memory.
      get segments() {
        return planSound(sound, keyFrames, durationSeconds, pieces);
      },
      conversion: null,
    };
    tracks.push([soundName(sound.number, false), track]);
  }
  return tracks;
}

function listConverted(
  { picture, sounds }: FilmTracks,
  film: ConvertedFilm,
  soundFiles: readonly ConvertedFilm[],
): NamedTrack[] {
  const trackOf = (type: Track["type"], conversion: Conversion): Track => {
    const { film: file, track } = conversion.source;
    return { type, file, number: track.track, segments: track.segments, conversion };
  };
  const tracks: NamedTrack[] = [];
  if (picture.isConvertible)
    tracks.push([pictureName(true), trackOf("video/mp4", convertPicture(film, picture))]);
  for (const sound of sounds) {
    if (!sound.isConvertible) continue;
    const conversion = convertFilmSound(holderOf(sound, film, soundFiles), sound);
    tracks.push([soundName(sound.number, true), trackOf("audio/mp4", conversion)]);
  }
  return tracks;
}

function playlistOf(film: FilmPlan, name: string): string | null {
  const { tracks, subtitles, byName, bitsPerSecond, durationSeconds } = film;
  const isWhole = name === playlistName(wholeName);
  const variant = isWhole ? asItIs : variantOf(name);
  const offered = variant && offeredTracks(tracks, variant);
  if (offered) {
    const { chosen } = variant;
    return multivariantPlaylist(offered, { chosen, bitsPerSecond, subtitles: isWhole ? subtitles : [] });
  }
  const subtitle = subtitles.find(({ number }) => name === playlistName(subtitleName(number)));
  if (subtitle) return subtitlePlaylist(subtitle.number, durationSeconds);
  for (const [named, track] of byName)
    if (name === playlistName(named)) return mediaPlaylist(named, track.segments);
  return null;
}

type Part = number | "init";

/** `segment`: for an init segment, the first one. */
type TrackPart = { track: Track; part: Part; segment: PlannedSegment };

function findPart({ byName }: FilmPlan, name: string): TrackPart | null {
  const [, trackName = "", digits] = /^([achv]\d*)(?:-(\d{1,6})\.m4s|\.mp4)$/.exec(name) ?? [];
  const track = byName.get(trackName);
  if (!track) return null;
  const isInit = name === initName(trackName);
  const sequence = isInit ? 0 : Number(digits ?? -1);
  if (!isInit && name !== segmentName(trackName, sequence)) return null;
  const segment = track.segments[sequence];
  return segment ? { track, part: isInit ? "init" : sequence, segment } : null;
}

function orderOf({ file, number }: Track, part: Part, segment: PlannedSegment): FilmOrder {
  const { at, from, to, start, end, piece } = segment;
  const cut = { ...file, track: number, at };
  if (part === "init") return { kind: "init", ...cut };
  const edition = piece && { ...piece, start, end };
  return { kind: "segment", ...cut, from, to, end, sequence: part, edition };
}

function readPart(key: string, order: FilmOrder, { client, signal }: Requester) {
  const known = parts.get(key);
  if (known) return known;
  return cutting(key, signal, async (leaving) => {
    const { answer, bytes } = await orderFilm(order, { client, signal: leaving });
    if (answer.kind === "refused") throw refusedPart(answer.why);
    parts.set(key, bytes);
    return bytes;
  });
}

export const refusedPart = (why: "missing" | "changed" | "damaged") =>
  new ThrownRefusal(
    why === "damaged" ? refuse("upstream_failed", "This part of the film is damaged") : noSuchPart,
  );

export function refusalOf(error: unknown) {
  const ofPreparation = preparationRefusal(error);
  if (ofPreparation) return ofPreparation;
  if (error instanceof ThrownRefusal) return error.refusal;
  if (!(error instanceof ChildError) || error.failure === "unwanted") throw error;
  return error.failure === "crashed"
    ? refuse("upstream_failed", "This part of the film cannot be read")
    : refuse("overloaded", "Too many parts of films are being read. Try again shortly.");
}

import { createHash } from "node:crypto";
import { refuse } from "#app/domain/errors.ts";
import {
  type FilmFile,
  findFilm,
  findFilmFile,
  type ReadFilm,
  readFilm,
} from "#app/domain/films/films.server.ts";
import { piecesOf } from "#app/media/film/edition.ts";
import type { KeyFrame } from "#app/media/film/inspection.ts";
import { conversions, conversionVersions } from "../conversions/film-conversions.server.ts";
import { openStandIn } from "../conversions/stand-ins.server.ts";
import type { Conversions } from "../offers/convertible.ts";
import { filmTracks } from "../offers/packageable.ts";

/** Names one version of a film. The addresses of its segments, subtitles and fonts all begin with it. */
export type FilmAddress = { film: string; version: string };
export type PartAddress = FilmAddress & { name: string };

export const noSuchPart = refuse("not_found", "No such film, or its file has changed. Load the page again.");

type Versioned = Pick<ReadFilm, "size" | "modifiedMs" | "inspection">;

/** Raise this when the code cuts the same file differently: players must not mix old and new segments. */
const packagingFormat = 11;

/** A hash that changes with the film's file, the sound files beside it and the order in which the film is played. */
export function fileVersionOf({ size, modifiedMs, inspection }: Versioned): string {
  const sounds = inspection.soundFiles.map((one) => `${one.path} ${one.size} ${one.modifiedMs}`);
  const pieces = (piecesOf(inspection) ?? []).map(({ from, to }) => `${from} ${to}`);
  const files = [`${packagingFormat} ${size} ${modifiedMs}`, ...sounds, ...pieces].join("\n");
  return createHash("sha256").update(files).digest("hex").slice(0, 12);
}

/** The first 6 digits of a version name the file; the first 8 also name how its sound is converted. */
const digits = { file: 6, sound: 8 };

/**
 * A hash of the file and of how it is converted, so that a part never changes under its address. An instance that
 * converts pictures differently still serves the unconverted parts and the sound under this version.
 */
export function versionOf(film: Versioned): string {
  const file = fileVersionOf(film);
  const tracks = filmTracks(film.inspection, conversions);
  if (!tracks || ![tracks.picture, ...tracks.sounds].some(({ isConvertible }) => isConvertible)) return file;
  const { sound, picture } = conversionVersions();
  const pictureDigits = tracks.picture.isConvertible ? picture : "0000";
  return `${file.slice(0, digits.file)}${sound.slice(0, digits.sound - digits.file)}${pictureDigits}`;
}

const isSame = (one: string, other: string, count: number) => one.slice(0, count) === other.slice(0, count);

/** The conversions that are served under this version. Null if the version belongs to another file. */
export function conversionsAt(film: Versioned, version: string): Conversions | null {
  const currentVersion = versionOf(film);
  if (version.length !== currentVersion.length || !isSame(version, currentVersion, digits.file)) return null;
  return {
    ofPicture: (track) => version === currentVersion && conversions.ofPicture(track),
    ofSound: (track) => isSame(version, currentVersion, digits.sound) && conversions.ofSound(track),
  };
}

type OpenedFilm = {
  film: ReadFilm;
  conversions: Conversions;
  /** The file to read, which is the film's stand-in if only ffmpeg reads the film's own. */
  file: FilmFile;
  /** The key frames of the stand-in; null if the film's own file is read. */
  keyFrames: readonly KeyFrame[] | null;
};

/** Null if there is no such film, or if its file has changed. */
export async function findVersion({ film: id, version }: FilmAddress) {
  const row = await findFilm(id);
  const film = row && (await readFilm(row));
  const conversions = film && conversionsAt(film, version);
  const ownFile = conversions && (await findFilmFile(film.path));
  return ownFile ? { film, conversions, ownFile } : null;
}

/** Opens a film at this version. Null if there is no such film, or if its file has changed. */
export async function openVersion(address: FilmAddress, client: string): Promise<OpenedFilm | null> {
  const found = await findVersion(address);
  if (!found) return null;
  const { film, conversions, ownFile } = found;
  if (film.inspection.standsInFor !== null)
    return { film, conversions, ...(await openStandIn(film, client)) };
  // The recorded size and time, so that a file which replaces the film from here on is refused.
  const { size, modifiedMs } = film;
  return { film, conversions, file: { ...ownFile, size, modifiedMs }, keyFrames: null };
}

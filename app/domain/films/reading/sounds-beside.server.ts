import type { Inspection, SoundFile } from "#app/media/film/inspection.ts";
import { unpackKeyFrames } from "#app/media/segments/key-frames.ts";
import { log } from "#app/platform/log.server.ts";
import { ChildError, orderFilm } from "../folder/film-workers.server.ts";
import { type FilmFile, findFilmFile, listSoundNamesBeside } from "../folder/media-folder.server.ts";
import { type ReadSoundFile, soundNamesOf, withSoundFiles } from "./listed-sounds.ts";

/** Finds and reads the sound files beside a film. */

export type FoundSound = Pick<SoundFile, "path" | "size" | "modifiedMs"> & Pick<FilmFile, "file" | "id">;

export async function findSoundsBeside(film: string): Promise<FoundSound[]> {
  const at = film.lastIndexOf("/") + 1;
  const names = await listSoundNamesBeside(film);
  const paths = soundNamesOf(film.slice(at), names).map((name) => film.slice(0, at) + name);
  const sounds = await Promise.all(
    paths.map(async (path) => {
      const file = await findFilmFile(path);
      return file && { path, ...file };
    }),
  );
  return sounds.filter((one) => one !== null);
}

/** False if a sound file was added, removed or changed, so that the film must be read again. */
export const isSameSound = ({ soundFiles }: Inspection, found: readonly FoundSound[]): boolean =>
  soundFiles.length === found.length &&
  soundFiles.every(({ path, size, modifiedMs }, index) => {
    const other = found[index];
    return other?.path === path && other.size === size && other.modifiedMs === modifiedMs;
  });

export async function readSounds(inspection: Inspection, found: readonly FoundSound[]): Promise<Inspection> {
  const read: ReadSoundFile[] = [];
  for (const sound of found) read.push(await readSound(sound));
  return withSoundFiles(inspection, read);
}

/** A file that crashes its child process is stored as unreadable, and is not read again until it changes. */
async function readSound({ file, id, ...sound }: FoundSound): Promise<ReadSoundFile> {
  try {
    const { answer, bytes } = await orderFilm({ kind: "inspect", file, id }, { client: "inspection" });
    if (answer.kind === "inspected")
      return { ...sound, inspection: answer.inspection, keyFrames: unpackKeyFrames(bytes) };
  } catch (error) {
    if (!(error instanceof ChildError) || error.failure === "overloaded") throw error;
  }
  log.warn("the sound beside a film could not be read", { file: sound.path });
  return { ...sound, inspection: null, keyFrames: [] };
}

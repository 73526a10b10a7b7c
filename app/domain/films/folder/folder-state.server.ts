import { constants } from "node:fs";
import { access, opendir, realpath, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#app/platform/process/env.server.ts";
import { seconds } from "#app/platform/units.ts";
import { SilentFolder } from "./answering-folder.server.ts";
import { searchFolder } from "./film-folder.server.ts";
import { firstRoot } from "./folders.ts";
import { type FilmRoot, listFilmRoots } from "./roots.server.ts";

/** The state of the roots, for operators. */

/** The reason why the films of some roots cannot be read, and the remedy. Null if all can be read. */
export async function findRootsTrouble(): Promise<string | null> {
  const troubles = await Promise.all((await listFilmRoots()).map(findTrouble));
  return troubles.filter((text) => text !== null).join(" ") || null;
}

const nameOf = ({ folder }: FilmRoot) =>
  env.MEDIA_DIR === undefined ? `The media folder, ${folder},` : `The media folder, ${folder} (MEDIA_DIR),`;

async function findTrouble(root: FilmRoot): Promise<string | null> {
  try {
    return await root.read(() => readFolder(root));
  } catch (error) {
    if (error instanceof SilentFolder)
      return `The media folder, ${root.folder}, does not answer. Check its disk or network share.`;
    return troubleText(root, (error as NodeJS.ErrnoException).code);
  }
}

async function readFolder(root: FilmRoot) {
  const { folder, isChosen } = root;
  if (!(await stat(folder)).isDirectory())
    return `${folder}${env.MEDIA_DIR === undefined ? "" : " (MEDIA_DIR)"} is a file. Name the folder of your videos.`;
  if (isChosen && (await realpath(folder)) !== folder)
    return `${nameOf(root)} was replaced by a link. Choose the folder again.`;
  await access(folder, constants.R_OK | constants.X_OK);
  // A network share whose server is gone still shows its folder, and fails only when the folder is read.
  await (await opendir(folder)).close();
  return null;
}

function troubleText(root: FilmRoot, code: string | undefined) {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return `${userText()} cannot read ${root.folder}: give it read and enter rights.`;
    case "ENOENT":
    case "ENOTDIR":
      return `${nameOf(root)} is missing. Mount it, create it or ${env.MEDIA_DIR === undefined ? "choose another folder" : "set MEDIA_DIR to another folder"}.`;
    default:
      return `The media folder, ${root.folder}, cannot be read (${code ?? "for an unknown reason"}). Check its disk or network share.`;
  }
}

const userText = () => (process.getuid ? `The user ${process.getuid()}` : "The user of this site");

const maxCountMs = seconds(3);

export type RootState = {
  number: number;
  folder: string;
  trouble: string | null;
  /** Null if the films were not counted, or if counting takes too long. */
  films: number | null;
};

/** The roots as operators see them. `isCounted`: also count their films. */
export async function listRootStates({ isCounted }: { isCounted: boolean }): Promise<RootState[]> {
  return Promise.all(
    (await listFilmRoots()).map(async (root) => {
      const { number, folder } = root;
      const trouble = await findTrouble(root);
      if (trouble !== null) return { number, folder, trouble, films: 0 };
      const films = isCounted ? await Promise.race([countFilms(folder), sleep(maxCountMs, null)]) : null;
      return { number, folder, trouble, films };
    }),
  );
}

/** Null if the folder cannot be read. */
const countFilms = (folder: string) =>
  realpath(folder)
    .then((path) => searchFolder([{ number: firstRoot, path }]))
    .then(
      ({ files }) => files.filter(({ type }) => type !== "captions").length,
      () => null,
    );

import { constants } from "node:fs";
import { access, opendir, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#app/platform/process/env.server.ts";
import { seconds } from "#app/platform/units.ts";
import { SilentFolder } from "./answering-folder.server.ts";
import { findFilms } from "./film-folder.server.ts";
import { readWatched } from "./media-folder.server.ts";

/**
 * Says why the films of MEDIA_DIR cannot be read, and what an operator can do. Null: they can be read, or MEDIA_DIR is
 * not set.
 */
export async function findMediaDirTrouble(): Promise<string | null> {
  const folder = env.MEDIA_DIR;
  if (folder === undefined) return null;
  try {
    return await readWatched(() => findTrouble(folder));
  } catch (error) {
    if (error instanceof SilentFolder)
      return `The folder of the films, ${folder}, does not answer. Check its disk or network share.`;
    return troubleText(folder, (error as NodeJS.ErrnoException).code);
  }
}

async function findTrouble(folder: string) {
  if (!(await stat(folder)).isDirectory())
    return `${folder} (MEDIA_DIR) is a file. Name the folder of the films.`;
  await access(folder, constants.R_OK | constants.X_OK);
  // A network share whose server is gone still shows its folder, and fails only when the folder is read.
  await (await opendir(folder)).close();
  return null;
}

function troubleText(folder: string, code: string | undefined) {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return `${userText()} cannot read ${folder}: give it read and enter rights.`;
    case "ENOENT":
    case "ENOTDIR":
      return `The folder of the films, ${folder} (MEDIA_DIR), is missing. Mount it, create it or choose another folder.`;
    default:
      return `The folder of the films, ${folder}, cannot be read (${code ?? "for an unknown reason"}). Check its disk or network share.`;
  }
}

const userText = () => (process.getuid ? `The user ${process.getuid()}` : "The user of this site");

const maxCountMs = seconds(3);

export type MediaDirState = {
  folder: string;
  trouble: string | null;
  /** Null: not counted, or counting takes long. */
  films: number | null;
};

/** The state of MEDIA_DIR as operators see it during setup. Null: MEDIA_DIR is not set. */
export async function findMediaDirState({
  isCounted,
}: {
  isCounted: boolean;
}): Promise<MediaDirState | null> {
  const folder = env.MEDIA_DIR;
  if (folder === undefined) return null;
  const trouble = await findMediaDirTrouble();
  if (trouble !== null) return { folder, trouble, films: 0 };
  const films = isCounted ? await Promise.race([countFilms(folder), sleep(maxCountMs, null)]) : null;
  return { folder, trouble, films };
}

/** Null if the folder cannot be read. */
const countFilms = (folder: string) =>
  findFilms(folder).then(
    (found) => found.filter(({ type }) => type !== "captions").length,
    () => null,
  );

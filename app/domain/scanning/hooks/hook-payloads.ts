import { isPlainObject } from "#app/platform/plain-object.ts";

/**
 * Reads the webhook notifications of Sonarr and Radarr. Only paths and sizes are used. A field that is missing or has
 * an unexpected type is ignored, because the format differs between versions.
 */

/** `size` is null if the program does not report it. */
type HookFile = { path: string; size: number | null };

export type NamedFiles = {
  /** Files that were added or renamed. */
  files: HookFile[];
  /** Folders with changes. */
  folders: string[];
};

const maxFiles = 2_000;

/** Null if the body is not a Sonarr or Radarr notification. */
export function readHookMessage(body: unknown): (NamedFiles & { isTest: boolean }) | null {
  const message = toObject(body);
  const event = toText(message.eventType);
  if (event === null) return null;
  const files: HookFile[] = [];
  const folders: string[] = [];
  for (const key of ["series", "movie"]) {
    const about = toObject(message[key]);
    const folder = toText(about.path) ?? toText(about.folderPath);
    if (folder !== null) folders.push(folder);
  }
  const destination = toText(message.destinationPath);
  if (destination !== null) folders.push(destination);
  const lists = ["episodeFiles", "renamedEpisodeFiles", "renamedMovieFiles", "deletedFiles"];
  const fileObjects = [
    ...["episodeFile", "movieFile"].map((key) => message[key]),
    ...lists.flatMap((key) => (Array.isArray(message[key]) ? (message[key] as unknown[]) : [])),
  ];
  for (const one of fileObjects.slice(0, maxFiles)) {
    const file = toObject(one);
    const path = toText(file.path) ?? joined(folders[0], toText(file.relativePath));
    const size = file.size;
    if (path !== null) files.push({ path, size: typeof size === "number" && size > 0 ? size : null });
  }
  return { isTest: event.toLowerCase() === "test", files, folders };
}

const joined = (folder: string | undefined, name: string | null) =>
  folder === undefined || name === null ? null : `${folder}/${name}`;

const toObject = (value: unknown): Record<string, unknown> => (isPlainObject(value) ? value : {});

const maxPathLength = 4_096;
const toText = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= maxPathLength && !value.includes("\0")
    ? value
    : null;

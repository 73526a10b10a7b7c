import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { env } from "#app/platform/process/env.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";

/**
 * The folders that an operator may choose on the site. A stolen operator session must not open the machine's files, so
 * only folders below a few places can be chosen, and only the names of folders are shown.
 */

/** False with MEDIA_DIR or an external database: the person who runs the machines then chooses the folders there. */
export const mayChooseRoots = (): boolean => env.MEDIA_DIR === undefined && env.DATABASE_URL === undefined;

const usualPlaces = [homedir(), "/mnt", "/media", "/srv", "/data"];
const listPlaces = (): readonly string[] => [...usualPlaces, ...(env.MEDIA_BROWSE ?? [])];

/** No folder below these can be chosen, unless MEDIA_BROWSE names a folder within one of them. */
const systemFolders = "/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr /var".split(
  " ",
);

export const liesIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** True if a name in a path below the folder begins with a dot. */
export const isHiddenIn = (path: string, folder: string): boolean =>
  relative(folder, path)
    .split(sep)
    .some((name) => name.startsWith("."));

const resolved = async (paths: readonly string[]) =>
  (await Promise.all(paths.map((path) => realpath(path).catch(() => null)))).filter((path) => path !== null);

/** `open`: the folder can be opened to reach other folders, but not chosen. */
type FolderJudgement = "choosable" | "open" | "closed";

/** Judges folders by their real paths. */
async function createJudge() {
  const ownFolders = await resolved([ownFilePath(""), resolve(env.DATA_DIR)]);
  const isPlace = (path: string) => dirname(path) !== path && !systemFolders.includes(path);
  const places = (await resolved(listPlaces())).filter(isPlace);
  const configuredPlaces = await resolved(env.MEDIA_BROWSE ?? []);
  const isIn = (path: string, place: string) =>
    liesIn(path, place) &&
    !isHiddenIn(path, place) &&
    !systemFolders.some((one) => liesIn(path, one) && !liesIn(place, one));
  const judge = (path: string): FolderJudgement => {
    if (ownFolders.some((one) => liesIn(path, one)) || !places.some((place) => isIn(path, place)))
      return "closed";
    const isAboveOwn = ownFolders.some((one) => liesIn(one, path));
    // A usual place, such as a home folder, may contain everything that users store on this machine.
    const isUsualPlace = places.includes(path) && !configuredPlaces.includes(path);
    return isAboveOwn || isUsualPlace ? "open" : "choosable";
  };
  return { judge, places: [...new Set(places)] };
}

const missingRefusal = refuse("not_found", "There is no such folder.");
const closedRefusal = (folder: string) =>
  refuse(
    "forbidden",
    `${folder} cannot be chosen. Choose a folder below ${listPlaces().join(", ")}. MEDIA_BROWSE adds other places.`,
  );

async function realFolder(folder: string): Promise<Outcome<string>> {
  if (!isAbsolute(folder) || folder.includes("\0")) return missingRefusal;
  try {
    const real = await realpath(folder);
    return (await stat(real)).isDirectory() ? done(real) : missingRefusal;
  } catch {
    return missingRefusal;
  }
}

/** The real path of a folder that can become a root, or the reason why it cannot. */
export async function placeOfChosenFolder(folder: string): Promise<Outcome<string>> {
  const realPath = await realFolder(folder);
  if (!realPath.ok) return realPath;
  const { judge } = await createJudge();
  return judge(realPath.value) === "choosable" ? realPath : closedRefusal(folder);
}

export type BrowsedFolder = {
  /** Null for the list of places. */
  path: string | null;
  /** Null if the list of places is one level up. */
  above: string | null;
  isChoosable: boolean;
  folders: { path: string; name: string; isChoosable: boolean }[];
  /** True if the folder contains more folders than these. */
  isTruncated: boolean;
};

const maxShown = 500;

/** The folders in a folder, without its files. `asked` is null for the list of places. */
export async function browseFolders(asked: string | null): Promise<Outcome<BrowsedFolder>> {
  const { judge, places } = await createJudge();
  const toRow = (path: string, name: string) => ({ path, name, isChoosable: judge(path) === "choosable" });
  const top = { path: null, above: null, isChoosable: false, isTruncated: false };
  if (asked === null) return done({ ...top, folders: places.map((place) => toRow(place, place)) });
  const realPath = await realFolder(asked);
  // A folder that does not exist gets the same answer, so that nobody learns which folders exist elsewhere.
  if (!realPath.ok || judge(realPath.value) === "closed") return closedRefusal(asked);
  const path = realPath.value;
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
  if (entries === null) return refuse("forbidden", `The site cannot read ${path}.`);
  const names = entries
    .filter((entry) => entry.isDirectory() && !/\p{Cc}|\ufffd/u.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => judge(join(path, name)) !== "closed")
    .sort();
  return done({
    path,
    above: places.includes(path) ? null : dirname(path),
    isChoosable: judge(path) === "choosable",
    folders: names.slice(0, maxShown).map((name) => toRow(join(path, name), name)),
    isTruncated: names.length > maxShown,
  });
}

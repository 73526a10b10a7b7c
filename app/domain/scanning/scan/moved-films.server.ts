import { createHash } from "node:crypto";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import type { FoundFile } from "#app/domain/films/films.server.ts";
import { kibibytes } from "#app/platform/units.ts";
import { isKnownByContent, type KnownFilm, type Move } from "./known-films.server.ts";

/** Recognises moved films: same size, and same first and last 64 KiB. */

type Sought = {
  root: string;
  /** Films whose file is no longer at their path, or was replaced by another file. */
  missing: readonly KnownFilm[];
  /** Files that are new at their path. */
  files: readonly FoundFile[];
  goOn(): Promise<void>;
};

export async function findMoves({ root, missing, files, goOn }: Sought): Promise<Move[]> {
  const bySize = new Map<number, KnownFilm[]>();
  for (const film of missing.filter(({ path }) => isKnownByContent(path))) {
    const size = film.seenSize ?? film.size;
    if (size === null || size === 0) continue;
    const ofSize = bySize.get(size) ?? [];
    bySize.set(size, ofSize);
    ofSize.push(film);
  }
  const moves: Move[] = [];
  const taken = new Set<string>();
  for (const to of files.filter(({ path }) => isKnownByContent(path))) {
    await goOn();
    const candidates = (bySize.get(to.size) ?? []).filter(
      ({ id, path }) => !taken.has(id) && path !== to.path,
    );
    const film = candidates.length === 0 ? undefined : await findSame(root, to, candidates);
    if (!film) continue;
    taken.add(film.id);
    moves.push({ id: film.id, from: film.path, to });
  }
  return moves;
}

async function findSame(
  root: string,
  file: FoundFile,
  candidates: readonly KnownFilm[],
): Promise<KnownFilm | undefined> {
  const fingerprint = await readFingerprint(join(root, file.path)).catch(() => null);
  const same = candidates.filter((film) => film.fingerprint !== null && film.fingerprint === fingerprint);
  // A film that was never read is matched by size and modification time, if no other film has the same ones.
  const unread = candidates.filter(
    (film) => film.fingerprint === null && film.seenModifiedMs === file.modifiedMs,
  );
  const named = (films: readonly KnownFilm[]) =>
    only(films.filter((film) => nameOf(film.path) === nameOf(file.path)));
  return named(same) ?? only(same) ?? (same.length === 0 ? (named(unread) ?? only(unread)) : undefined);
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const only = <Item>(items: readonly Item[]) => (items.length === 1 ? items[0] : undefined);

/** The same fingerprint that the child process writes when it reads a film. */
export async function readFingerprint(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = Math.min(size, kibibytes(64));
    const read = async (position: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const digest = createHash("sha256")
      .update(await read(0))
      .update(await read(Math.max(0, size - kibibytes(64))));
    return `${size}-${digest.digest("hex").slice(0, 32)}`;
  } finally {
    await file.close();
  }
}

/** True only if nothing exists at the path. A path that cannot be checked may still exist. */
export async function isAbsent(root: string, path: string): Promise<boolean> {
  try {
    await lstat(join(root, path));
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code));
  }
}

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { FoundFile } from "#app/domain/films/films.server.ts";
import { pathEndOf } from "#app/domain/films/films.ts";
import { groupBy } from "#app/platform/lists.ts";
import { kibibytes } from "#app/platform/units.ts";
import { isKnownByContent, type KnownFilm, type Move } from "./known-films.server.ts";
import type { ScannedRoots } from "./scanned-roots.server.ts";

/** Recognises moved films: same size, and same first and last 64 KiB. */

type MoveSearch = {
  roots: ScannedRoots;
  /** Films whose file is no longer at their path, or was replaced by another file. */
  missing: readonly KnownFilm[];
  /** Files that are new at their path. */
  files: readonly FoundFile[];
  noteProgress(): Promise<void>;
};

export async function findMoves({ roots, missing, files, noteProgress }: MoveSearch): Promise<Move[]> {
  const sizeOf = ({ seenSize, size }: KnownFilm) => seenSize ?? size;
  // An empty file is like any other.
  const known = missing.filter((film) => isKnownByContent(film.path) && sizeOf(film));
  const bySize = groupBy(known, sizeOf);
  const moves: Move[] = [];
  const movedIds = new Set<string>();
  for (const to of files.filter(({ path }) => isKnownByContent(path))) {
    await noteProgress();
    const candidates = (bySize.get(to.size) ?? []).filter(
      ({ id, path }) => !movedIds.has(id) && path !== to.path,
    );
    const film = candidates.length === 0 ? undefined : await findSame(roots, to, candidates);
    if (!film) continue;
    movedIds.add(film.id);
    moves.push({ id: film.id, from: film.path, to });
  }
  return moves;
}

async function findSame(
  roots: ScannedRoots,
  file: FoundFile,
  candidates: readonly KnownFilm[],
): Promise<KnownFilm | undefined> {
  const path = file.linkTarget ?? roots.diskPath(file.path);
  const fingerprint = path === null ? null : await readFingerprint(path).catch(() => null);
  const same = candidates.filter((film) => film.fingerprint !== null && film.fingerprint === fingerprint);
  // A film that was never read is matched by size and modification time, if no other film has the same ones.
  const unread = candidates.filter(
    (film) => film.fingerprint === null && film.seenModifiedMs === file.modifiedMs,
  );
  const onlyNamesake = (films: readonly KnownFilm[]) =>
    only(films.filter((film) => pathEndOf(film.path) === pathEndOf(file.path)));
  return (
    onlyNamesake(same) ??
    only(same) ??
    (same.length === 0 ? (onlyNamesake(unread) ?? only(unread)) : undefined)
  );
}

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

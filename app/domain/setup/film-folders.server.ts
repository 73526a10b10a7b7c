import { eq, sql } from "drizzle-orm";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import {
  type BrowsedFolder,
  browseFolders,
  firstRoot,
  joinRoot,
  liesIn,
  loadFilmRoots,
  mayChooseRoots,
  placeOfChosenFolder,
  requestScan,
} from "#app/domain/films/films.server.ts";
import { isRecentSignIn } from "#app/domain/sign-in/sign-in.server.ts";
import { db } from "#db/client.server.ts";
import { filmRoots } from "#db/schema/films.ts";

/** Operators choose folders of films on the site, if MEDIA_DIR is unset and the database is the embedded one. */

const maxRoots = 20;

type Session = { signedInAt: Date };

const fixedRefusal = refuse(
  "forbidden",
  "The variable MEDIA_DIR sets the media folder. Change it, and start the site again.",
);
const oldSignInRefusal = refuse(
  "forbidden",
  "You signed in more than ten minutes ago. Sign in again to choose a folder.",
);

/** A session that was left open on a shared device must not open folders of this machine. */
function admit({ signedInAt }: Session): Outcome<null> {
  if (!mayChooseRoots()) return fixedRefusal;
  return isRecentSignIn(signedInAt) ? done(null) : oldSignInRefusal;
}

/** The folders in a folder. Null lists the places that can be opened. */
export async function browseFilmFolders(
  path: string | null,
  session: Session,
): Promise<Outcome<BrowsedFolder>> {
  const admitted = admit(session);
  return admitted.ok ? browseFolders(path) : admitted;
}

export async function chooseFilmFolder(
  path: string,
  session: Session,
  actor: Actor,
): Promise<Outcome<{ folder: string }>> {
  const admitted = admit(session);
  if (!admitted.ok) return admitted;
  const place = await placeOfChosenFolder(path);
  if (!place.ok) return place;
  const folder = place.value;
  const chosen = await changeCatalog([], async (transaction): Promise<Outcome<{ number: number }>> => {
    await transaction.execute(sql`lock table ${filmRoots} in share row exclusive mode`);
    const rows = await transaction.select().from(filmRoots);
    const current = rows.filter(({ isChosen }) => isChosen);
    const other = current.find((root) => liesIn(folder, root.folder) || liesIn(root.folder, folder));
    if (other)
      return refuse(
        "conflict",
        `${other.folder} is chosen already, and one of the two folders holds the other.`,
      );
    if (current.length >= maxRoots) return refuse("conflict", `At most ${maxRoots} folders can be chosen.`);
    const known = rows.find((root) => root.folder === folder);
    const number = known?.number ?? Math.max(firstRoot - 1, ...rows.map((row) => row.number)) + 1;
    await transaction
      .insert(filmRoots)
      .values({ number, folder, isChosen: true })
      .onConflictDoUpdate({ target: filmRoots.number, set: { isChosen: true } });
    await recordEvent(
      { kind: "settings_changed", actor, detail: `Media folder chosen: ${folder}` },
      transaction,
    );
    return done({ number });
  });
  if (!chosen.ok) return chosen;
  await loadFilmRoots();
  await requestScan({ folder: joinRoot(chosen.value.number, ""), reason: "operator" });
  return done({ folder });
}

/** The site keeps the folder's films with their decisions and histories, in case the folder is chosen again. */
export async function removeFilmFolder(
  number: number,
  session: Session,
  actor: Actor,
): Promise<Outcome<null>> {
  const admitted = admit(session);
  if (!admitted.ok) return admitted;
  const removed = await changeCatalog([], async (transaction) => {
    const [row] = await transaction
      .update(filmRoots)
      .set({ isChosen: false })
      .where(eq(filmRoots.number, number))
      .returning();
    if (row)
      await recordEvent(
        { kind: "settings_changed", actor, detail: `Media folder removed: ${row.folder}` },
        transaction,
      );
    return row ?? null;
  });
  if (removed === null) return refuse("not_found", "There is no such folder");
  await loadFilmRoots();
  // The next scan marks the folder's films as missing.
  await requestScan({ folder: "", reason: "operator" });
  return done(null);
}

/** The chosen folders, including those that are not used because folders can no longer be chosen on the site. */
export const listChosenFolders = (): Promise<{ number: number; folder: string }[]> =>
  db
    .select({ number: filmRoots.number, folder: filmRoots.folder })
    .from(filmRoots)
    .where(eq(filmRoots.isChosen, true))
    .orderBy(filmRoots.number);

import { and, desc, eq, isNotNull } from "drizzle-orm";
import { noSuchTitle } from "#app/domain/catalog/catalog.ts";
import { listRelating } from "#app/domain/catalog-import/catalog-import.server.ts";
import { changeCatalog, markCatalogChanged } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { recordEvent } from "#app/domain/events/events.server.ts";
import { titleInEvent } from "#app/domain/events/events.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { hiddenTitles } from "#db/schema/library.ts";
import type { Operator } from "./edit-title.server.ts";

/** Titles that operators hide from everybody. `visibleTo` excludes them for all viewers. */

type HiddenTitle = {
  malId: number;
  title: string;
  hiddenAt: Date;
  /** Null if the operator's account was deleted. */
  hiddenBy: string | null;
};

/** Hiding a title that is already hidden succeeds and changes nothing; `hiddenBy` stays the first operator. */
export const hideTitle = (malId: number, operator: Operator) => setHidden(malId, true, operator);

/** Shows a hidden title again. Succeeds and changes nothing if the title is not hidden. */
export const unhideTitle = (malId: number, operator: Operator) => setHidden(malId, false, operator);

const setHidden = (
  malId: number,
  isHidden: boolean,
  operator: Operator,
): Promise<Outcome<{ title: string }>> =>
  changeCatalog([malId], async (transaction) => {
    const [found] = await transaction
      .select({ title: titles.title, hiddenAt: titles.hiddenAt })
      .from(titles)
      .where(eq(titles.malId, malId))
      .for("no key update");
    if (!found) return noSuchTitle;
    if ((found.hiddenAt !== null) !== isHidden) {
      await transaction
        .update(titles)
        .set({ hiddenAt: isHidden ? new Date() : null })
        .where(eq(titles.malId, malId));
      if (isHidden)
        await transaction
          .insert(hiddenTitles)
          .values({ malId, userId: operator.operatorId })
          .onConflictDoNothing();
      else await transaction.delete(hiddenTitles).where(eq(hiddenTitles.malId, malId));
      await markCatalogChanged(transaction, await listRelating(transaction, [malId]));
      const detail = `${titleInEvent(found.title, malId)}: ${isHidden ? "hidden" : "shown again"}`;
      await recordEvent({ kind: "title_edited", actor: operator, detail }, transaction);
    }
    return done({ title: found.title });
  });

const hidden = { malId: titles.malId, title: titles.title, hiddenAt: titles.hiddenAt, hiddenBy: users.name };

const selectHidden = (malId?: number) =>
  db
    .select(hidden)
    .from(titles)
    .leftJoin(hiddenTitles, eq(hiddenTitles.malId, titles.malId))
    .leftJoin(users, eq(users.id, hiddenTitles.userId))
    .where(and(isNotNull(titles.hiddenAt), malId === undefined ? undefined : eq(titles.malId, malId)))
    .orderBy(desc(titles.hiddenAt), titles.malId);

const withTime = ({ hiddenAt, ...row }: Awaited<ReturnType<typeof selectHidden>>[number]): HiddenTitle[] =>
  hiddenAt === null ? [] : [{ ...row, hiddenAt }];

/** The most recently hidden titles come first. */
export const listHiddenTitles = async (limit: number): Promise<HiddenTitle[]> =>
  (await selectHidden().limit(limit)).flatMap(withTime);

export const findHiddenTitle = async (malId: number): Promise<HiddenTitle | null> =>
  (await selectHidden(malId)).flatMap(withTime)[0] ?? null;

import { isDeepStrictEqual } from "node:util";
import { and, eq, gt, ne, sql } from "drizzle-orm";
import { noSuchTitle } from "#app/domain/catalog/catalog.ts";
import { listRelating } from "#app/domain/catalog-import/catalog-import.server.ts";
import { changeCatalog, markCatalogChanged } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { titleInEvent } from "#app/domain/events/events.ts";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";
import type { Transaction } from "#db/client.server.ts";
import { titleRecords, titles } from "#db/schema/catalog.ts";
import { titleEdits } from "#db/schema/edits.ts";
import { type EditedField, type FieldState, type OperatorValue, parseField } from "./edited-fields.server.ts";

/** Edits the operator's fields of a title. An edit locks the field: imports do not change it until it is unlocked. */

export type Operator = Actor & { operatorId: string };
/** Null unlocks the field: the value of the other sources applies again. */
export type FieldEdit = { field: EditedField; word: OperatorValue | null };
type EditResult = { title: string; changed: string[] };

export const editTitle = (
  malId: number,
  edits: readonly FieldEdit[],
  operator: Operator,
): Promise<Outcome<EditResult>> =>
  changeTitle(malId, (transaction, title) => applyEdits(transaction, { malId, title }, edits, operator));

/** Restores the value that a field had before an edit. Only the newest edit of a field can be undone. */
export const undoEdit = (malId: number, editId: string, operator: Operator): Promise<Outcome<EditResult>> =>
  changeTitle(malId, async (transaction, title) => {
    const ofTitle = eq(titleEdits.malId, malId);
    const [edit] = await transaction
      .select()
      .from(titleEdits)
      .where(and(ofTitle, eq(titleEdits.id, editId)));
    if (!edit) return refuse("not_found", "There is no such edit of this title");
    const isOfField = eq(titleEdits.field, edit.field);
    const later = await transaction.$count(titleEdits, and(ofTitle, isOfField, gt(titleEdits.at, edit.at)));
    if (later > 0)
      return refuse("conflict", "This field was changed again since then. Undo the newer edit first.");
    const { word } = edit.before as FieldState;
    const field = edit.field as EditedField;
    return applyEdits(transaction, { malId, title }, [{ field, word }], operator);
  });

async function changeTitle(
  malId: number,
  change: (transaction: Transaction, title: string) => Promise<Outcome<EditResult>>,
): Promise<Outcome<EditResult>> {
  const outcome = await changeCatalog([malId], async (transaction) => {
    const title = await lockTitle(transaction, malId);
    return title === null ? noSuchTitle : change(transaction, title);
  });
  if (outcome.ok) await renewFranchises();
  return outcome;
}

/** Imports lock the row too, so the title cannot change between reading and writing. */
async function lockTitle(transaction: Transaction, malId: number): Promise<string | null> {
  const [row] = await transaction
    .select({ title: titles.title })
    .from(titles)
    .where(eq(titles.malId, malId))
    .for("no key update");
  return row?.title ?? null;
}

async function applyEdits(
  transaction: Transaction,
  { malId, title }: { malId: number; title: string },
  edits: readonly FieldEdit[],
  operator: Operator,
): Promise<Outcome<EditResult>> {
  const changed: string[] = [];
  for (const { field, word } of edits) {
    const part = parseField(field);
    if (part === null) return refuse("invalid", "A title has no such field");
    const before = await part.read(transaction, malId);
    if (field === "title" && word === null && before.word && !(await isNamedByOthers(transaction, malId)))
      return onlyNameRefusal;
    await part.write(transaction, malId, word);
    const after = await part.read(transaction, malId);
    if (isDeepStrictEqual(before, after)) continue;
    changed.push(field);
    // The rating and the genres decide whether others can see the title, so titles related to it change as well.
    if (field === "rating" || field === "genres")
      await markCatalogChanged(transaction, await listRelating(transaction, [malId]));
    const { operatorId: userId } = operator;
    await transaction.insert(titleEdits).values({ malId, at: nextTime(malId), userId, field, before, after });
  }
  const detail = `${titleInEvent(title, malId)}: ${changed.join(", ")}`;
  if (changed.length > 0) await recordEvent({ kind: "title_edited", actor: operator, detail }, transaction);
  return done({ title, changed });
}

const onlyNameRefusal = refuse(
  "conflict",
  "No other source has a name for this title, so its name stays. Write another one instead.",
);

/** False for most local titles: without the operator's name they would have none. */
const isNamedByOthers = async (transaction: Transaction, malId: number): Promise<boolean> =>
  (await transaction.$count(
    titleRecords,
    and(
      eq(titleRecords.malId, malId),
      ne(titleRecords.source, "operator"),
      sql`${titleRecords.fields}->>'title' is not null`,
    ),
  )) > 0;

/** A time after all other edits of the title, even if the clock was set back: undo depends on the order. */
const nextTime = (malId: number) => sql`(
  select greatest(clock_timestamp(), max(${titleEdits.at}) + interval '1 millisecond')
  from ${titleEdits} where ${titleEdits.malId} = ${malId})`;

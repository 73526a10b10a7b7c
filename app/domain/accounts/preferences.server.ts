import { eq, sql } from "drizzle-orm";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { pickFields } from "#app/domain/declared-fields.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { mustBeTimeZone } from "#app/platform/validation-messages.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { type Preferences, preferenceNames } from "./accounts.ts";
import { minAdultAge } from "./person-rules.ts";

/** The stored preferences of members. For a member they replace those in the visitor cookie. */

type SavedPreferences = Preferences & { userId: string; updatedAt: Date };

/** Missing fields stay as they are. */
export type PreferencesChange = { [Field in keyof Preferences]?: Preferences[Field] | undefined };

/** Parental control of a minor and of a child is stored as on, so that no query can read it as off. */
const isUnderAge = sql`(${users.ceiling} is not null or coalesce(${users.birthday} >
  (now() at time zone 'UTC')::date - ${sql.raw(`interval '${minAdultAge} years'`)}, false))`;

/** The columns of a change, without parental control, which also depends on the member's age. */
export const preferenceColumns = ({
  subtitleLanguages,
  ...change
}: Omit<PreferencesChange, "parentalControl">) => ({
  ...change,
  ...(subtitleLanguages && { subtitleLanguages: [...subtitleLanguages] }),
  preferencesUpdatedAt: new Date(),
});

const savedColumns = {
  ...pickFields(users, preferenceNames),
  // A birthday can make a member a minor without a change of this column.
  parentalControl: sql<boolean>`${users.parentalControl} or ${isUnderAge}`,
};

/**
 * For changes that depend on the stored preferences. They are locked until the change is saved, so that a change from
 * another device is not lost.
 */
export const editPreferences = (
  userId: string,
  toChange: (stored: Preferences) => PreferencesChange,
): Promise<Outcome<SavedPreferences>> =>
  withTransaction(async (transaction) => {
    const [stored] = await transaction
      .select(savedColumns)
      .from(users)
      .where(eq(users.id, userId))
      .for("no key update");
    return stored ? savePreferences(userId, toChange(stored), transaction) : refuse("unauthorized");
  });

export async function savePreferences(
  userId: string,
  change: PreferencesChange,
  on: Pick<Transaction, "update"> = db,
): Promise<Outcome<SavedPreferences>> {
  if (change.timeZone != null && !isTimeZone(change.timeZone))
    return refuse("invalid", "This time zone is not known. Choose one by its name, like Europe/Berlin.", [
      { path: "timeZone", message: mustBeTimeZone },
    ]);
  const { parentalControl, ...others } = change;
  const [row] = await on
    .update(users)
    .set({
      ...preferenceColumns(others),
      ...(change.trackSearchHistory !== undefined && {
        trackSearchHistory: sql`${change.trackSearchHistory}::boolean and ${users.ceiling} is null`,
      }),
      ...(change.forgetsWatched !== undefined && {
        forgetsWatched: sql`${change.forgetsWatched}::boolean and ${users.ceiling} is null`,
      }),
      ...(parentalControl !== undefined && {
        parentalControl: sql`${parentalControl}::boolean or ${isUnderAge}`,
      }),
    })
    .where(eq(users.id, userId))
    .returning({
      userId: users.id,
      ...savedColumns,
      updatedAt: users.preferencesUpdatedAt,
    });
  return row ? done(row) : refuse("unauthorized");
}

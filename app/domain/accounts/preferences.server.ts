import { eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { done, type Outcome, refuse } from "../errors.ts";
import { isTimeZone } from "../visitor/visitor.ts";
import { adultAge, type Preferences } from "./accounts.ts";

/** How an account likes the site. What is stored here wins over whatever a browser remembers. */

export type SavedPreferences = Preferences & { userId: string; updatedAt: Date };

/** What is not named stays. */
export type PreferencesChange = { [Field in keyof Preferences]?: Preferences[Field] | undefined };

/** A parental control that is on by age is stored as on, so that nobody reads it as off. */
const isMinor = sql`coalesce(${users.birthday} >
  (now() at time zone 'UTC')::date - ${sql.raw(`interval '${adultAge} years'`)}, false)`;

export async function savePreferences(
  userId: string,
  change: PreferencesChange,
): Promise<Outcome<SavedPreferences>> {
  if (change.timeZone != null && !isTimeZone(change.timeZone))
    return refuse("invalid", "timeZone: must be the name of a time zone");
  const [row] = await db
    .update(users)
    .set({
      ...(change.enfasiscolor !== undefined && { accent: change.enfasiscolor }),
      ...(change.parentalControl !== undefined && {
        parentalControl: sql`${change.parentalControl}::boolean or ${isMinor}`,
      }),
      ...(change.trackSearchHistory !== undefined && { trackSearchHistory: change.trackSearchHistory }),
      ...(change.timeZone !== undefined && { timeZone: change.timeZone }),
      ...(change.titleLanguage !== undefined && { titleLanguage: change.titleLanguage }),
      preferencesUpdatedAt: new Date(),
    })
    .where(eq(users.id, userId))
    .returning({
      userId: users.id,
      enfasiscolor: users.accent,
      parentalControl: users.parentalControl,
      trackSearchHistory: users.trackSearchHistory,
      timeZone: users.timeZone,
      titleLanguage: users.titleLanguage,
      updatedAt: users.preferencesUpdatedAt,
    });
  return row ? done(row) : refuse("unauthorized");
}

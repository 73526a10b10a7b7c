import { type SQL, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { pickFields } from "#app/domain/declared-fields.ts";
import { users } from "#db/schema/accounts.ts";
import { isMinor, preferenceNames, type SessionUser } from "../accounts.ts";

/**
 * Raw SQL with an alias, because the query builder writes unqualified column names in `returning`. The subquery would
 * read those as columns of `account`.
 */
const ofAccount = (column: "email" | "disabled") =>
  sql.raw(`(select account.${column} from users as account where account.id = users.account_id)`);

export const accountEmail: SQL<string> = sql`coalesce(users.email, ${ofAccount("email")})`;

/** A disabled account is closed to all of its profiles. */
export const isEnabled: SQL<boolean> = sql`not coalesce(${ofAccount("disabled")}, users.disabled)`;

const isOneOfSeveral: SQL<boolean> = sql`(users.account_id is not null
  or exists (select from users as profile where profile.account_id = users.id))`;

const isBesideChild: SQL<boolean> = sql`exists (select from users as child
  where child.account_id = coalesce(users.account_id, users.id) and child.ceiling is not null)`;

/** Empty for a grown-up's profile: allowed and blocked titles concern only children. */
const titlesChosenAt: SQL<string> = sql`case when users.ceiling is null then ''
  else coalesce((select account.titles_chosen_at::text from users as account where account.id = users.account_id), '') end`;

export const accountColumns = {
  id: users.id,
  email: accountEmail,
  name: users.name,
  avatar: users.avatarUrl,
};

/** Guards run on every request, so session and member are read in one query with these columns. */
export const sessionUserColumns = {
  userId: users.id,
  accountId: users.accountId,
  isOneOfSeveral,
  email: accountEmail,
  name: users.name,
  avatarUrl: users.avatarUrl,
  bannerImage: users.bannerImage,
  role: users.role,
  birthday: users.birthday,
  ceiling: users.ceiling,
  isBesideChild,
  titlesChosenAt,
  ...pickFields(users, preferenceNames),
  filmGeneration: users.filmGeneration,
};

type Row = SelectResultFields<typeof sessionUserColumns>;

export const toSessionUser = (row: Row): SessionUser => ({
  id: row.userId,
  accountId: row.accountId ?? row.userId,
  isOneOfSeveral: row.isOneOfSeveral,
  email: row.email,
  name: row.name,
  avatar: row.avatarUrl,
  bannerImage: row.bannerImage,
  role: row.role,
  filmGeneration: row.filmGeneration,
  birthday: row.birthday,
  ceiling: row.ceiling,
  isBesideChild: row.isBesideChild,
  titlesChosenAt: row.titlesChosenAt,
  preferences: {
    ...pickFields(row, preferenceNames),
    // The birthday may have been entered after the preference was stored.
    parentalControl: row.parentalControl || isMinor(row.birthday) || row.ceiling !== null,
    trackSearchHistory: row.trackSearchHistory && row.ceiling === null,
    forgetsWatched: row.forgetsWatched && row.ceiling === null,
  },
});

import { and, desc, eq, isNull, lt, or } from "drizzle-orm";
import {
  type FoundSession,
  isEnabled,
  sessionUserColumns,
  toSessionUser,
  whileSessionValid,
} from "#app/domain/accounts/accounts.server.ts";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { newSecret, secretHash } from "#app/platform/process/secrets.server.ts";
import { hours } from "#app/platform/units.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { accessTokens, users } from "#db/schema/accounts.ts";

/** Personal access tokens. Each acts for one profile. A token is shown once; only its hash is stored. */

type AccessTokenScope = (typeof accessTokens.$inferSelect)["scope"];
type AccessToken = {
  id: string;
  name: string;
  scope: AccessTokenScope;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** Lets secret scanners recognize a leaked token. */
const prefix = "engawa_";
const tokenPattern = new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`);
const maxTokens = 50;
const useRecordedEveryMs = hours(1);

const columns = {
  id: accessTokens.id,
  name: accessTokens.name,
  scope: accessTokens.scope,
  createdAt: accessTokens.createdAt,
  lastUsedAt: accessTokens.lastUsedAt,
};

export const listAccessTokens = (userId: string): Promise<AccessToken[]> =>
  db
    .select(columns)
    .from(accessTokens)
    .where(eq(accessTokens.userId, userId))
    .orderBy(desc(accessTokens.createdAt), accessTokens.id);

type NewToken = { name: string; scope: AccessTokenScope };

/** Refuses if the session has ended since the request was authenticated, for example because the password changed. */
export async function createAccessToken(
  session: FoundSession,
  { name, scope }: NewToken,
  actor: Actor,
): Promise<Outcome<AccessToken & { token: string }>> {
  const token = prefix + newSecret();
  const { id: userId, accountId } = session.user;
  return whileSessionValid(session, async (transaction) => {
    if ((await transaction.$count(accessTokens, eq(accessTokens.userId, userId))) >= maxTokens)
      return refuse("conflict", `A profile has at most ${maxTokens} tokens; revoke one first`);
    const [created] = await transaction
      .insert(accessTokens)
      .values({ userId, name, scope, secretHash: secretHash(token), createdAt: new Date() })
      .returning(columns);
    if (!created) throw new Error("a token was not stored");
    await recordEvent({ kind: "token_made", userId: accountId, actor, detail: name }, transaction);
    return done({ ...created, token });
  });
}

export async function deleteAccessToken(
  { id: userId, accountId }: Pick<SessionUser, "id" | "accountId">,
  id: string,
  actor: Actor,
) {
  await withTransaction(async (transaction) => {
    const [revoked] = await transaction
      .delete(accessTokens)
      .where(and(eq(accessTokens.userId, userId), eq(accessTokens.id, id)))
      .returning({ name: accessTokens.name });
    if (revoked)
      await recordEvent(
        { kind: "token_revoked", userId: accountId, actor, detail: revoked.name },
        transaction,
      );
  });
}

/** Finds the member of a token. `lastUsedAt` is written at most hourly, to avoid a write for every request. */
export async function findTokenUser(
  token: string,
): Promise<{ user: SessionUser; scope: AccessTokenScope } | null> {
  if (!tokenPattern.test(token)) return null;
  const [row] = await db
    .select({
      tokenId: accessTokens.id,
      scope: accessTokens.scope,
      lastUsedAt: accessTokens.lastUsedAt,
      ...sessionUserColumns,
    })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.userId))
    .where(and(eq(accessTokens.secretHash, secretHash(token)), isEnabled));
  if (!row) return null;
  await recordUse(row.tokenId, row.lastUsedAt);
  return { user: toSessionUser(row), scope: row.scope };
}

async function recordUse(id: string, lastUsedAt: Date | null) {
  const now = Date.now();
  if (lastUsedAt && now - lastUsedAt.getTime() < useRecordedEveryMs) return;
  const isStale = or(
    isNull(accessTokens.lastUsedAt),
    lt(accessTokens.lastUsedAt, new Date(now - useRecordedEveryMs)),
  );
  await db
    .update(accessTokens)
    .set({ lastUsedAt: new Date(now) })
    .where(and(eq(accessTokens.id, id), isStale))
    .catch((error) => log.warn("could not record that an access token was used", errorFields(error)));
}

import { randomBytes } from "node:crypto";
import { desc, eq } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { secretHash } from "#app/platform/process/secrets.server.ts";
import { isUuid } from "#app/platform/uuid.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { hookSecrets } from "#db/schema/scanning.ts";

/** Secrets that let other programs report new films. Each secret is shown once, when it is created. */

const maxSecrets = 50;
const maxNameLength = 60;

export async function makeHookSecret(name: string, actor: Actor): Promise<Outcome<{ secret: string }>> {
  const trimmedName = name.trim();
  if (trimmedName === "" || trimmedName.length > maxNameLength)
    return refuse(
      "invalid",
      `Give it a name of at most ${maxNameLength} characters, such as the program that gets it`,
    );
  const secret = randomBytes(24).toString("base64url");
  return withTransaction(async (transaction): Promise<Outcome<{ secret: string }>> => {
    if ((await transaction.$count(hookSecrets)) >= maxSecrets)
      return refuse("conflict", "There are too many secrets. Revoke one first");
    await transaction.insert(hookSecrets).values({ name: trimmedName, digest: secretHash(secret) });
    await recordEvent({ kind: "hook_made", actor, detail: trimmedName }, transaction);
    return done({ secret });
  });
}

export async function revokeHookSecret(id: string, actor: Actor): Promise<Outcome<null>> {
  if (!isUuid(id)) return noSuchSecret;
  return withTransaction(async (transaction): Promise<Outcome<null>> => {
    const [revoked] = await transaction.delete(hookSecrets).where(eq(hookSecrets.id, id)).returning();
    if (!revoked) return noSuchSecret;
    await recordEvent({ kind: "hook_revoked", actor, detail: revoked.name }, transaction);
    return done(null);
  });
}

const noSuchSecret = refuse("not_found", "There is no such secret");

export const listHookSecrets = () =>
  db
    .select({
      id: hookSecrets.id,
      name: hookSecrets.name,
      madeAt: hookSecrets.madeAt,
      usedAt: hookSecrets.usedAt,
    })
    .from(hookSecrets)
    .orderBy(desc(hookSecrets.madeAt));

/** Looks the secret up by its digest, so the response time reveals nothing about the secret. */
export async function isHookSecret(secret: string | null): Promise<boolean> {
  if (secret === null || secret.length > 200) return false;
  const used = await db
    .update(hookSecrets)
    .set({ usedAt: new Date() })
    .where(eq(hookSecrets.digest, secretHash(secret)))
    .returning({ id: hookSecrets.id });
  return used.length > 0;
}

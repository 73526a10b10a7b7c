import { and, desc, eq, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { done, type Outcome, refuse, ThrownRefusal } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { newSecret, secretHash, secretInLink } from "#app/platform/process/secrets.server.ts";
import { days } from "#app/platform/units.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { invitations, invitationUses } from "#db/schema/invitations.ts";

/** Links with which operators invite people. The secret is in the link's fragment, which browsers send to no server. */

export const maxInvitationUses = 100;
export const maxInvitationDays = 90;
export const maxInvitationNoteLength = 200;
/** The limit of open invitations, so that an operator can keep an overview. */
const maxOpenInvitations = 200;
const retentionMs = days(90);

type NewInvitation = { note: string; maxUses: number; lifetimeDays: number };

export const ordinaryInvitation: NewInvitation = { note: "", maxUses: 1, lifetimeDays: 7 };

/** The secret is returned once. Only its hash is stored. */
export async function createInvitation(
  { note, maxUses, lifetimeDays }: NewInvitation,
  actor: Actor,
): Promise<Outcome<{ secret: string }>> {
  const secret = newSecret();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + days(lifetimeDays));
  return withTransaction(async (transaction) => {
    if ((await transaction.$count(invitations, isUsable(now))) >= maxOpenInvitations)
      return refuse(
        "conflict",
        `There are ${maxOpenInvitations} open invitations. Revoke some of them first.`,
      );
    const userId = actor.operatorId ?? null;
    await transaction
      .insert(invitations)
      .values({ secretHash: secretHash(secret), userId, note, maxUses, createdAt: now, expiresAt });
    await recordEvent({ kind: "invitation_made", actor, detail: usesText(maxUses) }, transaction);
    return done({ secret });
  });
}

const usesText = (count: number) => (count === 1 ? "for one person" : `for ${count} people`);

const isUsable = (now: Date) =>
  and(
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, now),
    lt(invitations.uses, invitations.maxUses),
  );

export const invitationUsedRefusal = refuse(
  "forbidden",
  "This invitation was used already, is too old or was revoked. Ask for another one.",
  [{ path: "invitation", message: "was used already, is too old or was revoked" }],
);

export const invitationHash = (typed: string) => secretHash(secretInLink(typed));

/** Null if nobody can sign up with this invitation any more. `invitedBy` is null without an operator's account. */
export async function findUsableInvitation(hash: string): Promise<{ invitedBy: string | null } | null> {
  const [found] = await db
    .select({ invitedBy: users.name })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.userId))
    .where(and(eq(invitations.secretHash, hash), isUsable(new Date())));
  return found ?? null;
}

/** Finds the usable invitation of a link or a code, with the name of the operator who made it. */
export const findInvitation = (typed: string) => findUsableInvitation(invitationHash(typed));

/**
 * Records that the account was made with this invitation. Throws a refusal if the invitation can no longer be used, so
 * that concurrent sign-ups cannot exceed its number of uses.
 */
export async function spendInvitation(
  transaction: Transaction,
  { invitation: hash }: { invitation: string | null },
  userId: string,
): Promise<void> {
  if (hash === null) return;
  const now = new Date();
  const [used] = await transaction
    .update(invitations)
    .set({ uses: sql`${invitations.uses} + 1`, lastUsedAt: now })
    .where(and(eq(invitations.secretHash, hash), isUsable(now)))
    .returning({ id: invitations.id });
  if (!used) throw new ThrownRefusal(invitationUsedRefusal);
  await transaction.insert(invitationUses).values({ userId, invitationId: used.id, usedAt: now });
}

const maxListed = 500;

/** All invitations, newest first, each with the accounts that were made with it. */
export async function listInvitations() {
  const listed = await db
    .select({
      id: invitations.id,
      note: invitations.note,
      maxUses: invitations.maxUses,
      uses: invitations.uses,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
      isRevoked: sql<boolean>`${invitations.revokedAt} is not null`,
      madeBy: users.name,
    })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.userId))
    .orderBy(desc(invitations.createdAt), invitations.id)
    .limit(maxListed);
  const ids = listed.map(({ id }) => id);
  const guests = await db
    .select({ id: invitationUses.invitationId, email: users.email })
    .from(invitationUses)
    .innerJoin(users, eq(users.id, invitationUses.userId))
    .where(inArray(invitationUses.invitationId, ids))
    .orderBy(invitationUses.usedAt);
  const emails = new Map(ids.map((id): [string, string[]] => [id, []]));
  for (const { id, email } of guests) if (email !== null) emails.get(id)?.push(email);
  return listed.map((one) => ({ ...one, usedBy: emails.get(one.id) ?? [] }));
}

/** Nobody can use the invitation any more. Accounts that were made with it stay. */
export async function revokeInvitation(id: string, actor: Actor): Promise<Outcome<null>> {
  return withTransaction(async (transaction) => {
    const [revoked] = await transaction
      .update(invitations)
      .set({ revokedAt: new Date() })
      .where(and(eq(invitations.id, id), isNull(invitations.revokedAt)))
      .returning({ id: invitations.id });
    if (!revoked) return refuse("not_found", "There is no such invitation, or it is revoked already");
    await recordEvent({ kind: "invitation_revoked", actor }, transaction);
    return done(null);
  });
}

/**
 * Deletes invitations 90 days after they were used up, expired or were revoked. The record of which accounts were made
 * with them goes too.
 */
export async function deleteOldInvitations(): Promise<void> {
  const oldest = new Date(Date.now() - retentionMs);
  await db
    .delete(invitations)
    .where(
      or(
        lt(invitations.expiresAt, oldest),
        lt(invitations.revokedAt, oldest),
        and(sql`${invitations.uses} >= ${invitations.maxUses}`, lt(invitations.lastUsedAt, oldest)),
      ),
    );
}

import { and, desc, eq, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { keyedHash } from "#app/platform/process/encryption.server.ts";
import { getSigningSecrets } from "#app/platform/process/secrets.server.ts";
import { days } from "#app/platform/units.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { securityEvents } from "#db/schema/events.ts";
import { type EventActor, type EventKind, eventDays } from "./events.ts";

/** Records events of accounts and of the site: actor, kind, time, and the network as a keyed hash. */

/** The author of an event. `ip` is the address block that the limiter counts; null for a command. */
export type Actor = { kind: EventActor; ip: string | null; operatorId?: string };

type NewEvent = {
  kind: EventKind;
  actor: Actor;
  /** The account that the event is about. Missing if it is about the site. */
  userId?: string;
  detail?: string;
};

export const commandLine: Actor = { kind: "command", ip: null };

/** The limit for each kind, so that frequent events cannot evict the record of a password change. */
const maxEventsOfKind = 200;
const maxDetailLength = 200;
/**
 * Frequent sign-ins of a program, or failures of somebody who guesses passwords, would otherwise hide everything else.
 */
const isRepetitive = (kind: EventKind) => kind.startsWith("sign_in");

/** Keyed, because a plain hash could be reversed by hashing all IP addresses. */
export const networkHash = (ip: string) =>
  keyedHash(getSigningSecrets()[0], "networks of events", ip).digest("hex");

/** Pass the transaction of the recorded change, so that neither is stored without the other. */
export async function recordEvent(
  { kind, actor, userId, detail = "" }: NewEvent,
  on: Pick<Transaction, "execute"> = db,
): Promise<void> {
  const network = actor.ip === null ? null : networkHash(actor.ip);
  const operatorId = actor.operatorId ?? null;
  const at = new Date().toISOString();
  const text = detail.slice(0, maxDetailLength);
  const isNew = isRepetitive(kind)
    ? sql`not exists (select from ${securityEvents} where ${securityEvents.userId} = ${userId ?? null}::uuid
          and ${securityEvents.kind} = ${kind} and ${securityEvents.detail} = ${text}
          and ${securityEvents.networkHash} = ${network}
          and ${securityEvents.at} > ${at}::timestamptz - interval '1 hour')`
    : sql`true`;
  await on.execute(sql`
    insert into ${securityEvents} (at, kind, user_id, actor, operator_id, detail, network_hash)
    select ${at}::timestamptz, ${kind}, ${userId ?? null}::uuid, ${actor.kind}, ${operatorId}::uuid, ${text}, ${network}
    where ${isNew}`);
}

type SecurityEvent = {
  id: string;
  at: Date;
  kind: EventKind;
  actor: EventActor;
  detail: string;
  networkHash: string | null;
};
export type ListedEvent = SecurityEvent & { userEmail: string | null; operatorEmail: string | null };

const columns = {
  id: securityEvents.id,
  at: securityEvents.at,
  kind: securityEvents.kind,
  actor: securityEvents.actor,
  detail: securityEvents.detail,
  networkHash: securityEvents.networkHash,
};
const newestFirst = [desc(securityEvents.at), desc(securityEvents.id)] as const;

/** The last event of the previous page. */
type Cursor = { at: Date; id: string };

/** For operators: the events of all accounts and of the site. */
export async function listEvents(limit: number, after?: Cursor): Promise<ListedEvent[]> {
  const operators = alias(users, "operators");
  return db
    .select({ ...columns, userEmail: users.email, operatorEmail: operators.email })
    .from(securityEvents)
    .leftJoin(users, eq(users.id, securityEvents.userId))
    .leftJoin(operators, eq(operators.id, securityEvents.operatorId))
    .where(after && isAfter(after))
    .orderBy(...newestFirst)
    .limit(limit);
}

export const listEventsOf = (userId: string, limit: number, after?: Cursor): Promise<SecurityEvent[]> =>
  db
    .select(columns)
    .from(securityEvents)
    .where(and(eq(securityEvents.userId, userId), after && isAfter(after)))
    .orderBy(...newestFirst)
    .limit(limit);

const isAfter = ({ at, id }: Cursor): SQL | undefined =>
  or(lt(securityEvents.at, at), and(eq(securityEvents.at, at), lt(securityEvents.id, id)));

/** A statement deletes at most so many rows, so that it ends long before the database's time limit. */
const maxDeletedAtOnce = 5000;

/** Deletes old events, and all but the newest of each kind of an account. */
export async function deleteOldEvents(): Promise<void> {
  const oldest = new Date(Date.now() - days(eventDays)).toISOString();
  await deleteInSteps(sql`select id from ${securityEvents} where at < ${oldest}::timestamptz`);
  const tooMany = await db.execute<{ userId: string; kind: EventKind }>(sql`
    select user_id as "userId", kind from ${securityEvents} where user_id is not null
    group by user_id, kind having count(*) > ${maxEventsOfKind}`);
  for (const { userId, kind } of tooMany)
    await deleteInSteps(sql`
      select id from ${securityEvents} where user_id = ${userId}::uuid and kind = ${kind}
      order by at desc, id desc offset ${maxEventsOfKind}`);
}

/** `ids` selects the ids of the events to delete. */
async function deleteInSteps(ids: SQL): Promise<void> {
  let deleted: readonly unknown[];
  do {
    deleted = await db.execute(sql`
      delete from ${securityEvents} where id in (${ids} limit ${maxDeletedAtOnce}) returning 1`);
  } while (deleted.length === maxDeletedAtOnce);
}

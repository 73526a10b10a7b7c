import { and, eq, sql } from "drizzle-orm";
import {
  type ClientDevice,
  type FoundSession,
  whileSessionValid,
} from "#app/domain/accounts/accounts.server.ts";
import { isChild } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import { networkHash, recordEvent } from "#app/domain/events/events.server.ts";
import { minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { deviceCodeGuesses, deviceCodes } from "#db/schema/device-codes.ts";
import { isWindowOver } from "../credentials/password-failures.server.ts";
import { isWaiting, userCodeHash } from "./device-codes.server.ts";
import { formatUserCode, parseUserCode } from "./user-code.ts";

/** A member types the code that another device shows, sees which device it is, and confirms or refuses it. */

const maxGuesses = 10;
const guessWindow = minutes(15);

type WaitingDevice = { userCode: string; device: string; askedAt: Date; isSameNetwork: boolean };

const unknownCodeRefusal = refuse(
  "not_found",
  "No screen shows this code. Codes end after ten minutes and work once: look at the screen again.",
  [{ path: "code", message: "is on no screen" }],
);
const tooManyGuessesRefusal: Refusal = {
  ...refuse("overloaded", "Too many wrong codes were typed. Wait a quarter of an hour, then try again."),
  waitMs: guessWindow,
};
const grownUpsOnlyRefusal = refuse(
  "forbidden",
  "The profile of a child cannot sign in other devices. Switch to the profile of a grown-up.",
);

/** The device that shows this code. A wrong code counts against the account, whichever profile typed it. */
export async function findWaitingDevice(
  session: FoundSession,
  typed: string,
  client: ClientDevice,
): Promise<Outcome<WaitingDevice>> {
  const { accountId } = session.user;
  if (isChild(session.user)) return grownUpsOnlyRefusal;
  if ((await countGuess(accountId)) > maxGuesses) return tooManyGuessesRefusal;
  const letters = parseUserCode(typed);
  const [found] =
    letters === null
      ? []
      : await db
          .select()
          .from(deviceCodes)
          .where(and(eq(deviceCodes.userCodeHash, userCodeHash(letters)), isWaiting(new Date())));
  if (!found || letters === null) return unknownCodeRefusal;
  await forgetGuess(accountId);
  const { device, createdAt: askedAt } = found;
  const isSameNetwork = found.networkHash === networkHash(client.ip);
  return done({ userCode: formatUserCode(letters), device, askedAt, isSameNetwork });
}

type Decision = { userCode: string; isConfirmed: boolean };

/** If several members decide about one code at once, the first decision counts. */
export async function decideAboutDevice(
  session: FoundSession,
  { userCode, isConfirmed }: Decision,
  client: ClientDevice,
): Promise<Outcome<{ device: string }>> {
  const waiting = await findWaitingDevice(session, userCode, client);
  if (!waiting.ok) return waiting;
  const { id: userId, accountId } = session.user;
  const letters = parseUserCode(userCode) ?? "";
  return whileSessionValid(session, async (transaction) => {
    const [decided] = await transaction
      .update(deviceCodes)
      .set({ state: isConfirmed ? "confirmed" : "denied", userId, sessionId: session.id })
      .where(and(eq(deviceCodes.userCodeHash, userCodeHash(letters)), isWaiting(new Date())))
      .returning({ device: deviceCodes.device });
    if (!decided) return unknownCodeRefusal;
    if (isConfirmed) {
      const actor = { kind: "member", ip: client.ip } as const;
      await recordEvent(
        { kind: "device_confirmed", userId: accountId, actor, detail: decided.device },
        transaction,
      );
    }
    return done(decided);
  });
}

/** Counts before the code is looked up, so that concurrent guesses cannot exceed the limit. */
async function countGuess(accountId: string): Promise<number> {
  const now = new Date().toISOString();
  const isOver = isWindowOver(deviceCodeGuesses.windowStart, guessWindow, now);
  const [counted] = await db.execute<{ guesses: number }>(sql`
    insert into ${deviceCodeGuesses} (user_id, window_start, guesses)
    values (${accountId}, ${now}::timestamptz, 1)
    on conflict (user_id) do update set
      guesses = case when ${isOver} then 1 else ${deviceCodeGuesses.guesses} + 1 end,
      window_start = case when ${isOver} then excluded.window_start else ${deviceCodeGuesses.windowStart} end
    returning guesses`);
  return counted?.guesses ?? 0;
}

/** Takes back the guess of a code that a device shows. Earlier wrong guesses stay counted. */
const forgetGuess = (accountId: string) =>
  db
    .update(deviceCodeGuesses)
    .set({ guesses: sql`greatest(${deviceCodeGuesses.guesses} - 1, 0)` })
    .where(eq(deviceCodeGuesses.userId, accountId));

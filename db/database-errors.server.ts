import { Overload } from "#app/platform/limits/current-client.server.ts";
import { CannotStart } from "#app/platform/process/cannot-start.server.ts";

/** The database refuses connections, is unreachable or does not answer. The query is not the cause. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** The database is up, but it ended a statement because of a time limit or in favor of another transaction. */
class DatabaseBusy extends Overload {
  override name = "DatabaseBusy";
}

/** PgBouncer's code for every refusal: it is full, or cannot reach the database. */
const poolerError = "08P01";

/** Error codes of the driver, of the network, and of a server that is starting, stopping or out of connections. */
const connectionErrorCodes = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECTION_CONNECT_TIMEOUT",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "53300",
  "57P01",
  "57P02",
  "57P03",
  poolerError,
]);

const busyCodes = new Set([
  // query_canceled: the statement reached its time limit.
  "57014",
  // lock_not_available: the statement waited too long for a lock.
  "55P03",
  // idle_in_transaction_session_timeout and idle_session_timeout: the process sent nothing for too long.
  "25P03",
  "57P05",
  // serialization_failure and deadlock_detected: another transaction went first.
  "40001",
  "40P01",
]);

export const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
};

/** Turns a driver error into DatabaseUnavailable or DatabaseBusy. Returns an error of the query itself unchanged. */
export function asDatabaseFailure(error: unknown): unknown {
  if (isConnectionError(error)) return new DatabaseUnavailable("no connection", { cause: error });
  if (busyCodes.has(codeOf(error) ?? "")) return new DatabaseBusy("the database is busy", { cause: error });
  return error;
}

const lockErrorCodes = new Set(["55P03", "40P01"]);

/** True if a statement waited too long for a lock, or was ended because of a deadlock. */
export const isLockError = (error: unknown): boolean => lockErrorCodes.has(codeOf(error) ?? "");

export const isConnectionError = (error: unknown): boolean => connectionErrorCodes.has(codeOf(error) ?? "");

/** drizzle wraps the driver's error as its `cause`. */
function* causes(error: unknown) {
  for (let link = error; link instanceof Error; link = link.cause) yield link;
}

/** Errors that the operator can fix, by their code. */
const remedyTexts: Record<string, string> = {
  "28P01": "The database refuses the password in DATABASE_URL. Correct it and start again.",
  "28000": "The database refuses the user in DATABASE_URL. Correct it and start again.",
  "3D000": "The database named in DATABASE_URL does not exist. Create it and start again.",
  "42501": "The user in DATABASE_URL may not change the database. Make it the owner of the database.",
  ENOTFOUND: "The host name in DATABASE_URL or DATABASE_DIRECT_URL is not known. Correct it and start again.",
  "25006": "The database is read-only (a standby?). Set DATABASE_URL to one that can be changed.",
  "53100": "The disk is full. The database needs more space. Free some space and start again.",
  [poolerError]:
    "The pooler at DATABASE_URL refuses connections. Its log says why; docs/operating.md has the settings for PgBouncer.",
  "55P03":
    "Something else has used the same tables or rows of the database for too long. Try again, or stop it first.",
};

/** Turns an error that the operator can fix into a CannotStart. Returns every other error unchanged. */
export function explainDatabaseError(error: unknown): unknown {
  for (const link of causes(error)) {
    const code = codeOf(link) ?? "";
    const remedy = remedyTexts[code];
    if (remedy) return new CannotStart(remedy);
    if (isConnectionError(link))
      return new CannotStart(
        `The database does not answer (${code}). Is it running, does its disk have space, and is the address right that DATABASE_URL or DATABASE_DIRECT_URL sets?`,
      );
  }
  return error;
}

/** Returns the constraint that a write violated, so that the caller can tell "already in use" from a bug. */
export function violatedConstraint(error: unknown): string | undefined {
  for (const link of causes(error)) {
    const name = (link as { constraint_name?: unknown }).constraint_name;
    if (typeof name === "string") return name;
  }
  return undefined;
}

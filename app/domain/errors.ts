/**
 * The reasons for which the domain refuses a request. `http/endpoint/error-response.server.ts` maps each to a status
 * and a text.
 */
export type ErrorCode =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_large"
  | "unsupported"
  | "upstream_failed"
  | "overloaded"
  | "disk_full";
export type Issue = { path: string; message: string };
export type Refusal = {
  ok: false;
  reason: ErrorCode;
  message?: string;
  issues?: Issue[];
  /** The time that the client has to wait, if it is known. */
  waitMs?: number;
};
export type Outcome<Value> = { ok: true; value: Value } | Refusal;

export const refuse = (reason: ErrorCode, message?: string, issues?: Issue[]): Refusal => ({
  ok: false,
  reason,
  ...(message !== undefined && { message }),
  ...(issues !== undefined && { issues }),
});
/** Refuses invalid fields. The message is the first issue, and forms then say it only at the field. */
export const refuseFields = (issues: Issue[]): Refusal =>
  refuse("invalid", `${issues[0]?.path} ${issues[0]?.message}`, issues);
/** Such a refusal can concern only one of the clients that wait for the same work. */
export const isOverloaded = (outcome: Outcome<unknown>): boolean =>
  !outcome.ok && outcome.reason === "overloaded";
export const done = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });

/** Ends work early with a refusal. A transaction in which it is thrown is rolled back. */
export class ThrownRefusal extends Error {
  override name = "ThrownRefusal";
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
/** For `catch`: returns a refusal that was thrown, and throws any other error again. */
export function catchRefusal(error: unknown): Refusal {
  if (error instanceof ThrownRefusal) return error.refusal;
  throw error;
}

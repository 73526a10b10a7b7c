import { z } from "zod";
import { type ErrorCode, type Issue, type Refusal, refuse } from "#app/domain/errors.ts";
import { inSeconds, seconds } from "#app/platform/units.ts";
import { cacheHeaders, noStore } from "../cache-policy.server.ts";

export const busyText = "Busy, try again shortly";
/** The wait after which a refused client should try again. */
const busyWaitMs = seconds(2);
export const busyHeaders = { "Retry-After": String(inSeconds(busyWaitMs)) };

/** The status and the error text of each kind of refusal. */
const answers = {
  invalid: [400, "Bad request"],
  unauthorized: [401, "Unauthorized"],
  forbidden: [403, "Forbidden"],
  not_found: [404, "Not found"],
  conflict: [409, "Conflict"],
  too_large: [413, "Too large"],
  unsupported: [415, "Unsupported media type"],
  upstream_failed: [500, "The upstream failed"],
  overloaded: [503, busyText],
  disk_full: [507, "The disk of this site is nearly full"],
} as const satisfies Record<ErrorCode, readonly [status: number, errorText: string]>;

export type RefusalStatus = (typeof answers)[ErrorCode][0];

export const statusOfReason = (code: ErrorCode): number => answers[code][0];

export type WriteError = (error: { status: number; message: string; headers?: HeadersInit }) => Response;

/** Writes an error for endpoints whose errors are not `{ error, status }`. */
export type ErrorShape = WriteError & {
  /** The schema of the error, for the OpenAPI document. */
  schema: z.ZodType;
};

/** The body of an error, for the OpenAPI document. */
export const errorObject = z
  .object({
    error: z.string(),
    status: z.int(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "Error" });

export const rateLimitObject = z
  .object({ error: z.string(), status: z.int(), retryAfter: z.int() })
  .meta({ id: "RateLimitError" });

type Extra = { issues?: Issue[] | undefined; retryAfter?: number; headers?: HeadersInit };

export function errorResponse(status: number, error: string, { issues, retryAfter, headers }: Extra = {}) {
  const body = { error, status, ...(issues && { issues }), ...(retryAfter !== undefined && { retryAfter }) };
  const response = errorJson(status, body, headers);
  if (retryAfter !== undefined) response.headers.set("Retry-After", String(retryAfter));
  return response;
}

/** For error shapes: an error response that no cache stores. */
export const errorJson = (status: number, body: unknown, headers?: HeadersInit) =>
  Response.json(body, {
    status,
    headers: { ...cacheHeaders(noStore), ...Object.fromEntries(new Headers(headers)) },
  });

export const fail = (code: ErrorCode, message?: string, issues?: Issue[]) =>
  refusalResponse(refuse(code, message, issues));

export function refusalResponse({ reason, message, issues, waitMs = busyWaitMs }: Refusal) {
  const [status, errorText] = answers[reason];
  return errorResponse(status, message ?? errorText, {
    issues,
    ...(reason === "overloaded" && { headers: { "Retry-After": String(Math.ceil(waitMs / seconds(1))) } }),
  });
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" && value !== null && "ok" in value && value.ok === false && "reason" in value;

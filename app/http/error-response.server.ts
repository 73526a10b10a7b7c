import type { ErrorCode, Issue, Refusal } from "../domain/errors.ts";

/** The one table from refusals of the domain to statuses and words of the wire. */
const answers = {
  invalid: [400, "Bad request"],
  unauthorized: [401, "Unauthorized"],
  forbidden: [403, "Forbidden"],
  not_found: [404, "Not found"],
  conflict: [409, "Conflict"],
  too_large: [413, "Too large"],
  unsupported: [415, "Unsupported media type"],
  upstream_failed: [500, "The upstream failed"],
  overloaded: [503, "Busy, try again shortly"],
} as const satisfies Record<ErrorCode, readonly [status: number, words: string]>;

export const statusOf = (code: ErrorCode): number => answers[code][0];

type Extra = { issues?: Issue[] | undefined; retryAfter?: number; headers?: HeadersInit };

export function errorResponse(status: number, error: string, { issues, retryAfter, headers }: Extra = {}) {
  const response = Response.json(
    { error, status, ...(issues && { issues }), ...(retryAfter !== undefined && { retryAfter }) },
    { status, headers: { "Cache-Control": "no-store", ...Object.fromEntries(new Headers(headers)) } },
  );
  if (retryAfter !== undefined) response.headers.set("Retry-After", String(retryAfter));
  return response;
}

export const fail = (code: ErrorCode, message?: string, issues?: Issue[]) =>
  refusalResponse({
    ok: false,
    reason: code,
    ...(message !== undefined && { message }),
    ...(issues && { issues }),
  });

export function refusalResponse({ reason, message, issues }: Refusal) {
  const [status, words] = answers[reason];
  return errorResponse(status, message ?? words, {
    issues,
    ...(reason === "overloaded" && { headers: { "Retry-After": "2" } }),
  });
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" && value !== null && "ok" in value && value.ok === false && "reason" in value;

/** The listing's own error shape (specification, section 7). */
export const nestedErrorResponse = (
  status: number,
  type: "rate_limit" | "database",
  message: string,
  headers: HeadersInit = {},
) =>
  Response.json(
    { error: { message, type, statusCode: status } },
    { status, headers: { "Cache-Control": "no-store", ...Object.fromEntries(new Headers(headers)) } },
  );

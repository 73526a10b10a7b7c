import type { MiddlewareFunction } from "react-router";
import { z } from "zod";
import type { Issue } from "#app/domain/errors.ts";
import { type ErrorShape, errorJson, fail } from "#app/http/endpoint/error-response.server.ts";
import { jikanPath } from "#app/paths.ts";
import { valuesByKey } from "#app/platform/lists.ts";
import { env } from "#app/platform/process/env.server.ts";

/** Errors as Jikan v4 writes them. Clients read `type` and `message`, or `messages` for a wrong parameter. */

const types: Record<number, string> = {
  400: "ValidationException",
  404: "BadResponseException",
  429: "RateLimitException",
  500: "InternalException",
  503: "ServiceUnavailableException",
};

export const jikanErrorObject = z
  .object({
    status: z.int(),
    type: z.string(),
    message: z.string(),
    error: z.null(),
    messages: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({ id: "JikanError" });

type JikanError = z.output<typeof jikanErrorObject>;

function jikanErrorBody(status: number, message: string, issues: readonly Issue[] = []): JikanError {
  const body = { status, type: types[status] ?? "HttpException", message, error: null };
  if (issues.length === 0) return body;
  const messages = valuesByKey(issues.map(({ path, message: issue }) => [path, issue]));
  return { ...body, messages: Object.fromEntries(messages) };
}

export const jikanError: ErrorShape = Object.assign(
  ({ status, message, headers }: Parameters<ErrorShape>[0]) =>
    errorJson(status, jikanErrorBody(status, message), headers),
  { schema: jikanErrorObject },
);

/** Declared by the API's last route, for unreadable targets that reach no route. */
export const malformedRequest = env.JIKAN_API
  ? { malformedJson: jikanErrorBody(400, "Bad request") }
  : undefined;

type OwnError = { error: string; status: number; issues?: Issue[] };

const isJikanPattern = (pattern: string) => `/${pattern.replace(/^\//, "")}`.startsWith(`${jikanPath()}/`);

/**
 * Rewrites the errors of guards, parsers and handlers. On the root route, around all guards that may refuse a request.
 * Most errors of requests that reach no route have another shape.
 */
export const inJikanShape: MiddlewareFunction<Response> = async ({ pattern }, next) => {
  if (!isJikanPattern(pattern)) return next();
  const response = await next();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  if (response.status < 400 || !isJson) return response;
  const body = (await response.clone().json()) as OwnError | JikanError;
  if ("type" in body) return response;
  const headers = new Headers(response.headers);
  headers.delete("Content-Length");
  return Response.json(jikanErrorBody(response.status, body.error, body.issues), {
    status: response.status,
    headers,
  });
};

/** With `JIKAN_API=0` every route of the API answers 404. */
export const whereOffered: MiddlewareFunction<Response> = (_, next) => {
  if (!env.JIKAN_API) throw fail("not_found", "No such endpoint");
  return next();
};

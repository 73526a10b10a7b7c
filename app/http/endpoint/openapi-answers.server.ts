import type { z } from "zod";
import { errorObject, type RefusalStatus, rateLimitObject, statusOfReason } from "./error-response.server.ts";
import { type HeaderName, headersOf, rateLimitHeaders } from "./openapi-headers.ts";
import type { Json, SchemaWriter } from "./openapi-schemas.server.ts";
import type { BytesAnswer, Operation } from "./operation.server.ts";
import { rawBytes } from "./wire-schema.ts";

/**
 * The answers of an operation in the OpenAPI document: the ones it declares, and those of guards, limiters and the
 * pipeline.
 */

/** How the middleware of a route treats its requests. */
export type DescribedRoute = {
  isLimited: boolean;
  isGuarded: boolean;
  takesSession: boolean;
  takesToken: boolean;
  /** Refuses some members, or writes that another site sent. */
  forbids: boolean;
  /** Answers a form post with a redirect. */
  redirectsForms: boolean;
};

export function describeAnswers(operation: Operation, facts: DescribedRoute, { write }: SchemaWriter): Json {
  const { declared } = operation;
  const status = declared.status ?? 200;
  const isCached = declared.tagged || (operation.method === "GET" && declared.cache?.isPublic === true);
  const cached: HeaderName[] = isCached ? ["ETag", "Expires"] : [];
  const headerNames: HeaderName[] = [
    "Cache-Control",
    ...cached,
    ...(declared.ranges ? (["Accept-Ranges"] as const) : []),
    ...(facts.isLimited ? rateLimitHeaders : []),
    ...(facts.isGuarded && !declared.headers?.includes("Set-Cookie") ? (["Set-Cookie"] as const) : []),
    ...(declared.headers ?? []),
  ];
  const content = contentOf(declared.answer, write);
  const answer = (description: string, names: readonly HeaderName[], of: Json = {}) => ({
    description,
    headers: headersOf(names),
    ...(Object.keys(of).length > 0 && { content: of }),
  });
  return {
    [status]:
      status === 302
        ? answer("A redirect", ["Location", ...headerNames])
        : answer(declared.summary, headerNames, content),
    ...(declared.mayAnswerEarly && { 202: answer("The work goes on", headerNames, content) }),
    ...(declared.ranges && {
      206: answer("The part that Range asks for", ["Content-Range", ...headerNames], content),
    }),
    ...(declared.redirectsMoved && {
      301: answer("It is a part of another one now", ["Location", "Cache-Control"]),
    }),
    ...((facts.redirectsForms || declared.redirectsForms) && {
      302: answer("A form post is redirected to a page", ["Location", ...headerNames]),
    }),
    ...(isCached && { 304: answer("Nothing has changed since If-None-Match", headerNames) }),
    ...describeErrors(operation, facts, write),
    ...Object.fromEntries(
      Object.entries(declared.otherAnswers ?? {}).map(([other, schema]) => [
        other,
        answer(
          errors[Number(other) as ErrorStatus].description,
          errorHeaders(Number(other)),
          json(write(schema)),
        ),
      ]),
    ),
  };
}

const json = (schema: Json) => ({ "application/json": { schema } });

function contentOf(answer: z.ZodType | BytesAnswer, write: SchemaWriter["write"]): Json {
  if (!("bytes" in answer)) return json(write(answer));
  const schemaOf = (type: string) =>
    type === "application/json" && answer.json ? write(answer.json) : write(rawBytes);
  return Object.fromEntries(answer.bytes.map((type) => [type, { schema: schemaOf(type) }]));
}

const errors = {
  400: { name: "BadRequest", description: "The request is not valid; `issues` names the fields" },
  401: { name: "Unauthorized", description: "Needs a session, or an access token where one is accepted" },
  403: { name: "Forbidden", description: "Not allowed for this account, token or origin" },
  404: { name: "NotFound", description: "There is no such thing" },
  408: { name: "RequestTimeout", description: "The body did not arrive in time" },
  409: { name: "Conflict", description: "Conflicts with what is stored" },
  413: { name: "TooLarge", description: "The body is over its limit" },
  415: { name: "UnsupportedMediaType", description: "The body has a type that is not accepted here" },
  416: { name: "RangeNotSatisfiable", description: "The file has no such part" },
  429: { name: "TooManyRequests", description: "The client is over the limit" },
  500: { name: "ServerError", description: "The server or an upstream failed" },
  503: { name: "Overloaded", description: "Cannot answer just now; try again" },
  507: { name: "InsufficientStorage", description: "The disk of the site is nearly full" },
} as const satisfies Record<RefusalStatus | 408 | 416 | 429, { name: string; description: string }>;
type ErrorStatus = keyof typeof errors;

function errorHeaders(status: number): HeaderName[] {
  return [
    "Cache-Control",
    ...(status === 416 ? (["Accept-Ranges", "Content-Range"] as const) : []),
    ...(status === 429 || status === 503 ? (["Retry-After"] as const) : []),
    ...rateLimitHeaders,
  ];
}

const errorSchemaOf = (status: number) => (status === 429 ? rateLimitObject : errorObject);

/** `components/responses` of the document. If `schema` is given, all errors have that schema. */
export const describeErrorComponents = ({ write }: SchemaWriter, schema?: z.ZodType): Json =>
  Object.fromEntries(
    Object.entries(errors).map(([status, { name, description }]) => [
      name,
      {
        description,
        headers: headersOf(errorHeaders(Number(status))),
        content: json(write(schema ?? errorSchemaOf(Number(status)))),
      },
    ]),
  );

function describeErrors({ declared }: Operation, facts: DescribedRoute, write: SchemaWriter["write"]): Json {
  const describe = (status: ErrorStatus) => {
    const { name, description } = errors[status];
    const shaped = status === 429 || status === 500 ? declared.errorShape?.schema : undefined;
    const hasPage = declared.showsErrorPages === true && status !== 429 && status !== 503;
    if (!shaped && !hasPage) return { $ref: `#/components/responses/${name}` };
    const page = hasPage ? { "text/html": { schema: { type: "string" } } } : {};
    const content = { ...json(write(shaped ?? errorSchemaOf(status))), ...page };
    return { description, headers: headersOf(errorHeaders(status)), content };
  };
  return Object.fromEntries(
    [...errorStatuses(declared, facts)].map((status) => [status, describe(status as ErrorStatus)]),
  );
}

/** Any request can be malformed, fail or arrive while the server is overloaded, so every operation has 400, 500 and 503. */
function errorStatuses(
  { refuses = [], ranges, body, accepts }: Operation["declared"],
  { isLimited, isGuarded, takesToken, forbids }: DescribedRoute,
) {
  return new Set([
    ...refuses.map(statusOfReason),
    ...[400, 500, 503],
    // A wrong token is refused even on routes that need none.
    ...(isGuarded || takesToken ? [401] : []),
    ...(forbids ? [403] : []),
    ...(body || accepts ? [408, 413] : []),
    ...(body ? [415] : []),
    ...(ranges ? [416] : []),
    ...(isLimited ? [429] : []),
  ]);
}

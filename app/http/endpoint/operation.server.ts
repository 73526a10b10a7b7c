import type { Params } from "react-router";
import { z } from "zod";
import type { ErrorCode, Issue, Refusal } from "#app/domain/errors.ts";
import { isMissingUserError } from "#app/domain/missing-user.server.ts";
import { kibibytes } from "#app/platform/units.ts";
import { issueText } from "#app/platform/validation-messages.ts";
import { type CachePolicy, noStore, privateNoStore } from "../cache-policy.server.ts";
import { type Admission, answerStateContext, type Context, signalIn } from "../context.server.ts";
import { carriesToken } from "../guards/bearer-token.ts";
import { carriesSession } from "../guards/session-cookie.server.ts";
import { logFailure } from "../log-failure.server.ts";
import { respondWithNode } from "../server/node-body.server.ts";
import { type Sharing, withApiOrigins } from "../sharing.ts";
import { applyCachePolicy } from "./apply-cache-policy.server.ts";
import { type ErrorShape, errorResponse, fail, isRefusal, refusalResponse } from "./error-response.server.ts";
import type { HeaderName } from "./openapi-headers.ts";
import { listUnstorableText, queryObject, readRequestBody } from "./request-body.server.ts";

/**
 * Each endpoint declares its operations once. The declaration parses the request, types the handler and describes the
 * operation in `/api/openapi.json`. `serve()` joins the operations of one path into one function, used as loader and
 * action.
 */

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The media types of an answer whose bytes the handler writes itself, for the OpenAPI document. Empty for a redirect. */
export type BytesAnswer = {
  bytes: readonly string[];
  /** The schema of the `application/json` answer. */
  json?: z.ZodType;
};

type HandlerInput<Query extends z.ZodType, Body extends z.ZodType> = {
  query: z.output<Query>;
  body: z.output<Body>;
  params: Params;
  request: Request;
  context: Context;
};

type Declaration<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType | BytesAnswer> = {
  tag: string;
  summary: string;
  /** For the OpenAPI document, if the summary is not enough. */
  description?: string;
  /** The parameters of the path, for the OpenAPI document, unless any text is accepted. */
  params?: Record<string, z.ZodType>;
  query?: Query;
  /**
   * Names that may be repeated or end in `[]`. Their values are joined with commas. For all other names the first value
   * counts.
   */
  repeats?: readonly string[];
  /** Names that may come without a value, which then means true. */
  flags?: readonly string[];
  body?: Body;
  /** The endpoint reads forms as well as JSON. */
  forms?: boolean;
  bodyLimit?: number;
  /** The handler reads the body itself. Maps each media type to its content, for the OpenAPI document. */
  accepts?: Readonly<Record<string, z.ZodType>>;
  answer: Answer;
  status?: 200 | 201 | 302;
  cache?: CachePolicy;
  /** Whether the answer to this query depends on the session. If so, no shared cache stores a member's answer. */
  isPersonal?: (query: z.output<Query>) => boolean;
  /** How other origins may use the answers of this path. Only the declaration of GET counts. */
  sharing?: Sharing;
  /**
   * Whether requests of this path wait for another server, or are answered even when this server is busy. Only the
   * declaration of GET counts.
   */
  admission?: Admission;
  /**
   * The refusals of the handler, for the OpenAPI document. Those of guards, limiters and body limits are added
   * automatically.
   */
  refuses?: readonly ErrorCode[];
  /** Headers of a successful answer that the handler sets, for the OpenAPI document. */
  headers?: readonly HeaderName[];
  /** The handler sets ETag, so that the pipeline answers 304. For the OpenAPI document. Implied by a public `cache`. */
  tagged?: boolean;
  /** The handler answers 202, with the same body, if it has only begun. For the OpenAPI document. */
  mayAnswerEarly?: boolean;
  /** The handler answers Range with 206 or 416. For the OpenAPI document. */
  ranges?: boolean;
  /** The handler redirects form posts to a page. For the OpenAPI document. */
  redirectsForms?: boolean;
  /** The handler redirects from addresses of things that have become part of others. For the OpenAPI document. */
  redirectsMoved?: boolean;
  /** Browsers get a page instead of an error in JSON. For the OpenAPI document. */
  showsErrorPages?: boolean;
  /**
   * The answer depends on the session, or also on an access token, but neither is required. `isPersonal` implies
   * "session or token".
   */
  optionalSignIn?: "session" | "session or token";
  /** Answers with an error status whose body is not an error. For the OpenAPI document. */
  otherAnswers?: { 503?: z.ZodType };
  /** The GET changes something, so HEAD gets 405. */
  noHead?: boolean;
  /** The error shape, for an endpoint whose errors are not `{ error, status }`. */
  errorShape?: ErrorShape;
  handle(
    input: HandlerInput<Query, Body>,
  ): Promise<(Answer extends z.ZodType ? z.input<Answer> : never) | Refusal | Response>;
};

export type Operation = {
  method: Method;
  declared: Declaration<z.ZodType, z.ZodType, z.ZodType | BytesAnswer>;
};

export function operation<
  Answer extends z.ZodType | BytesAnswer,
  Query extends z.ZodType = z.ZodObject,
  Body extends z.ZodType = z.ZodUndefined,
>(method: Method, declared: Declaration<Query, Body, Answer>): Operation {
  return { method, declared: declared as unknown as Operation["declared"] };
}

/** `{ success: true, data }`, the answer of most endpoints for members. */
export const success = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data });
export const succeed = <Data>(data: Data) => ({ success: true as const, data });
export const messageObject = z.object({ message: z.string() }).meta({ id: "Message" });

type RouteArguments = { request: Request; params: Params; context: Context };
export type OperationRoute = ((args: RouteArguments) => Promise<Response>) & {
  operations: readonly Operation[];
  /** Without OPTIONS, which every path answers. */
  methods: readonly string[];
  sharing: Sharing;
  admission: Admission | undefined;
};

export function serve(...operations: Operation[]): OperationRoute {
  const byMethod = new Map<string, Operation>(operations.map((one) => [one.method, one]));
  const getOperation = byMethod.get("GET");
  if (getOperation && !getOperation.declared.noHead) byMethod.set("HEAD", getOperation);
  const methods = [...byMethod.keys()];
  const allow = [...methods, "OPTIONS"].join(", ");

  const answer = async ({ request, params, context }: RouteArguments) => {
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
    const requestedOperation = byMethod.get(request.method);
    if (!requestedOperation) return errorResponse(405, "Method not allowed", { headers: { Allow: allow } });
    return perform(requestedOperation, { request, params, context });
  };
  const sharing = getOperation?.declared.sharing ?? withApiOrigins;
  const admission = getOperation?.declared.admission;
  return Object.assign(answer, { operations, methods, sharing, admission });
}

async function perform(
  { declared }: Operation,
  { request, params, context }: RouteArguments,
): Promise<Response> {
  try {
    const { searchParams } = new URL(request.url);
    const query = await parse(declared.query, queryObject(searchParams, declared), "query");
    if (namesUnknown(searchParams, declared)) context.get(answerStateContext).hasUnknownParameters = true;
    const body =
      declared.body && (await parse(declared.body, await readDeclaredBody(declared, request), "body"));
    const answer = await declared.handle({ query, body, params, request, context });
    if (answer instanceof Response) return answer;
    if (isRefusal(answer)) return refusalResponse(answer);
    const response = answerOf(request.method, answer, declared.status ?? 200, context);
    applyCachePolicy(response.headers, policyFor(declared, query, request), context);
    return response;
  } catch (error) {
    if (error instanceof Response) return error;
    if (isMissingUserError(error)) return errorResponse(401, "Unauthorized");
    if (!signalIn(context).aborted) logFailure("a request failed", error);
    const message = "Internal server error";
    return declared.errorShape?.({ status: 500, message }) ?? errorResponse(500, message);
  }
}

/** `name[]` is another spelling of a parameter that may be repeated. */
function namesUnknown(searchParams: URLSearchParams, { query }: Operation["declared"]) {
  let known = query;
  while (known instanceof z.ZodPipe) known = known.in as z.ZodType;
  if (known !== undefined && !(known instanceof z.ZodObject)) return false;
  const names = known?.shape ?? {};
  return [...searchParams.keys()].some((name) => !Object.hasOwn(names, name.replace(/\[\]$/, "")));
}

function policyFor({ cache = noStore, isPersonal }: Operation["declared"], query: unknown, request: Request) {
  if (isPersonal && carriesToken(request)) return privateNoStore;
  if (!isPersonal?.(query)) return cache;
  return carriesSession(request.headers.get("Cookie"))
    ? privateNoStore
    : { ...cache, isForSessionless: true };
}

/**
 * The router drops the body of a HEAD response. The body bypasses the router, so that Content-Length and ETag equal
 * those of GET.
 */
function answerOf(method: string, answer: unknown, status: number, context: Context): Response {
  if (method !== "HEAD") return Response.json(answer, { status });
  const bytes = Buffer.from(JSON.stringify(answer));
  const headers = { "Content-Type": "application/json", "Content-Length": String(bytes.byteLength) };
  return respondWithNode(context, bytes, { status, headers });
}

const readDeclaredBody = ({ bodyLimit, forms }: Operation["declared"], request: Request) =>
  readRequestBody(request, { limit: bodyLimit ?? kibibytes(256), forms: forms ?? false });

export async function parse<Schema extends z.ZodType>(
  schema: Schema | undefined,
  input: unknown,
  what: string,
) {
  const unstorable = listUnstorableText(input);
  if (unstorable.length > 0)
    throw fail("invalid", `The ${what} holds text that cannot be stored`, unstorable);
  const result = await (schema ?? z.unknown()).safeParseAsync(input, { error: issueText });
  if (!result.success) throw invalid(result.error, what);
  return result.data as z.output<Schema>;
}

function invalid(error: z.ZodError, what: string) {
  const issues = withoutDuplicates(error.issues.flatMap(issuesOfUnion).map((issue) => toIssue(issue, what)));
  const [first] = issues;
  return fail(
    "invalid",
    first ? (first.path ? `${first.path}: ${first.message}` : first.message) : `Bad ${what}`,
    issues,
  );
}

/** If all but one of the accepted forms are ruled out by their kind, the fields of that form are named. */
function issuesOfUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const [form, ...otherForms] = issue.errors.filter((errors) => errors.every(({ path }) => path.length > 0));
  if (!form || otherForms.length > 0) return [issue];
  return form.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function toIssue({ path, message, code }: z.core.$ZodIssue, what: string): Issue {
  const isWholeInput = path.length === 0 && code !== "custom";
  return { path: path.join("."), message: isWholeInput ? `The ${what} ${message}` : message };
}

/**
 * A field that breaks several rules keeps one issue for each, without duplicates. A list in a body can have 100,000
 * issues, so they are not compared with each other.
 */
const withoutDuplicates = (issues: readonly Issue[]): Issue[] => [
  ...new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue])).values(),
];

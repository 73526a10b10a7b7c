import type { MiddlewareFunction, ServerBuild } from "react-router";
import { z } from "zod";
import { member, memberOrToken, operator } from "../access/guard.server.ts";
import { statusOf } from "./error-response.server.ts";
import type { BytesAnswer, Operation, OperationRoute } from "./operation.server.ts";

/** Writes the OpenAPI document from the operations that the routes of this build declare. */

type Json = Record<string, unknown>;
type RouteModule = { loader?: Partial<OperationRoute>; middleware?: MiddlewareFunction<unknown>[] };

type About = { title: string; version: string; description: string };

export function describeApi(routes: ServerBuild["routes"], info: About, origin: string): Json {
  const paths: Record<string, Json> = {};
  const firstPaths = new Map<readonly Operation[], string>();
  for (const { path, operations, module } of declaringRoutes(routes)) {
    const aliasOf = firstPaths.get(operations);
    if (aliasOf === undefined) firstPaths.set(operations, path);
    paths[path] = Object.fromEntries(
      operations.map((operation) => [
        operation.method.toLowerCase(),
        { ...describeOperation(path, operation, module), ...(aliasOf && { "x-alias-of": aliasOf }) },
      ]),
    );
  }
  return {
    openapi: "3.1.0",
    info,
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "session" },
        token: { type: "http", scheme: "bearer" },
      },
    },
  };
}

function declaringRoutes(routes: ServerBuild["routes"]) {
  return Object.values(routes).flatMap((route) => {
    const module = route?.module as RouteModule | undefined;
    const operations = module?.loader?.operations;
    if (!route?.path || !module || !operations) return [];
    const path = `/${route.path.replace(/:(\w+)\??/g, "{$1}").replace("*", "{path}")}`;
    return [{ path, operations, module }];
  });
}

function describeOperation(path: string, { method, declared }: Operation, module: RouteModule): Json {
  const has = (guard: MiddlewareFunction<Response>) => module.middleware?.includes(guard as never) ?? false;
  const takesToken = has(memberOrToken);
  const guarded = takesToken || has(member) || has(operator);
  const limited = module.middleware?.some((one) => "limiter" in one) ?? false;
  const refusals = new Set((declared.refuses ?? []).map(statusOf));
  if (declared.query || declared.body) refusals.add(400);
  if (guarded) refusals.add(401);
  if (limited) refusals.add(429);
  return {
    tags: [declared.tag],
    summary: declared.summary,
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z0-9]+(.)?/gi, (_, next: string) => (next ?? "").toUpperCase())}`,
    ...(declared.description && { description: declared.description }),
    ...(guarded && { security: [{ session: [] }, ...(takesToken ? [{ token: [] }] : [])] }),
    parameters: [...pathParameters(path), ...queryParameters(declared.query)],
    ...(declared.body && { requestBody: requestBody(declared.body, declared.forms ?? false) }),
    ...(declared.accepts && { requestBody: { required: true, content: bytesOf(declared.accepts) } }),
    responses: {
      [declared.status ?? 200]: { description: declared.summary, content: answerContent(declared.answer) },
      ...Object.fromEntries([...refusals].sort().map((status) => [status, errorAnswer])),
    },
  };
}

const errorSchema = {
  type: "object",
  required: ["error", "status"],
  properties: { error: { type: "string" }, status: { type: "integer" }, retryAfter: { type: "integer" } },
};
const errorAnswer = {
  description: "Refused",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

function queryParameters(query: z.ZodType | undefined) {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function requestBody(body: z.ZodType, forms: boolean) {
  const schema = jsonSchema(body, "input");
  const types = [
    "application/json",
    ...(forms ? ["application/x-www-form-urlencoded", "multipart/form-data"] : []),
  ];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

const bytesOf = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: "string", format: "binary" } }]));

const answerContent = (answer: z.ZodType | BytesAnswer) =>
  "bytes" in answer ? bytesOf(answer.bytes) : { "application/json": { schema: jsonSchema(answer, "input") } };

import type { MiddlewareFunction, ServerBuild } from "react-router";
import type { z } from "zod";
import type { GuardFacts } from "../guards/documented.ts";
import { sessionCookieName } from "../guards/session-cookie.server.ts";
import { type DescribedRoute, describeAnswers, describeErrorComponents } from "./openapi-answers.server.ts";
import { headerComponents } from "./openapi-headers.ts";
import { createSchemaWriter, type Json, type SchemaWriter } from "./openapi-schemas.server.ts";
import type { Operation, OperationRoute } from "./operation.server.ts";

/** Writes the OpenAPI document from the operations that the routes of this build declare. */

type RouteModule = { loader?: Partial<OperationRoute>; middleware?: MiddlewareFunction<unknown>[] };

export type AboutApi = {
  info: Json & { title: string; version: string; description: string };
  tags: readonly { name: string; description: string }[];
  /** True for the paths that the document describes. */
  covers(path: string): boolean;
  /** The common beginning of these paths. The document names it once, as part of the server's URL. */
  base?: string;
  /** The schema of errors, if it is not `{ error, status }`. */
  errors?: z.ZodType;
};

export function describeApi(
  routes: ServerBuild["routes"],
  { info, tags, covers, base = "", errors }: AboutApi,
  origin: string,
): Json {
  const writer = createSchemaWriter();
  const paths: Record<string, Json> = {};
  const firstPaths = new Map<readonly Operation[], string>();
  for (const { path: wholePath, operations, module } of declaringRoutes(routes)) {
    if (!covers(wholePath)) continue;
    const path = wholePath.slice(base.length);
    const aliasOf = firstPaths.get(operations);
    if (aliasOf === undefined) firstPaths.set(operations, path);
    paths[path] = Object.fromEntries(
      operations.map((operation) => [
        operation.method.toLowerCase(),
        { ...describeOperation(path, operation, module, writer), ...(aliasOf && { "x-alias-of": aliasOf }) },
      ]),
    );
  }
  const responses = describeErrorComponents(writer, errors);
  return {
    openapi: "3.1.0",
    info: { ...info, contact: { name: "The operator of this site", url: origin } },
    servers: [{ url: `${origin}${base}` }],
    tags,
    paths,
    components: {
      schemas: writer.named,
      responses,
      headers: headerComponents,
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: sessionCookieName(origin.startsWith("https:")) },
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

function describeOperation(
  path: string,
  operation: Operation,
  module: RouteModule,
  writer: SchemaWriter,
): Json {
  const { method, declared } = operation;
  const facts = factsOf(operation, module);
  return {
    tags: [declared.tag],
    summary: declared.summary,
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z0-9]+(.)?/gi, (_, next: string) => (next ?? "").toUpperCase())}`,
    ...(declared.description && { description: declared.description }),
    security: securityOf(facts),
    parameters: [...pathParameters(path, declared, writer), ...queryParameters(declared.query, writer)],
    ...requestBodyOf(declared, writer),
    responses: describeAnswers(operation, facts, writer),
  };
}

function factsOf({ method, declared }: Operation, { middleware = [] }: RouteModule): DescribedRoute {
  const guards = middleware.map(guardFactsOf);
  const isWrite = method !== "GET";
  const isGuarded = guards.some(({ isRequired }) => isRequired);
  const optional = declared.isPersonal ? "session or token" : declared.optionalSignIn;
  return {
    isLimited: middleware.some((one) => "limiter" in one),
    isGuarded,
    takesSession: isGuarded || optional !== undefined,
    takesToken: guards.some(({ takesToken }) => takesToken) || optional === "session or token",
    forbids: guards.some(({ forbids }) => forbids === "everything" || (isWrite && forbids === "writes")),
    redirectsForms: middleware.some((one) => "redirectsForms" in one),
  };
}

const guardFactsOf = (one: MiddlewareFunction<unknown> & { guardFacts?: GuardFacts }): GuardFacts =>
  one.guardFacts ?? {};

function securityOf({ takesSession, takesToken, isGuarded }: DescribedRoute) {
  const schemes = [...(takesSession ? [{ session: [] }] : []), ...(takesToken ? [{ token: [] }] : [])];
  return isGuarded || schemes.length === 0 ? schemes : [{}, ...schemes];
}

const pathParameters = (path: string, { params = {} }: Operation["declared"], { write }: SchemaWriter) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: params[name] ? write(params[name]) : { type: "string" },
  }));

function queryParameters(query: z.ZodType | undefined, { write }: SchemaWriter) {
  if (!query) return [];
  const { properties = {}, required = [] } = write(query) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    ...(schema.type === "array" && { style: "form", explode: false }),
    schema,
  }));
}

const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"];

function requestBodyOf({ body, forms, accepts }: Operation["declared"], { write }: SchemaWriter) {
  if (accepts) {
    const content = Object.entries(accepts).map(([type, schema]) => [type, { schema: write(schema) }]);
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }
  if (!body) return {};
  const schema = write(body);
  const types = ["application/json", ...(forms ? formTypes : [])];
  const required = !body.isOptional() || body.meta()?.isDeclaredRequired === true;
  return {
    requestBody: { required, content: Object.fromEntries(types.map((type) => [type, { schema }])) },
  };
}

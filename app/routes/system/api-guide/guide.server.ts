import { exampleValue, type Schema, schemaText } from "./schema-text.server.ts";

/** The OpenAPI document for people: by subject, each alias listed at its endpoint, schemas as text. */

type ParameterLocation = "path" | "query";
type GuideParameter = {
  name: string;
  location: ParameterLocation;
  required: boolean;
  kind: string;
  description: string;
};
export type GuideEndpoint = {
  id: string;
  method: string;
  path: string;
  aliases: string[];
  summary: string;
  description: string;
  access: string;
  fields: GuideParameter[];
  /** Null for an endpoint that takes no body. */
  body: { types: string[]; shape: string; example: string } | null;
  answers: { status: string; types: string[]; shape: string }[];
  refusals: string[];
};
type GuideSection = { name: string; id: string; entries: GuideEndpoint[] };

type Content = Record<string, { schema: Schema }>;
type Described = {
  tags: string[];
  summary: string;
  description?: string;
  operationId: string;
  security?: Record<string, unknown>[];
  parameters: {
    name: string;
    in: ParameterLocation;
    required: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content: Content }>;
  "x-alias-of"?: string;
};
export type ApiDocument = { paths: Record<string, Record<string, Described>> };

export function toGuideSections({ paths }: ApiDocument): GuideSection[] {
  const sections = new Map<string, GuideSection>();
  const entries = new Map<string, GuideEndpoint>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, described] of Object.entries(methods)) {
      const known = entries.get(`${method} ${described["x-alias-of"]}`);
      if (known) {
        known.aliases.push(path);
        continue;
      }
      const entry = entryOf(path, method, described);
      entries.set(`${method} ${path}`, entry);
      const name = described.tags[0] ?? "";
      const section = sections.get(name) ?? {
        name,
        id: name.toLowerCase().replaceAll(" ", "-"),
        entries: [],
      };
      sections.set(name, section);
      section.entries.push(entry);
    }
  return [...sections.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function entryOf(path: string, method: string, described: Described): GuideEndpoint {
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    aliases: [],
    summary: described.summary,
    description: described.description ?? "",
    access: accessText(described.security ?? []),
    fields: described.parameters.map(({ name, in: location, required, schema, description = "" }) => ({
      name,
      location,
      required,
      kind: schemaText(schema),
      description,
    })),
    body: described.requestBody ? bodyOf(described.requestBody.content) : null,
    answers: Object.entries(described.responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, { content }]) => answerOf(status, content)),
    refusals: Object.keys(described.responses).filter((status) => Number(status) >= 400),
  };
}

function accessText(security: Record<string, unknown>[]) {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.length === 0) return "No sign-in needed";
  return schemes.includes("token") ? "Needs a session or an access token" : "Needs a session";
}

function bodyOf(content: Content) {
  const schema = content["application/json"]?.schema;
  const isText = schema !== undefined && schema.format !== "binary";
  return {
    types: Object.keys(content),
    shape: isText ? schemaText(schema) : "",
    example: isText ? JSON.stringify(exampleValue(schema), null, 2) : "",
  };
}

function answerOf(status: string, content: Content) {
  const schema = content["application/json"]?.schema;
  const isText = schema !== undefined && schema.format !== "binary";
  return { status, types: Object.keys(content), shape: isText ? schemaText(schema) : "" };
}

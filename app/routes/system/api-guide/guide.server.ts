import { groupBy } from "#app/platform/lists.ts";
import { exampleValue, type Schema, schemaText, withoutReferences } from "./schema-text.server.ts";

/** The OpenAPI document for people: by subject, each alias listed at its endpoint, schemas as text. */

type ParameterLocation = "path" | "query";
type GuideParameter = {
  name: string;
  location: ParameterLocation;
  required: boolean;
  kind: string;
  description: string;
};
/** Media types with the same content, and the content as text; empty for bytes. */
type TypesOfShape = { types: string[]; shape: string };
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
  body: { shapes: TypesOfShape[]; textType: string | null; example: string } | null;
  answers: { status: string; description: string; shapes: TypesOfShape[] }[];
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
  responses: Record<string, { description: string; content?: Content }>;
  "x-alias-of"?: string;
};
export type ApiDocument = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};

export function toGuideSections(document: ApiDocument): GuideSection[] {
  const paths = withoutReferences(document.paths, document.components.schemas);
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
    answers: answersOf(described),
    refusals: Object.keys(described.responses).filter((status) => Number(status) >= 400),
  };
}

function accessText(security: Record<string, unknown>[]) {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.length === 0) return "No sign-in needed";
  if (security.some((one) => Object.keys(one).length === 0))
    return "No sign-in needed; the answer can differ when signed in";
  return schemes.includes("token") ? "Needs a session or an access token" : "Needs a session";
}

const isText = ({ schema }: { schema: Schema }) => schema.format !== "binary";
const shapeOf = (one: { schema: Schema }) => (isText(one) ? schemaText(one.schema) : "");

/** Media types with the same content are one group. */
function groupByShape(content: Content): TypesOfShape[] {
  const groups = groupBy(Object.entries(content), ([, one]) => shapeOf(one));
  return [...groups].map(([shape, all]) => ({ types: all.map(([type]) => type), shape }));
}

function bodyOf(content: Content) {
  const [textType, text] =
    Object.entries(content).find(([type, one]) => isText(one) && type !== "multipart/form-data") ?? [];
  return {
    shapes: groupByShape(content),
    textType: textType ?? null,
    example: text ? JSON.stringify(exampleValue(text.schema), null, 2) : "",
  };
}

/**
 * Leaves out what the guide already shows: the summary is in the entry's first line, an early answer has the shape of the
 * usual one, and a part of a file has the types of the whole file.
 */
function answersOf({ summary, responses }: Described) {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content = {} }]) => ({
      status,
      description: description === summary ? "" : description,
      shapes: status === "202" || status === "206" ? [] : groupByShape(content),
    }));
}

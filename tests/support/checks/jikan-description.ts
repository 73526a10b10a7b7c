import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { complaintsAgainst, type Schema } from "#tests/support/checks/schema-checker.ts";

/** Jikan's own description of its API (OpenAPI 3.0), as JSON Schemas of its answers. */

type Json = Record<string, unknown>;
type Description = {
  paths: Record<
    string,
    { get?: { responses: { 200?: { content: { "application/json": { schema: Json } } } } } }
  >;
  components: { schemas: Record<string, Json> };
};

const description = JSON.parse(
  gunzipSync(readFileSync("tests/fixtures/jikan-v4-openapi.json.gz")).toString(),
) as Description;

export const jikanPaths = Object.keys(description.paths);

/** Routes of Jikan that its description lacks, each with the described route that has the same answer. */
const undescribedRoutes: Record<string, string> = { "/schedules/{day}": "/schedules" };

/** The schema of a successful answer at `path`, as the description writes the path. */
export function jikanAnswer(path: string): Schema {
  const schema =
    description.paths[undescribedRoutes[path] ?? path]?.get?.responses[200]?.content["application/json"]
      .schema;
  if (!schema) throw new Error(`Jikan has no ${path}`);
  return toJsonSchema(schema);
}

/** Fields of Jikan's answers that its description lacks or has in the wrong place. */
const undescribed =
  /\.(?:pagination|aired\.string|trailer\.images|images\.webp|images\.jpg\.(?:small|large)_image_url|data\[\d+\]\.(?:entry|url|votes)) is not declared$|data\[\d+\]\.entry\.\w+ is not declared$/;

/** The differences between an answer at `path` and the description. */
export const complaintsOfJikan = (path: string, answer: unknown): string[] =>
  complaintsAgainst(jikanAnswer(path), answer).filter((one) => !undescribed.test(one));

function toJsonSchema(given: Json): Schema {
  const { $ref, nullable, allOf, ...own } = given;
  if (typeof $ref === "string")
    return toJsonSchema(description.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {});
  if (Array.isArray(allOf)) return joined(allOf.map((one) => toJsonSchema(one as Json)));
  const schema = amended(own) as Schema;
  if (schema.properties)
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, one]) => [name, toJsonSchema(one)]),
    );
  if (schema.anyOf) schema.anyOf = schema.anyOf.map(toJsonSchema);
  if (schema.items) schema.items = toJsonSchema(schema.items);
  if (!nullable) return schema;
  return {
    ...schema,
    ...(schema.type !== undefined && { type: [schema.type, "null"].flat() }),
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}

const joined = (parts: readonly Schema[]): Schema => ({
  type: "object",
  properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
});

/**
 * Corrects errors in the description: its choices overlap, its bounds are texts, `float` is not a type, and its types
 * of titles lack some fields that its search types have.
 */
function amended({ minimum: _minimum, maximum: _maximum, oneOf, ...schema }: Json): Json {
  if (oneOf) return { ...schema, anyOf: oneOf };
  if (schema.type === "float") return { ...schema, type: "number" };
  if (!Array.isArray(schema.enum) || !schema.enum.includes("OVA")) return { ...schema };
  return { ...schema, enum: [...schema.enum, "CM", "PV", "TV Special"] };
}

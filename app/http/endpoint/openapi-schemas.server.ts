import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** Turns zod schemas into the schemas of the OpenAPI document. A schema with an `id` in its meta gets a name there. */

export type Json = Record<string, unknown>;
export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

export function createSchemaWriter() {
  const named: Record<string, Json> = {};

  function write(schema: z.ZodType): Json {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    for (const [name, definition] of Object.entries($defs)) addNamed(name, settled(definition as Json));
    return settled(root);
  }

  function addNamed(name: string, definition: Json) {
    if (named[name] !== undefined && !isDeepStrictEqual(named[name], definition))
      throw new Error(`two different schemas have the name ${name}`);
    named[name] = definition;
  }

  return { write, named };
}

/** Keywords whose values are data, not schemas. */
const dataKeywords = new Set(["const", "default", "enum", "examples", "required", "type"]);

function settled({ wire, isDeclaredRequired: _, ...given }: Json): Json {
  const schema =
    wire === undefined ? withoutSafeBounds(given) : { ...annotationsOf(given), ...(wire as Json) };
  const settledSchema = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, settledKeyword(keyword, value)]),
  );
  const required = requiredNames(schema);
  return required.length > 0 ? { ...settledSchema, required } : settledSchema;
}

function settledKeyword(keyword: string, value: unknown): unknown {
  if (keyword === "$ref") return String(value).replace("#/$defs/", "#/components/schemas/");
  if (dataKeywords.has(keyword) || typeof value !== "object" || value === null) return value;
  if (keyword === "properties")
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, settled(one as Json)]));
  return Array.isArray(value) ? value.map((one) => settled(one as Json)) : settled(value as Json);
}

const annotations = ["description", "default", "deprecated"];

const annotationsOf = (schema: Json) =>
  Object.fromEntries(annotations.flatMap((name) => (name in schema ? [[name, schema[name]]] : [])));

/** zod bounds every integer by the safe integers of a double. The document leaves these bounds out. */
function withoutSafeBounds({ minimum, maximum, ...rest }: Json): Json {
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

function requiredNames({ properties = {}, required = [] }: Json): string[] {
  const declared = Object.entries(properties as Record<string, Json>).flatMap(([name, one]) =>
    one.isDeclaredRequired === true ? [name] : [],
  );
  return [...new Set([...(required as string[]), ...declared])];
}

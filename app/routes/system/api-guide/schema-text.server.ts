/** A JSON schema as text, and an example value for it. */

export type Schema = {
  type?: string | string[];
  format?: string;
  contentEncoding?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  $ref?: string;
};

/** Replaces each reference by the schema that it names. No schema refers to itself. */
export function withoutReferences<Value>(value: Value, named: Record<string, Schema>): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withoutReferences(one, named)) as Value;
  const { $ref, ...own } = value as Schema;
  const name = $ref?.startsWith("#/components/schemas/") ? $ref.split("/").at(-1) : undefined;
  const whole = name === undefined ? value : { ...named[name], ...own };
  return Object.fromEntries(
    Object.entries(whole).map(([key, one]) => [key, withoutReferences(one, named)]),
  ) as Value;
}

export function schemaText(schema: Schema, depth = 0): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((one) => schemaText(one, depth)))].join(" | ");
  if (schema.allOf) return schemaText(mergeSchemas(schema.allOf), depth);
  if (schema.items) return listOf(schemaText(schema.items, depth));
  if (schema.properties) return objectOf(schema, depth);
  const { type = "anything" } = schema;
  if (Array.isArray(type)) return type.join(" | ");
  if (schema.format === "binary") return "file";
  const note = schema.format ?? schema.contentEncoding;
  return note ? `${type} (${note})` : type;
}

const listOf = (item: string) => (/ \| /.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`);

function objectOf({ properties = {}, required = [] }: Schema, depth: number) {
  const inner = "  ".repeat(depth + 1);
  const lines = Object.entries(properties).map(([name, schema]) => {
    const note = schema.description ? `  // ${schema.description}` : "";
    return `${inner}${name}${required.includes(name) ? "" : "?"}: ${schemaText(schema, depth + 1)}${note}`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${"  ".repeat(depth)}}`;
}

const mergeSchemas = (parts: Schema[]): Schema => ({
  properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<string, Schema>,
  required: parts.flatMap((part) => part.required ?? []),
});

const samples: Record<string, unknown> = { string: "", number: 0, integer: 1, boolean: true, null: null };

/** The smallest valid value: the required properties, or the first one if none is required. */
export function exampleValue(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return exampleValue(choices.at(-1) ?? {});
  if (schema.allOf) return exampleValue(mergeSchemas(schema.allOf));
  if (schema.items) return [];
  if (schema.properties) {
    const entries = Object.entries(schema.properties);
    const needed = entries.filter(([name]) => schema.required?.includes(name));
    const shown = needed.length > 0 ? needed : entries.slice(0, 1);
    return Object.fromEntries(shown.map(([name, one]) => [name, exampleValue(one)]));
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  return samples[type ?? "null"] ?? null;
}

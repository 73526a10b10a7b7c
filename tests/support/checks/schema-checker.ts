/** Lists how a value differs from a schema of an OpenAPI document. A field that the schema does not declare is listed too. */

export type Schema = Record<string, unknown> & {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  pattern?: string;
  format?: string;
};

export function complaintsAgainst(schema: Schema, value: unknown, path = "answer"): string[] {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const tried = choices.map((one) => complaintsAgainst(one, value, path));
    return tried.some((found) => found.length === 0)
      ? []
      : (tried.sort((a, b) => a.length - b.length)[0] ?? []);
  }
  if (schema.allOf) return schema.allOf.flatMap((one) => complaintsAgainst(one, value, path));
  if ("const" in schema)
    return value === schema.const ? [] : [`${path} is not ${JSON.stringify(schema.const)}`];
  if (schema.enum) return schema.enum.includes(value) ? [] : [`${path} is ${JSON.stringify(value)}`];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => hasType(type, value)))
    return [`${path} is ${JSON.stringify(value)}, not ${types.join(" or ")}`];
  if (schema.pattern && typeof value === "string" && !new RegExp(schema.pattern).test(value))
    return [`${path} does not match ${schema.pattern}`];
  if (Array.isArray(value))
    return value.flatMap((one, at) =>
      schema.items ? complaintsAgainst(schema.items, one, `${path}[${at}]`) : [],
    );
  return typeof value === "object" && value !== null
    ? complaintsAgainstObject(schema, value as Record<string, unknown>, path)
    : [];
}

function complaintsAgainstObject(schema: Schema, value: Record<string, unknown>, path: string): string[] {
  const { properties = {}, required = [] } = schema;
  const missing = required.filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`);
  const found = Object.entries(value).flatMap(([name, one]) => {
    const known = properties[name];
    if (known) return complaintsAgainst(known, one, `${path}.${name}`);
    return schema.additionalProperties === undefined || schema.additionalProperties === false
      ? [`${path}.${name} is not declared`]
      : [];
  });
  return [...missing, ...found];
}

const hasType = (type: string, value: unknown) =>
  ({
    string: typeof value === "string",
    number: typeof value === "number",
    integer: Number.isInteger(value),
    boolean: typeof value === "boolean",
    null: value === null,
    array: Array.isArray(value),
    object: typeof value === "object" && value !== null && !Array.isArray(value),
  })[type] ?? false;

import { z } from "zod";

/**
 * Overrides the OpenAPI schema where zod's is too loose. A parser takes every spelling of a number or a word as text,
 * but the document names the spelling that a client should send.
 */

/** `wire` replaces the JSON schema that zod generates. The description and the default stay. */
export const describedAs = <Schema extends z.ZodType>(
  schema: Schema,
  wire: Record<string, unknown>,
): Schema => schema.meta({ wire }) as Schema;

/** The document requires the field. The parser takes it as optional, because it may arrive under another name. */
export const declaredRequired = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ isDeclaredRequired: true }) as Schema;

/** Another accepted name of a field. */
export const aliasOf = <Schema extends z.ZodType>(name: string, schema: Schema): Schema =>
  schema.meta({ deprecated: true, description: `The same as ${name}` }) as Schema;

export const integer = (minimum: number, maximum?: number) => ({
  type: "integer",
  minimum,
  ...(maximum !== undefined && { maximum }),
});
export const oneOfWords = (words: readonly string[]) => ({ type: "string", enum: words });
/** In a query the items are joined with commas. */
export const listOf = (items: Record<string, unknown>) => ({ type: "array", items });

/** Raw bytes: a file of a form, or a whole body. */
export const rawBytes = describedAs(z.unknown(), { type: "string", format: "binary" });

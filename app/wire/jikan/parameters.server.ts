import { z } from "zod";
import { maxMalId } from "#app/domain/catalog/catalog.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { describedAs } from "#app/http/endpoint/wire-schema.ts";

/** Parameters of Jikan's API that several endpoints have. */

/** A parameter that is on when it is present, with any value except `false`, `0`, `no` and `off`. */
export const queryFlag = describedAs(
  z
    .string()
    .transform((value) => !/^(?:false|0|no|off)$/i.test(value.trim()))
    .optional(),
  { type: "boolean" },
);

/** A number in a path. Jikan's routes have no other paths, so everything else is a 404. */
export function requireNumber(text: string | undefined, max = maxMalId): number {
  const number = /^\d{1,10}$/.test(text ?? "") ? Number(text) : 0;
  if (number < 1 || number > max) throw fail("not_found", "There is no such page in Jikan's API");
  return number;
}

export const idParam = { id: z.int() };

import { z } from "zod";
import { type ErrorShape, errorJson } from "#app/http/endpoint/error-response.server.ts";

const types = { 429: "rate_limit", 500: "database" } as const;

const listingErrorObject = z
  .object({
    error: z.object({ message: z.string(), type: z.enum(Object.values(types)), statusCode: z.int() }),
  })
  .meta({ id: "ListingError" });

/** The listing nests its errors in an object with these types (specification, section 7). */
export const listingError: ErrorShape = Object.assign(
  ({ status, message, headers }: Parameters<ErrorShape>[0]) =>
    errorJson(
      status,
      { error: { message, type: types[status as keyof typeof types], statusCode: status } },
      headers,
    ),
  { schema: listingErrorObject },
);

import { type ErrorShape, errorJson } from "#app/http/endpoint/error-response.server.ts";

const types: Record<number, string> = { 429: "rate_limit", 500: "database" };

/** The listing nests its errors in an object with these types (specification, section 7). */
export const listingError: ErrorShape = ({ status, message, headers }) =>
  errorJson(status, { error: { message, type: types[status], statusCode: status } }, headers);

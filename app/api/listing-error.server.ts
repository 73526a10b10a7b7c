import { type ErrorShape, errorJson } from "#app/http/endpoint/error-response.server.ts";

const types: Record<number, string> = { 429: "rate_limit", 500: "database" };

/** The listing writes these two errors in a nested object (specification, section 7). */
export const listingError: ErrorShape = ({ status, message, headers }) =>
  errorJson(status, { error: { message, type: types[status], statusCode: status } }, headers);

/** The database refuses connections, is unreachable or does not answer. The query itself is not the cause. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** Error codes of the driver, of the network, and of a server that starts, stops or has no connection left. */
const connectionErrorCodes = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECTION_CONNECT_TIMEOUT",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "53300",
  "57P01",
  "57P02",
  "57P03",
]);

const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
};

export const isConnectionError = (error: unknown): boolean => connectionErrorCodes.has(codeOf(error) ?? "");

/** drizzle wraps the driver's error, which is then the `cause`. */
function* causes(error: unknown) {
  for (let link = error; link instanceof Error; link = link.cause) yield link;
}

/** Returns the constraint that refused a write, so that the caller can tell "already in use" from a defect. */
export function violatedConstraint(error: unknown): string | undefined {
  for (const link of causes(error)) {
    const name = (link as { constraint_name?: unknown }).constraint_name;
    if (typeof name === "string") return name;
  }
  return undefined;
}

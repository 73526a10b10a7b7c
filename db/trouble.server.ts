/** What can go wrong with a database, in terms a caller can act on. */

/** Not there, not reachable, or silent. The caller's own query is not at fault. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseDown";
}

/** Codes of the driver, of the network, and of a server that starts, stops or is full. */
const connectionTrouble = new Set([
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

export const isConnectionError = (error: unknown): boolean => connectionTrouble.has(codeOf(error) ?? "");

/** drizzle wraps what the driver throws, and its message quotes parameters: look at the cause. */
function* causes(error: unknown) {
  for (let one = error; one instanceof Error; one = one.cause) yield one;
}

/** The name of the constraint that refused a write, so that a caller can tell "in use" from a defect. */
export function violatedConstraint(error: unknown): string | undefined {
  for (const one of causes(error)) {
    const name = (one as { constraint_name?: unknown }).constraint_name;
    if (typeof name === "string") return name;
  }
  return undefined;
}

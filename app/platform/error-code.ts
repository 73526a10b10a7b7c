/** The code of an error of the system or of Node, such as "ENOENT". Empty if the error has none. */
export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

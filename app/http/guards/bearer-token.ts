/** Null if the request has no bearer token. An empty token is returned as a wrong one, so that the request gets 401. */
export function bearerToken(request: Request): string | null {
  const match = /^Bearer(?: +(.*))?$/i.exec(request.headers.get("Authorization") ?? "");
  return match && (match[1] ?? "");
}

/** Whether the request has a bearer token, valid or not. Its answer is then for the sender only. */
export const carriesToken = (request: Request): boolean => bearerToken(request) !== null;

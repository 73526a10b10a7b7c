/** Null if the request has no bearer token. An empty token is a wrong token, so that the request gets 401. */
export function bearerToken(request: Request): string | null {
  const match = /^Bearer(?: +(.*))?$/i.exec(request.headers.get("Authorization") ?? "");
  return match && (match[1] ?? "");
}

/** Whether the request has a bearer token, valid or not. Its answer is then for the sender alone. */
export const carriesToken = (request: Request): boolean => bearerToken(request) !== null;

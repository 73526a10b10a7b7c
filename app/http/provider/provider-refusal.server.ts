import type { Refusal } from "#app/domain/errors.ts";
import { signInPath } from "#app/paths.ts";
import { refusalResponse } from "../endpoint/error-response.server.ts";

/**
 * A refusal at a URL that the provider sends browsers to. Programs get JSON; browsers get a page with the same status that
 * leads back to the sign-in page.
 */
export function providerRefusalResponse(refusal: Refusal, request: Request): Response {
  const answer = refusalResponse(refusal);
  if (!request.headers.get("Accept")?.includes("text/html")) return answer;
  const back = signInPath({ error: `provider-${answer.status}` });
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign-in did not work</title>
<meta http-equiv="refresh" content="0; url=${back}"></head>
<body><h1>Sign-in did not work</h1><p><a href="${back}">Back to signing in</a></p></body></html>
`;
  const headers = new Headers(answer.headers);
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(html, { status: answer.status, headers });
}

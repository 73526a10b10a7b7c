import { type MiddlewareFunction, redirect } from "react-router";
import { kibibytes } from "#app/platform/units.ts";
import { cacheHeaders, noStore } from "../cache-policy.server.ts";
import { clientContext } from "../context.server.ts";
import { isFormPost, readRequestBody } from "../endpoint/request-body.server.ts";
import { safeRedirectTarget } from "./redirect-target.ts";

/**
 * Redirects a browser without JavaScript back to the form's page if the endpoint refuses its form. The query contains
 * only the status and the target after sign-in, never the typed values, because URLs end up in logs. This middleware
 * must be inside the limiter and the origin check, whose refusals must keep their status.
 */
export function redirectFailedFormsTo(page: string) {
  const middleware: MiddlewareFunction<Response> = async ({ request, context }, next) => {
    if (!isFormPost(request)) return next();
    const requestCopy = request.clone();
    const response = await next();
    if (response.status < 400 || response.status === 405) {
      // Rejects if the body broke off, and an unhandled rejection would end the process.
      requestCopy.body?.cancel().catch(() => {});
      return response;
    }
    const target = await redirectTargetOf(requestCopy, context.get(clientContext).origin);
    const targetQuery = target === "/" ? "" : `&redirectTo=${encodeURIComponent(target)}`;
    return redirect(`${page}?error=${response.status}${targetQuery}`, { headers: cacheHeaders(noStore) });
  };
  // The OpenAPI document declares the redirect of each route that has this mark.
  return Object.assign(middleware, { redirectsForms: true });
}

async function redirectTargetOf(request: Request, origin: string): Promise<string> {
  try {
    const body = await readRequestBody(request, { limit: kibibytes(256), forms: true });
    return safeRedirectTarget((body as { redirectTo?: string }).redirectTo, origin);
  } catch {
    return "/";
  }
}

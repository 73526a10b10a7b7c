import { type MiddlewareFunction, redirect } from "react-router";
import { kibibytes } from "#app/platform/units.ts";
import { cacheHeaders, noStore } from "../cache-policy.server.ts";
import { clientContext } from "../context.server.ts";
import { isFormPost, readRequestBody } from "../endpoint/request-body.server.ts";
import { safeRedirectTarget } from "./redirect-target.ts";

/**
 * A plain form that was posted straight to an endpoint and refused goes back to its page, which says why. Only the kind
 * of refusal and where the visitor was headed travel in the address, never a word else of what was typed. Stands inside
 * limiter and origin check, whose answers are not a form's to see.
 */
export const redirectFailedFormsTo =
  (page: string): MiddlewareFunction<Response> =>
  async ({ request, context }, next) => {
    if (!isFormPost(request)) return next();
    const copy = request.clone();
    const response = await next();
    if (response.status < 400 || response.status === 405) {
      void copy.body?.cancel();
      return response;
    }
    const target = await redirectTargetOf(copy, context.get(clientContext).origin);
    const headed = target === "/" ? "" : `&redirectTo=${encodeURIComponent(target)}`;
    return redirect(`${page}?error=${response.status}${headed}`, { headers: cacheHeaders(noStore) });
  };

async function redirectTargetOf(request: Request, origin: string): Promise<string> {
  try {
    const body = await readRequestBody(request, { limit: kibibytes(256), forms: true });
    return safeRedirectTarget((body as { redirectTo?: string }).redirectTo, origin);
  } catch {
    return "/";
  }
}

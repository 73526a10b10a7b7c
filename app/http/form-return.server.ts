import { type MiddlewareFunction, redirect } from "react-router";
import { kibibytes } from "../platform/byte-size.ts";
import { clientContext } from "./context.server.ts";
import { redirectTarget } from "./redirect-target.ts";
import { isFormPost, readBody } from "./request-body.server.ts";

/**
 * A plain form that was posted straight to an endpoint and refused goes back to its page, which says why. Only the kind
 * of refusal and where the visitor was headed travel in the address, never a word else of what was typed. Stands inside
 * limiter and origin check, whose answers are not a form's to see.
 */
export const formsReturnTo =
  (page: string): MiddlewareFunction<Response> =>
  async ({ request, context }, next) => {
    if (!isFormPost(request)) return next();
    const copy = request.clone();
    const response = await next();
    if (response.status < 400 || response.status === 405) {
      void copy.body?.cancel();
      return response;
    }
    const target = await targetIn(copy, context.get(clientContext).origin);
    const headed = target === "/" ? "" : `&redirectTo=${encodeURIComponent(target)}`;
    return redirect(`${page}?error=${response.status}${headed}`, {
      headers: { "Cache-Control": "no-store" },
    });
  };

async function targetIn(request: Request, origin: string): Promise<string> {
  try {
    const body = await readBody(request, { limit: kibibytes(256), forms: true });
    return redirectTarget((body as { redirectTo?: string }).redirectTo, origin);
  } catch {
    return "/";
  }
}

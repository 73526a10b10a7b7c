import { type MiddlewareFunction, redirect } from "react-router";
import { isFormPost } from "./request-body.server.ts";

/**
 * A plain form that was posted straight to an endpoint and refused goes back to its page, which says why. Only the kind
 * of refusal travels in the address, never a word of what was typed. Stands inside limiter and origin check, whose
 * answers are not a form's to see.
 */
export const formsReturnTo =
  (page: string): MiddlewareFunction<Response> =>
  async ({ request }, next) => {
    const response = await next();
    if (!isFormPost(request) || response.status < 400 || response.status === 405) return response;
    return redirect(`${page}?error=${response.status}`, { headers: { "Cache-Control": "no-store" } });
  };

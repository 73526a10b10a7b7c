import { data, type MiddlewareFunction } from "react-router";
import { env } from "#app/platform/process/env.server.ts";
import { clientContext, siteDataContext } from "../context.server.ts";
import { fail } from "../endpoint/error-response.server.ts";
import type { PageRefusal } from "../forms/page-refusal.ts";
import { carriesSession } from "./session-cookie.server.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses writes that another site makes with a member's cookie. The router checks page routes only. Browsers send
 * Origin or Sec-Fetch-Site with every write, so a request with neither comes from a program and is let through.
 */
export const sameOrigin: MiddlewareFunction<Response> = ({ request, context }, next) => {
  if (!isOwnWrite(request, context.get(clientContext).origin))
    throw fail("forbidden", "Cross-site request refused");
  return next();
};

/** The same check for page routes: it refuses with an error page. */
export const sameOriginPage: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (isOwnWrite(request, context.get(clientContext).origin)) return next();
  const refusal: PageRefusal = { text: otherSiteText, site: await context.get(siteDataContext)() };
  throw data(refusal, { status: 403 });
};

const otherSiteText = {
  title: "Sent from another site",
  text: "This form did not come from a page of this site, so nothing was changed. Open the page here and try again.",
};

/**
 * The router compares Origin for page routes too, but its refusal has no page, ignores CORS_ORIGINS and is logged as an
 * error. This function checks the origin first and replaces the header with its result, so that the router does not.
 */
export function withSettledOrigin({ request, ownOrigin }: { request: Request; ownOrigin: string }) {
  if (safeMethods.has(request.method) || !request.headers.has("Origin")) return;
  const site = isOwnWrite(request, ownOrigin) ? "same-origin" : "cross-site";
  request.headers.set("Sec-Fetch-Site", site);
  request.headers.delete("Origin");
}

function isOwnWrite(request: Request, ownOrigin: string) {
  if (safeMethods.has(request.method)) return true;
  // Browsers never add a bearer token by themselves, so another site cannot misuse one.
  if (
    /^Bearer +/i.test(request.headers.get("Authorization") ?? "") &&
    !carriesSession(request.headers.get("Cookie"))
  )
    return true;
  const origin = request.headers.get("Origin");
  if (origin !== null) return origin === ownOrigin || env.CORS_ORIGINS.includes(origin);
  const site = request.headers.get("Sec-Fetch-Site");
  return site === null || site === "same-origin" || site === "none";
}

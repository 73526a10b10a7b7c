import { data, type MiddlewareFunction } from "react-router";
import { env } from "#app/platform/process/env.server.ts";
import { clientContext, siteDataContext } from "../context.server.ts";
import { fail } from "../endpoint/error-response.server.ts";
import type { PageRefusal } from "../forms/page-refusal.ts";
import { carriesSession } from "./session-cookie.server.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The router's own check covers page routes only; this one covers every route that carries it. Browsers always
 * tell where a write comes from, so a caller that tells nothing is no browser and carries no stolen cookie.
 */
export const sameOrigin: MiddlewareFunction<Response> = ({ request, context }, next) => {
  if (!isOwnWrite(request, context.get(clientContext).origin))
    throw fail("forbidden", "Cross-site request refused");
  return next();
};

/** The same for pages, which tell it as a page. */
export const sameOriginPage: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (isOwnWrite(request, context.get(clientContext).origin)) return next();
  const refusal: PageRefusal = { text: otherSiteText, site: await context.get(siteDataContext)() };
  throw data(refusal, { status: 403 });
};

const otherSiteText = {
  title: "Sent from elsewhere",
  text: "This form did not come from a page of this site, so nothing was changed. Open the page here and try again.",
};

/**
 * The router has a check of its own for pages, which answers without a page, takes no CORS_ORIGINS and calls every such
 * write a defect. So the origin is judged before it, and what it and the routes are told is the judgement.
 */
export function withSettledOrigin({ request, ownOrigin }: { request: Request; ownOrigin: string }) {
  if (safeMethods.has(request.method) || !request.headers.has("Origin")) return;
  const site = isOwnWrite(request, ownOrigin) ? "same-origin" : "cross-site";
  request.headers.set("Sec-Fetch-Site", site);
  request.headers.delete("Origin");
}

function isOwnWrite(request: Request, ownOrigin: string) {
  if (safeMethods.has(request.method)) return true;
  // A bearer token is never sent by a browser on its own, so no site can ride on it.
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

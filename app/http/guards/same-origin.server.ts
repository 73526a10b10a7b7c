import type { IncomingHttpHeaders } from "node:http";
import { data, type MiddlewareFunction } from "react-router";
import { env } from "#app/platform/process/env.server.ts";
import { clientContext, siteDataContext, underOtherAddressContext } from "../context.server.ts";
import { fail } from "../endpoint/error-response.server.ts";
import { isFormPost } from "../endpoint/request-body.server.ts";
import { messagePage } from "../forms/message-page.server.ts";
import type { PageRefusal } from "../forms/page-refusal.ts";
import { isReading } from "../methods.ts";
import { carriesToken } from "./bearer-token.ts";
import { documented } from "./documented.ts";
import { carriesSession } from "./session-cookie.server.ts";

/**
 * Refuses writes that another site makes with a member's cookie. The router's own check covers only page routes.
 * Browsers send Origin or Sec-Fetch-Site with every write, so a request with neither comes from a program and passes.
 */
export const sameOrigin = documented({ forbids: "writes" }, ({ request, context }, next) => {
  const { origin } = context.get(clientContext);
  if (isOwnWrite(request, origin)) return next();
  if (!context.get(underOtherAddressContext)) throw fail("forbidden", "Cross-site request refused");
  throw isFromForm(request)
    ? messagePage(otherAddressText(origin), 403)
    : fail("forbidden", otherAddressText(origin).text);
});

/** True if the browser shows the answer as a page. A script that reads the answer says so in Sec-Fetch-Dest or Accept. */
const isFromForm = (request: Request) =>
  isFormPost(request) &&
  (request.headers.get("Sec-Fetch-Dest") ?? "document") !== "empty" &&
  !request.headers.get("Accept")?.includes("json");

/** The same check for page routes: it refuses with an error page. */
export const sameOriginPage: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { origin } = context.get(clientContext);
  if (isOwnWrite(request, origin)) return next();
  const text = context.get(underOtherAddressContext) ? otherAddressText(origin) : otherSiteText;
  const refusal: PageRefusal = { text, site: await context.get(siteDataContext)() };
  throw data(refusal, { status: 403 });
};

const otherSiteText = {
  title: "Sent from another site",
  text: "This form did not come from a page of this site, so nothing was changed. Open the page here and try again.",
};

const otherAddressText = (origin: string) => ({
  title: "This is not the address of the site",
  text: `The address of this site is ${origin}. Open it there and send the form again. Nothing was changed.`,
});

/**
 * True if the page that sends this write is ours, opened under another address than the configured one. Sec-Fetch-Site
 * and Host name the address in the browser, and a page of another site cannot set them.
 */
export function isUnderOtherAddress({
  headers,
  ownOrigin,
}: {
  headers: IncomingHttpHeaders;
  ownOrigin: string;
}) {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (origin === undefined || origin === ownOrigin || !URL.canParse(origin)) return false;
  return site === "same-origin" || (site === undefined && new URL(origin).host === host?.toLowerCase());
}

/**
 * The router also compares Origin for page routes, but its refusal has no page, ignores CORS_ORIGINS and is logged as
 * an error. This function runs first and replaces Origin with its own result, so that the router skips its check.
 */
export function withSettledOrigin({ request, ownOrigin }: { request: Request; ownOrigin: string }) {
  if (isReading(request.method) || !request.headers.has("Origin")) return;
  const site = isOwnWrite(request, ownOrigin) ? "same-origin" : "cross-site";
  request.headers.set("Sec-Fetch-Site", site);
  request.headers.delete("Origin");
}

function isOwnWrite(request: Request, ownOrigin: string) {
  if (isReading(request.method)) return true;
  // Browsers never add a bearer token by themselves, so another site cannot misuse one. With a session cookie beside it
  // the write is checked: guards that accept only sessions ignore the token, which another site can have made up.
  if (carriesToken(request) && !carriesSession(request.headers.get("Cookie"))) return true;
  const origin = request.headers.get("Origin");
  if (origin !== null) return origin === ownOrigin || env.CORS_ORIGINS.includes(origin);
  const site = request.headers.get("Sec-Fetch-Site");
  return site === null || site === "same-origin" || site === "none";
}

/**
 * Whether another site sent the browser here, by a link or a picture. Without either header the request came from a
 * program or a typed URL.
 */
export function isLinkedFromOtherSite({ headers }: Request, ownOrigin: string): boolean {
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const referrer = headers.get("Referer");
  return referrer !== null && !(URL.canParse(referrer) && new URL(referrer).origin === ownOrigin);
}

import type { MiddlewareFunction } from "react-router";
import { routeFactsContext } from "../context.server.ts";
import { errorResponse } from "../endpoint/error-response.server.ts";
import type { RouteTable } from "./route-table.server.ts";

/**
 * Pages answer GET, and POST if they have a form. React Router runs a page's action for every other method too, so a PUT
 * would count as a sent form. Endpoints check their methods themselves.
 */

const changingMethods = new Set(["PUT", "PATCH", "DELETE"]);

/** The methods that the route at this path answers, for OPTIONS. Null if there is no route. */
export function listMethods({ findRoute }: RouteTable, path: string): readonly string[] | null {
  const route = findRoute(path);
  if (!route || (route.path?.endsWith("*") === true && !route.module.loader?.methods)) return null;
  const { default: page, loader, action } = route.module;
  if (loader?.methods) return loader.methods;
  const reads = page !== undefined || loader ? ["GET", "HEAD"] : [];
  return [...reads, ...(action ? ["POST"] : [])];
}

/**
 * The middleware of the root route. There the router has already matched the route, so every spelling of its path is
 * covered.
 */
export const pageMethods: MiddlewareFunction<Response> = ({ request, context, pattern }, next) => {
  if (!changingMethods.has(request.method)) return next();
  const { isPage, hasForm } = context.get(routeFactsContext)(pattern);
  if (!isPage || pattern.replace(/^\//, "") === "*") return next();
  const allowed = hasForm ? "GET, HEAD, POST, OPTIONS" : readOnlyMethods;
  return errorResponse(405, "Method not allowed", { headers: { Allow: allowed } });
};

export const readOnlyMethods = "GET, HEAD, OPTIONS";

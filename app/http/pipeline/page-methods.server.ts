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

/** The value of Allow if the page at this path does not answer this method, otherwise undefined. */
export function findAllowedMethods(
  { findRoute }: RouteTable,
  method: string,
  path: string,
): string | undefined {
  if (!changingMethods.has(method)) return undefined;
  const route = findRoute(path);
  if (!route?.module.default || route.path === "*") return undefined;
  return route.module.action ? "GET, HEAD, POST, OPTIONS" : readOnlyMethods;
}

export const readOnlyMethods = "GET, HEAD, OPTIONS";

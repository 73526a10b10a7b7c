import type { RouteTable } from "./route-table.server.ts";

/**
 * Pages answer GET and, where they have a form, POST. The router runs a page's action for every other method too, which
 * would take a PUT for the form. Endpoints judge their methods themselves.
 */

const changing = new Set(["PUT", "PATCH", "DELETE"]);

/** Which methods the page at this path answers, if this method is none of them. */
export function allowedInstead({ findRoute }: RouteTable, method: string, path: string): string | undefined {
  if (!changing.has(method)) return undefined;
  const route = findRoute(path);
  if (!route?.module.default || route.path === "*") return undefined;
  return route.module.action ? "GET, HEAD, POST, OPTIONS" : readOnly;
}

export const readOnly = "GET, HEAD, OPTIONS";

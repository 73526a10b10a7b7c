import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";

/**
 * Pages answer GET and, where they have a form, POST. The router runs a page's action for every other method too, which
 * would take a PUT for the form. Endpoints judge their methods themselves.
 */

type Routes = ServerBuild["routes"];

/** The router's own form of a page's address. */
const asData = /(?:\/_|_root)?\.data$/;

const changing = new Set(["PUT", "PATCH", "DELETE"]);

/** What may be asked of the page at this path, if this method may not; undefined where nothing is to be said. */
export function pageMethods(routes: Routes): (method: string, path: string) => string | undefined {
  const tree = treeOf(routes);
  return (method, path) => {
    if (!changing.has(method)) return undefined;
    const route = matchRoutes(tree, path.replace(asData, ""))?.at(-1)?.route;
    const module = route?.id === undefined ? undefined : routes[route.id]?.module;
    if (!module?.default || route?.path === "*") return undefined;
    return module.action ? "GET, HEAD, POST, OPTIONS" : readOnly;
  };
}

export const readOnly = "GET, HEAD, OPTIONS";

function treeOf(routes: Routes, parentId?: string): RouteObject[] {
  return Object.values(routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return [];
    const { id, path } = route;
    return [
      route.index
        ? { id, index: true, ...(path !== undefined && { path }) }
        : { id, ...(path !== undefined && { path }), children: treeOf(routes, id) },
    ];
  });
}

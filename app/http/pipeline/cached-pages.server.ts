import { type MiddlewareFunction, matchPath, type ServerBuild } from "react-router";
import { groupBy } from "#app/platform/lists.ts";
import { isReading } from "../methods.ts";
import type { IncomingRequest } from "../server/incoming-request.server.ts";

/**
 * The pages that the public cache stores for visitors, and the query names that each page reads. All other names
 * (`utm_source`, `fbclid`) are removed before the router runs. They reach neither the loader nor the page's links, so
 * no link can fill the cache with copies of one page.
 */

/**
 * `first`: only the first value of a name counts, and an empty value counts as missing. `all`: all values count,
 * unchanged.
 */
export type CachedQuery = Readonly<Record<string, "first" | "all">>;

type CachedPageMiddleware = MiddlewareFunction<Response> & { readonly cachedQuery: CachedQuery };

/**
 * Declares in a page's `middleware` that the public cache stores the page, and which query names it reads. The loader
 * gets only these names for members too, so that a member's page is the visitor's page with additions. A test collects
 * the names that each cached page reads, and fails if one is missing here. The function does nothing at run time. It is
 * a middleware because React Router removes that export from the browser's build.
 */
export function cachedPage(cachedQuery: CachedQuery): CachedPageMiddleware {
  const passOn: MiddlewareFunction<Response> = (_, next) => next();
  return Object.assign(passOn, { cachedQuery });
}

/** The query names of a cached page. Undefined if the public cache does not store the page. */
export const cachedQueryOf = (module: { middleware?: unknown } | undefined): CachedQuery | undefined =>
  ((module?.middleware ?? []) as Partial<CachedPageMiddleware>[]).find(({ cachedQuery }) => cachedQuery)
    ?.cachedQuery;

type Routes = ServerBuild["routes"];
type CachedPage = { pattern: string; query: CachedQuery; ids: string[] };

/** The suffix of the URLs from which React Router loads the data of a page. */
export const dataSuffix = /(?:\/_|_root)?\.data$/;

export function createCachedPages(routes: Routes) {
  const pages = pagesByFirstSegment(routes);

  function find(path: string) {
    const page = path.replace(dataSuffix, "") || "/";
    return pages.get(firstSegment(page))?.find(({ pattern }) => isAt(pattern, page));
  }

  return {
    /** True if visitors with the same preferences get the same page at this path. */
    isCached: (path: string) => find(path) !== undefined,
    /** The request with only the query parameters that its page reads, in a fixed order. */
    withReadQuery(incoming: IncomingRequest): IncomingRequest {
      const { method, path, query } = incoming;
      if (query.length < 2 || !isReading(method)) return incoming;
      const page = find(path);
      if (!page) return incoming;
      return { ...incoming, query: queryFor(page, new URLSearchParams(query), path.endsWith(".data")) };
    },
  };
}

/**
 * The router compiles a pattern at each comparison. This test runs for every cached answer whose address has a query,
 * so patterns without parameters are compared as text.
 */
const isAt = (pattern: string, path: string) =>
  pattern.includes(":") ? matchPath(pattern, path) !== null : path === pattern || path === `${pattern}/`;

function queryFor({ query, ids }: CachedPage, sent: URLSearchParams, isData: boolean): string {
  const read = new URLSearchParams();
  for (const [name, use] of Object.entries(query)) {
    const values = sent.getAll(name);
    if (use === "all") for (const value of values) read.append(name, value);
    else if (values[0]) read.append(name, values[0]);
  }
  // The router itself adds `index` and `_routes`.
  if (sent.has("index")) read.append("index", "");
  const chosen = isData ? sent.get("_routes")?.split(",") : undefined;
  if (chosen) read.append("_routes", ids.filter((id) => chosen.includes(id)).join(",") || noRoute);
  const text = read.toString();
  return text === "" ? "" : `?${text}`;
}

/** The router reads an empty list as all routes. */
const noRoute = "none";

const firstSegment = (path: string) => path.split("/", 2)[1] ?? "";

function pagesByFirstSegment(routes: Routes): Map<string, CachedPage[]> {
  const pages = Object.values(routes).flatMap((route): CachedPage[] => {
    const query = cachedQueryOf(route?.module as { middleware?: unknown } | undefined);
    if (!route || !query) return [];
    return [{ pattern: `/${route.path ?? ""}`, query, ids: branchOf(routes, route.id).sort() }];
  });
  return groupBy(pages, ({ pattern }) => firstSegment(pattern));
}

/** The ids of this route, its layouts and the root. */
function branchOf(routes: Routes, id: string | undefined): string[] {
  const route = id === undefined ? undefined : routes[id];
  return route ? [route.id, ...branchOf(routes, route.parentId)] : [];
}

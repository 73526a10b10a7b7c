import {
  type MiddlewareFunction,
  matchPath,
  matchRoutes,
  type RouteObject,
  type ServerBuild,
} from "react-router";
import { type Admission, answerStateContext, type RouteFacts } from "../context.server.ts";
import { type Sharing, withNobody } from "../sharing.ts";
import { createCachedPages, dataSuffix } from "./cached-pages.server.ts";

/** Looks up what the routes of a build declare, for the code that runs before and after the router. */

type Routes = ServerBuild["routes"];
type Module = {
  default?: unknown;
  action?: unknown;
  loader?: {
    sharing?: Sharing;
    methods?: readonly string[];
    admission?: Admission;
    /**
     * For a route whose path ends in `*`: the JSON of the 400 for an unreadable target below it, which reaches no
     * route.
     */
    malformedJson?: object;
  };
};

/** Static files have no route, so app/start names the folders that other origins may use: `{ "/folder/": sharing }`. */
export type SharedFolders = Readonly<Record<string, Sharing>>;

export type RouteTable = ReturnType<typeof createRouteTable>;

export function createRouteTable(routes: Routes) {
  const tree = treeOf(routes);
  const shared = sharingsOf(routes);
  const fixedPaths = new Map(
    [...shared].filter(([path]) => !hasParameter(path)).map(([path, one]) => [path.toLowerCase(), one]),
  );
  const facts = new Map(listFacts(routes));
  const malformed = Object.values(routes).flatMap((route): [string, object][] => {
    const json = (route?.module as Module | undefined)?.loader?.malformedJson;
    return route?.path?.endsWith("/*") && json ? [[`/${route.path.slice(0, -1)}`, json]] : [];
  });
  const patterns = [...shared].filter(([path, one]) => hasParameter(path) && one !== withNobody);
  return {
    cachedPages: createCachedPages(routes),
    /** `pattern` is the pattern that the router matched. */
    factsOf: (pattern: string): RouteFacts =>
      facts.get(withoutSlash(pattern)) ?? { isPage: false, hasForm: false },
    malformedJsonOf: (target: string) =>
      malformed.find(([start]) => target.toLowerCase().startsWith(start))?.[1],
    /** Searches like the router, which is too slow for every request. */
    findRoute(path: string) {
      const route = matchRoutes(tree, path.replace(dataSuffix, ""))?.at(-1)?.route;
      const module = route?.id === undefined ? undefined : (routes[route.id]?.module as Module | undefined);
      return route && module && { path: route.path, module };
    },
    /** For decisions before the router runs: preflights, and reads by the proxies. */
    sharingOfPath(path: string): Sharing {
      const normalizedPath = withoutOuterSlashes(decoded(path).replace(dataSuffix, ""));
      const sharing = fixedPaths.get(normalizedPath.toLowerCase());
      if (sharing) return sharing;
      return patterns.find(([pattern]) => matchPath(`/${pattern}`, `/${normalizedPath}`))?.[1] ?? withNobody;
    },
    /** `pattern` is the pattern that the router matched, so that every spelling of a path gets the same sharing. */
    sharingOfPattern: (pattern = ""): Sharing => shared.get(withoutSlash(pattern)) ?? withNobody,
  };
}

const withoutSlash = (pattern: string) => pattern.replace(/^\//, "");

/** A regular expression would begin again at each of thousands of slashes inside a path. */
function withoutOuterSlashes(path: string) {
  let [start, end] = [0, path.length];
  while (path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end);
}

/** When several routes have the same pattern, the innermost one answers. It comes last in the list. */
function listFacts(routes: Routes, parentId?: string, parentPattern = ""): [string, RouteFacts][] {
  return Object.values(routes).flatMap((route): [string, RouteFacts][] => {
    if (!route || route.parentId !== parentId) return [];
    const pattern = [parentPattern, route.path].filter(Boolean).join("/");
    const { default: page, loader, action } = route.module as Module;
    const facts = { admission: loader?.admission, isPage: page !== undefined, hasForm: action !== undefined };
    return [[pattern, facts], ...listFacts(routes, route.id, pattern)];
  });
}

/**
 * The sharing of every route by its path. Paths that end in `*` come last, because they also match the paths of other
 * routes.
 */
function sharingsOf(routes: Routes) {
  const declared = Object.values(routes).flatMap((route): [string, Sharing][] =>
    route?.path ? [[route.path, (route.module as Module).loader?.sharing ?? withNobody]] : [],
  );
  return new Map(declared.sort(([one], [other]) => Number(one.endsWith("*")) - Number(other.endsWith("*"))));
}

const hasParameter = (path: string) => /[:*]/.test(path);

function decoded(path: string) {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * Records which route the router matched. Runs first on the root route, so that refused requests get CORS headers too.
 */
export const notePattern: MiddlewareFunction<Response> = ({ pattern, context }, next) => {
  context.get(answerStateContext).pattern = pattern;
  return next();
};

export const sharingOfFolder = (folders: SharedFolders, path: string): Sharing | undefined => {
  for (const folder in folders) if (path.startsWith(folder)) return folders[folder];
  return undefined;
};

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

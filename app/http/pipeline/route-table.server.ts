import {
  type MiddlewareFunction,
  matchPath,
  matchRoutes,
  type RouteObject,
  type ServerBuild,
} from "react-router";
import { answerNotesContext } from "../context.server.ts";
import { type Sharing, withNobody } from "../sharing.ts";

/** What the routes of a build declare of themselves, for what happens around the router. */

type Routes = ServerBuild["routes"];
type Module = { default?: unknown; action?: unknown; loader?: { sharing?: Sharing } };

/** Static files have no route, so the process names the folders that it shares: `{ "/folder/": sharing }`. */
export type SharedFolders = Readonly<Record<string, Sharing>>;

export type RouteTable = ReturnType<typeof createRouteTable>;

/** The router's own form of a page's address. */
const asData = /(?:\/_|_root)?\.data$/;

export function createRouteTable(routes: Routes) {
  const tree = treeOf(routes);
  const shared = sharingsOf(routes);
  const plain = new Map(
    [...shared].filter(([path]) => !hasParameter(path)).map(([path, one]) => [path.toLowerCase(), one]),
  );
  const withParameters = [...shared].filter(([path, one]) => hasParameter(path) && one !== withNobody);
  return {
    /** The router's own search: too slow for every request. */
    findRoute(path: string) {
      const route = matchRoutes(tree, path.replace(asData, ""))?.at(-1)?.route;
      const module = route?.id === undefined ? undefined : (routes[route.id]?.module as Module | undefined);
      return route && module && { path: route.path, module };
    },
    /** For the requests that the router does not see. */
    sharingOfPath(path: string): Sharing {
      const spelled = decoded(path)
        .replace(asData, "")
        .replace(/^\/+|\/+$/g, "");
      const found = plain.get(spelled.toLowerCase());
      if (found) return found;
      return withParameters.find(([pattern]) => matchPath(`/${pattern}`, `/${spelled}`))?.[1] ?? withNobody;
    },
    /** `pattern` as the router matched it, so that no other spelling of an address is shared otherwise. */
    sharingOfPattern: (pattern = ""): Sharing => shared.get(pattern.replace(/^\//, "")) ?? withNobody,
  };
}

/** Every route's sharing by its path, those that end in `*` last: they match what others match too. */
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

/** Notes which route the router chose. Stands on the root route, ahead of all that may refuse a request. */
export const notePattern: MiddlewareFunction<Response> = ({ pattern, context }, next) => {
  context.get(answerNotesContext).pattern = pattern;
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

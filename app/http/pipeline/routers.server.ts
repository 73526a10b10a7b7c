import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router";

export type Build = ServerBuild | (() => ServerBuild | Promise<ServerBuild>);

/**
 * React Router tries the routes one after another, twice per request, and rebuilds all of them for each rendered page.
 * So each endpoint whose path has no parameters gets a router with only its own route, and all paths that begin with
 * the same word share a router with only their routes. Other spellings of a path, and development, use the router with
 * all routes.
 */
export function routerFor(build: Build, mode: string): (path: string) => RequestHandler {
  const fullRouter = createRequestHandler(build, mode);
  if (typeof build === "function") return () => fullRouter;
  const routersOf = (parts: Parts) =>
    new Map([...parts].map(([name, routes]) => [name, createRequestHandler(buildWith(build, routes), mode)]));
  const endpointRouters = routersOf(endpointsOf(build));
  const sectionRouters = routersOf(sectionsOf(build));
  return (path) => endpointRouters.get(path) ?? sectionRouters.get(firstWordOf(path)) ?? fullRouter;
}

const homePath = "/";
/** A word with which no path begins. */
const otherSpelling = "/";

/** A request resolves dot segments, so `/one/../two` does not begin with `one`. */
const dotSegment = /[\\/](?:\.|%2e)/i;

/** Returns `one` for `/one/two` and for `/one.data`. */
function firstWordOf(path: string): string {
  if (path === homePath) return "";
  if (dotSegment.test(path)) return otherSpelling;
  return /^\/([\w-]+(?:\.(?!data$)\w+)?)(?:\/|\.data$|$)/.exec(path)?.[1] ?? otherSpelling;
}

type Route = NonNullable<ServerBuild["routes"][string]>;
type Parts = ReadonlyMap<string, readonly Route[]>;

/** Maps the path of each endpoint without parameters to its route. */
function endpointsOf(build: ServerBuild): Parts {
  const { root, others } = routesOf(build);
  const fixed = others.filter(
    ({ parentId, path, module }) => parentId === root.id && !module.default && /^[\w./-]+$/.test(path ?? ""),
  );
  return new Map(fixed.map((route) => [`/${route.path}`, [root, route]]));
}

/**
 * Maps the first word of a path to all routes that may answer it, and the front page, which React Router writes into
 * each page for the browser. The key "" has the front page alone.
 */
function sectionsOf(build: ServerBuild): Parts {
  const { root, others } = routesOf(build);
  const wordOf = ({ parentId = root.id, index, path = "" }: Route): string | undefined => {
    const parent = parentId === root.id ? undefined : build.routes[parentId];
    if (parent) return wordOf(parent);
    return index ? "" : /^[\w-]+(?:\.\w+)?(?=\/|$)/.exec(path)?.[0];
  };
  const inAll = others.filter((route) => !wordOf(route));
  const words = new Set(others.map(wordOf).filter((word) => word !== undefined));
  return new Map(
    [...words].map((word) => [
      word,
      [root, ...inAll, ...others.filter((route) => word !== "" && wordOf(route) === word)],
    ]),
  );
}

function routesOf({ routes }: ServerBuild): { root: Route; others: readonly Route[] } {
  const known = Object.values(routes).filter((route) => route !== undefined);
  const root = known.find(({ parentId }) => parentId === undefined);
  if (!root) throw new Error("The build has no root route");
  return { root, others: known.filter((route) => route !== root) };
}

function buildWith(build: ServerBuild, routes: readonly Route[]): ServerBuild {
  const ids = new Set(routes.map(({ id }) => id));
  const only = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).filter(([id]) => ids.has(id)));
  return {
    ...build,
    routes: only(build.routes),
    assets: { ...build.assets, routes: only(build.assets.routes) },
  };
}

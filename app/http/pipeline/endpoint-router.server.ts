import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router";

export type Build = ServerBuild | (() => ServerBuild | Promise<ServerBuild>);

/**
 * React Router tries the routes one after another, twice for each request, which took a third of the time of a small
 * answer. So each endpoint whose path has no parameters gets a router with only its own route, and the endpoints of a
 * folder that answers every path in it (`folder/*`) share one with only their routes. Pages, other paths with parameters,
 * other spellings of a path and development use the router with all routes.
 */
export function routerFor(build: Build, mode: string): (path: string) => RequestHandler {
  const fullRouter = createRequestHandler(build, mode);
  if (typeof build === "function") return () => fullRouter;
  const endpointRouters = new Map(
    fixedEndpoints(build).map(({ path, buildOfEndpoint }) => [
      path,
      createRequestHandler(buildOfEndpoint, mode),
    ]),
  );
  const folderRouters = new Map(
    endpointFolders(build).map(({ folder, buildOfFolder }) => [
      folder,
      createRequestHandler(buildOfFolder, mode),
    ]),
  );
  return (path) => endpointRouters.get(path) ?? folderRouters.get(folderOf(path)) ?? fullRouter;
}

/** `/folder/` of `/folder/a/b`. */
const folderOf = (path: string) => path.slice(0, path.indexOf("/", 1) + 1);

type Route = NonNullable<ServerBuild["routes"][string]>;

function fixedEndpoints(build: ServerBuild) {
  return endpointsOf(build).flatMap(({ root, route }) =>
    /^[\w./-]+$/.test(route.path ?? "")
      ? [{ path: `/${route.path}`, buildOfEndpoint: buildWith(build, [root, route]) }]
      : [],
  );
}

function endpointFolders(build: ServerBuild) {
  const endpoints = endpointsOf(build);
  return endpoints.flatMap(({ root, route }) => {
    const folder = /^([\w.-]+\/)\*$/.exec(route.path ?? "")?.[1];
    if (folder === undefined) return [];
    const inFolder = endpoints.map((one) => one.route).filter(({ path }) => path?.startsWith(folder));
    return [{ folder: `/${folder}`, buildOfFolder: buildWith(build, [root, ...inFolder]) }];
  });
}

function endpointsOf({ routes }: ServerBuild): { root: Route; route: Route }[] {
  const known = Object.values(routes).filter((route) => route !== undefined);
  const [root, ...others] = known.filter(({ parentId }) => parentId === undefined);
  if (!root || others.length > 0) return [];
  return known
    .filter((route) => route.parentId === root.id && !route.module.default)
    .map((route) => ({ root, route }));
}

const buildWith = (build: ServerBuild, routes: readonly Route[]): ServerBuild => ({
  ...build,
  routes: Object.fromEntries(routes.map((route) => [route.id, route])),
});
